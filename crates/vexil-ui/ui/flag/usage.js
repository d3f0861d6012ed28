// The last sixty minutes of a flag in an environment: totals, a chart by minute, shares, and the same as a table.

import { code, fill, h } from '../core/element.js';
import { count, minuteOf, share, sum, when } from '../core/number.js';
import { variantMark } from '../core/words.js';
import { chart } from './chart.js';
import { usageText } from '../text.js';

const figure = (number, words) => h('span', { class: 'figure' }, h('b', null, number), ` ${words}`);

/** Shares of variants with a mark where they are set to be, and shares of applications. */
function shares(environment, data) {
  const yes = sum(data.yes), all = yes + sum(data.no);
  const variants = Object.entries(data.variants ?? {}).map(([name, line]) => /** @type {[string, number]} */ ([name, sum(line)])).sort((a, b) => b[1] - a[1]);
  const sets = environment.strategies.filter((one) => !one.disabled && one.variants?.length).map((one) => one.variants);
  const set = new Map(sets.length === 1 ? sets[0].map((one) => [one.name, one.weight / 10]) : []);
  const bar = (portion, whole, mark) => h('span', { class: 'bar', 'aria-hidden': 'true', vars: { part: `${whole ? (portion * 100) / whole : 0}%`, ...(mark === undefined ? {} : { set: `${mark}%` }) } }, h('i', null), mark !== undefined && h('em', null));
  const row = (head, drawn, number, note) => h('tr', null, h('th', { scope: 'row' }, head), h('td', { class: 'wide' }, drawn), h('td', { class: 'number' }, number), h('td', { class: 'faint' }, note));
  const lines = (caption, rows) => rows.length > 0 && h('table', { class: 'bars' }, h('caption', null, caption), h('tbody', null, rows));
  const applications = Object.entries(data.applications ?? {}).sort((a, b) => b[1].yes + b[1].no - a[1].yes - a[1].no);
  return h('div', { class: 'shares' },
    lines(usageText.variants, variants.map(([name, times]) => row(variantMark(name), bar(times, yes, set.get(name)), share(times, yes), set.has(name) ? usageText.setTo(set.get(name)) : ''))),
    lines(usageText.applications, applications.map(([name, one]) => row(code(name), bar(one.yes + one.no, all), count(one.yes + one.no), usageText.shareOn(share(one.yes, one.yes + one.no))))));
}

/** The minutes as a table, the newest first. */
function table(environment, data, time) {
  const variants = Object.keys(data.variants ?? {});
  const rows = data.yes.map((on, minute) => h('tr', null, h('th', { scope: 'row' }, time(minute)),
    on === null ? h('td', { colspan: 3 + variants.length, class: 'faint' }, usageText.legendGap)
      : [count(on), count(data.no[minute]), share(on, on + data.no[minute]), ...variants.map((name) => count(data.variants[name][minute] ?? 0))].map((text) => h('td', null, text))));
  const heads = [...usageText.columns, ...variants].map((head) => h('th', { scope: 'col' }, head));
  return h('details', { class: 'twin' }, h('summary', null, usageText.table),
    h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': usageText.tableOf(environment) }, h('table', null, h('thead', null, h('tr', null, heads)), h('tbody', null, rows.reverse()))));
}

function content(environment, usage, narrow) {
  const data = usage?.environments.find((one) => one.environment === environment.name);
  const title = h('h3', null, usageText.title);
  if (!data) {
    const seen = environment.lastSeenAt ? usageText.lastSeen(when(environment.lastSeenAt)) : usageText.never;
    return [title, h('div', { class: 'silent' }, h('p', null, usageText.none), h('p', { class: 'hint' }, seen))];
  }
  const yes = sum(data.yes), all = yes + sum(data.no);
  const start = Date.parse(usage.start);
  const time = (minute) => minuteOf(start + minute * 60_000);
  const silent = data.yes.filter((one) => one === null).length;
  const figures = [figure(count(all), usageText.evaluations), figure(share(yes, all), usageText.on), silent > 0 && figure(count(silent), usageText.silentMinutes(silent))];
  return [h('div', { class: 'usage-head' }, title, h('p', { class: 'figures' }, figures)), chart(environment.name, data, time, narrow), shares(environment, data), table(environment.name, data, time)];
}

/** The usage of one environment: an element, and a function that draws it anew. */
export function usageOf(environment, signal) {
  const element = h('section', { class: 'usage' });
  const narrow = matchMedia('(max-width: 620px)');
  let last = null;
  const draw = (usage) => {
    last = usage;
    const open = element.querySelector('details')?.open;
    fill(element, content(environment, usage, narrow.matches));
    if (open) element.querySelector('details').open = true;
  };
  narrow.addEventListener('change', () => draw(last), { signal });
  return { element, draw };
}

