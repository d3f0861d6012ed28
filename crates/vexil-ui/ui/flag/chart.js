// Bars by minute: on above the line and off below it, hatched where nobody reported. What is pointed at is read out below.

import { fill, freshId, h } from '../core/element.js';
import { count, share } from '../core/number.js';
import { usageText } from '../text.js';

const MINUTES = 60;
const LAST = MINUTES - 1;
/** Left edge, width and height of the drawing, and the room between two bars. */
const WIDE = { left: 40, width: 600, height: 150, gap: 1 };
const NARROW = { left: 30, width: 330, height: 140, gap: 0.6 };

/** What a minute says, in words. */
function told(data, time, minute) {
  const on = data.yes[minute], off = data.no[minute];
  if (on === null) return usageText.minute(time(minute), usageText.legendGap);
  const variants = Object.entries(data.variants ?? {}).filter(([, line]) => line[minute]).map(([name, line]) => usageText.variant(name, line[minute]));
  const words = [usageText.minuteOn(on), usageText.minuteOff(off), on + off > 0 && usageText.shareOn(share(on, on + off)), ...variants];
  return usageText.minute(time(minute), words.filter(Boolean).join(' · '));
}

function drawing(data, time, { left, width, height, gap }, marker) {
  const step = (width - left) / MINUTES;
  const mostOn = Math.max(0, ...data.yes), mostOff = Math.max(0, ...data.no);
  const scale = (height - 34) / Math.max(1, mostOn + mostOff);
  const line = 8 + mostOn * scale, ground = line + mostOff * scale;
  const rect = (kind, minute, y, tall) => h('svg:rect', { class: kind, x: left + minute * step + gap / 2, width: step - gap, y, height: Math.max(0, tall), rx: 1 });
  const id = freshId();
  const hatch = h('svg:pattern', { id, width: 5, height: 5, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)' }, h('svg:line', { class: 'hatch', y2: 5 }));
  const gapOf = (minute) => h('svg:rect', { x: left + minute * step, width: step, y: 8, height: ground - 8, fill: `url(#${id})` });
  const bars = data.yes.map((on, minute) => (on === null ? gapOf(minute)
    : [on > 0 && rect('yes', minute, line - on * scale, on * scale), data.no[minute] > 0 && rect('no', minute, line, data.no[minute] * scale)]));
  const tick = (x, y, text, anchor) => h('svg:text', { class: 'tick', x, y, 'text-anchor': anchor }, text);
  const sides = [mostOn > 0 && tick(left - 6, 12, count(mostOn), 'end'), tick(left - 6, Math.max(line + 4, mostOn > 0 ? 24 : 0), '0', 'end'),
    mostOff > 0 && ground - line > 14 && tick(left - 6, ground + 4, count(mostOff), 'end')];
  const times = [2, 17, 32, 47].map((minute) => tick(left + minute * step, height - 4, time(minute), 'middle'));
  marker.setAttribute('width', step);
  marker.setAttribute('height', ground - 4);
  return h('svg:svg', { viewBox: `0 0 ${width} ${height}`, 'aria-hidden': 'true' }, h('svg:defs', null, hatch), marker, bars, h('svg:line', { class: 'axis', x1: left, x2: width, y1: line, y2: line }), sides, times, tick(width, height - 4, usageText.now, 'end'));
}

/** The chart and the line that reads it out: a slider over minutes for those who do not point. */
export function chart(environment, data, time, narrow) {
  const size = narrow ? NARROW : WIDE;
  const step = (size.width - size.left) / MINUTES;
  const marker = h('svg:rect', { class: 'marker', y: 4, hidden: true });
  const drawn = drawing(data, time, size, marker);
  const readout = h('p', { class: 'readout' });
  let at = LAST;
  const legend = () => {
    marker.setAttribute('hidden', '');
    fill(readout, h('span', { class: 'key yes' }, usageText.legendOn), h('span', { class: 'key no' }, usageText.legendOff), data.yes.includes(null) && h('span', { class: 'key gap' }, usageText.legendGap));
  };
  const point = (minute) => {
    at = Math.min(LAST, Math.max(0, minute));
    const words = told(data, time, at);
    marker.removeAttribute('hidden');
    marker.setAttribute('x', size.left + at * step);
    box.setAttribute('aria-valuenow', at);
    box.setAttribute('aria-valuetext', words);
    fill(readout, words);
  };
  const box = h('div', {
    class: 'chart', role: 'slider', tabindex: '0', 'aria-label': usageText.chart(environment), 'aria-valuemin': 0, 'aria-valuemax': LAST, 'aria-valuenow': at, 'aria-valuetext': told(data, time, at),
    onfocus: () => point(at), onblur: legend, onpointerleave: legend,
    onpointermove: (event) => {
      const { left, width } = drawn.getBoundingClientRect();
      point(Math.floor((((event.clientX - left) / width) * size.width - size.left) / step));
    },
    onkeydown: (event) => {
      const to = { ArrowLeft: at - 1, ArrowDown: at - 1, ArrowRight: at + 1, ArrowUp: at + 1, PageDown: at - 10, PageUp: at + 10, Home: 0, End: LAST }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      point(to);
    },
  }, drawn);
  legend();
  return [box, readout];
}
