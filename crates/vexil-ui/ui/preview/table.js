// Two lists of steps as one table: the first step that differs is marked, and on each side the one that decides.

import { h, hidden } from '../core/element.js';
import { icon } from '../core/icon.js';
import { whyText } from '../text.js';

/** A bar of buckets: those let in, and where this one is. */
const meter = ({ at, from = 0, upTo, of }) => h('span', { class: 'meter', 'aria-hidden': 'true', vars: { at: `${((at - 0.5) * 100) / of}%`, from: `${(from * 100) / of}%`, upto: `${(upTo * 100) / of}%` } }, h('i', null), h('em', null));

/** The steps of both sides in one order: the same key is one row. */
function rowsOf(before, after) {
  const rows = [];
  let i = 0, j = 0;
  while (i < before.length || j < after.length) {
    if (before[i]?.key === after[j]?.key) rows.push([before[i++], after[j++]]);
    else if (after[j] && !before.slice(i).some((one) => one.key === after[j].key)) rows.push([null, after[j++]]);
    else if (i < before.length) rows.push([before[i++], null]);
    else rows.push([null, after[j++]]);
  }
  return rows;
}

const differs = ([was, is]) => !was || !is || was.verdict !== is.verdict || was.says !== is.says;

function mark(step) {
  if (step.result || step.verdict === undefined || step.verdict === null) return null;
  return step.verdict === 'unknown' ? icon('unknown') : [icon(step.verdict ? 'check' : 'cross'), hidden(step.verdict ? whyText.yes : whyText.no)];
}

function cell(step, other) {
  if (!step) return h('td', { class: 'absent' }, other.depth ? hidden(whyText.absent) : whyText.absent);
  const verdict = step.verdict === true ? 'yes' : step.verdict === false ? 'no' : '';
  return h('td', { class: `${verdict}${step.decides ? ' decides' : ''}` }, h('span', { class: 'found' }, mark(step), h('span', null, step.text)),
    step.meter && meter(step.meter), step.decides && h('span', { class: 'tag' }, whyText.decides));
}

/** What a step is about; where that changed, what goes is struck out and what comes is underlined. */
function label(was, is, arrow) {
  if (!was || !is || was === is) return (is ?? was).label;
  const [old, now] = [was, is].map((step) => [step.label].flat(Infinity).filter(Boolean).map((node) => h('span', null, node)));
  const same = now.findIndex((node, index) => node.textContent !== old[index]?.textContent);
  const at = same < 0 ? Math.min(now.length, old.length) : same;
  if (at === now.length && at === old.length) return now;
  if (!arrow) return [now.slice(0, at), old.slice(at), ' / ', now.slice(at)];
  return [now.slice(0, at), h('del', null, old.slice(at)), ' ', h('ins', null, now.slice(at))];
}

export function stepsTable(sides, source) {
  const rows = sides.length > 1 ? rowsOf(sides[0], sides[1]) : sides[0].map((step) => [step, step]);
  const first = sides.length > 1 ? rows.find((row) => differs(row) && !(row[0] ?? row[1]).result) : null;
  return h('table', { class: 'steps' }, h('thead', null, h('tr', null, source.sides.map((name) => h('th', { scope: 'col' }, name)))), rows.map((row) => {
    const [was, is] = row, one = is ?? was;
    return h('tbody', { class: [one.result && 'result', row === first && 'first', one.depth && `depth-${one.depth}`].filter(Boolean).join(' ') || null },
      h('tr', null, h('th', { scope: 'rowgroup', colspan: sides.length }, row === first && h('span', { class: 'tag' }, whyText.first), h('span', null, label(was, is, source.arrow)))),
      h('tr', null, sides.length === 1 ? cell(is) : [cell(was, is), cell(is, was)]));
  }));
}
