// All flags, page by page: which are on where, how much they are used, which are about to change.

import { announce, fill, h, hidden } from '../core/element.js';
import { icon } from '../core/icon.js';
import { get, isAbort, may, optional, part, post, session } from '../core/api.js';
import { sum } from '../core/number.js';
import { state } from '../core/words.js';
import { heading, link, remember } from '../core/router.js';
import { choices } from '../core/frame.js';
import { empty, problem } from '../core/notice.js';
import { starOf } from '../flag/star.js';
import { commonText, flagsText, kindText } from '../text.js';

/** How many flags a page of the list holds. */
const PAGE = 50;
/** How long after the last key the server is asked, in milliseconds. */
const PAUSE = 150;

/** Sixty minutes as a line of bars: on from the ground, off above it. */
function spark(usage) {
  if (!usage) return h('span', { class: 'faint' }, flagsText.noReports);
  const minutes = usage.yes.map((yes, minute) => [yes, (yes ?? 0) + (usage.no[minute] ?? 0), minute]).filter(([yes]) => yes !== null);
  const most = Math.max(1, ...minutes.map(([, all]) => all));
  const all = sum(minutes.map(([, one]) => one));
  const bar = (kind, minute, y, height) => h('svg:rect', { class: kind, x: minute * 2, width: 1.5, y, height });
  const bars = minutes.map(([yes, total, minute]) => {
    const height = (total / most) * 20, on = (yes / Math.max(1, total)) * height;
    return [bar('no', minute, 20 - height, height - on), bar('yes', minute, 20 - on, on)];
  });
  return h('span', { class: 'spark' },
    h('svg:svg', { viewBox: '0 0 120 20', preserveAspectRatio: 'none', 'aria-hidden': 'true' }, bars),
    h('span', { class: 'number' }, all ? `${Math.round((sum(usage.yes) * 100) / all)} %` : '–'), hidden(flagsText.onOf(all)));
}

function cell(flag, environment, usage) {
  const found = flag.environments.find((one) => one.name === environment.name);
  if (!found) return h('td', { 'data-label': environment.name }, h('span', { class: 'faint' }, flagsText.notUsed));
  const pending = (found.changeRequestIds ?? []).map((id) => link(`change-requests/${part(flag.project)}/${id}`, { class: 'badge' }, icon('edit'), flagsText.pending(id)));
  return h('td', { 'data-label': environment.name }, h('div', { class: 'in-environment' }, state({ enabled: found.enabled }), usage && spark(usage.get(flag.name)?.get(environment.name)), pending));
}

/** A table of flags, one column an environment. */
function table(flags, environments, usage) {
  return h('table', { class: 'list flags' }, h('caption', { class: 'sr' }, flagsText.title),
    h('thead', null, h('tr', null, session.isUser && h('th', { scope: 'col', class: 'stars' }, hidden(flagsText.mark)), h('th', { scope: 'col' }, flagsText.flag), h('th', { scope: 'col', class: 'kind' }, flagsText.type),
      environments.map((one) => h('th', { scope: 'col' }, one.name, usage && h('span', { class: 'unit' }, flagsText.lastHour))))),
    h('tbody', null, flags.map((flag) => h('tr', null, session.isUser && h('td', { class: 'stars' }, starOf(flag)),
      h('th', { scope: 'row' }, link(`flags/${part(flag.project)}/${part(flag.name)}`, { class: 'name' }, flag.name), flag.stale && h('span', { class: 'tag' }, flagsText.stale), h('span', { class: 'description' }, flag.description)),
      h('td', { class: 'kind' }, kindText[flag.type] ?? flag.type), environments.map((one) => cell(flag, one, usage))))));
}

const environmentsOf = (flags) => [...new Map(flags.flatMap((flag) => flag.environments).map((one) => [one.name, one])).values()].sort((a, b) => a.sortOrder - b.sortOrder);
const usageOf = (told) => told && new Map(told.features.map((flag) => [flag.name, new Map(flag.environments.map((one) => [one.environment, one]))]));

export async function page({ query, signal }) {
  const set = { text: query.get('q') ?? '', only: flagsText.only[query.get('only')] ? query.get('only') : 'all', page: Math.max(1, Number(query.get('page')) || 1) };
  const list = h('div', { class: 'card flush' });
  const told = h('p', { class: 'told' });
  const pager = h('nav', { class: 'pager', 'aria-label': commonText.pages });
  let asking = new AbortController(), waiting = 0;

  const write = () => {
    const next = new URLSearchParams();
    if (set.text) next.set('q', set.text);
    if (set.only !== 'all') next.set('only', set.only);
    if (set.page > 1) next.set('page', String(set.page));
    remember(next);
  };
  const turn = (by) => {
    set.page += by;
    load().then(() => scrollTo(0, 0));
  };
  const draw = (found, usage) => {
    const first = (set.page - 1) * PAGE, last = first + found.features.length;
    const none = set.text || set.page > 1 ? flagsText.noMatch : { all: flagsText.none, aged: flagsText.noneAged, stale: flagsText.noneStale, archived: flagsText.noneArchived }[set.only];
    fill(list, found.features.length ? table(found.features, environmentsOf(found.features), usage) : empty(none));
    told.textContent = found.total > found.features.length && found.features.length ? flagsText.range(first + 1, last, found.total) : flagsText.count(found.total);
    const button = (words, shape, by, usable) => h('button', { type: 'button', disabled: !usable, onclick: () => turn(by) }, icon(shape), words);
    fill(pager, found.total > PAGE && [button(commonText.previous, 'previous', -1, set.page > 1), button(commonText.next, 'next', 1, last < found.total)]);
  };
  async function load() {
    asking.abort();
    asking = new AbortController();
    const own = asking.signal;
    write();
    const asked = new URLSearchParams({ sortBy: 'name', favoritesFirst: 'true', limit: String(PAGE), offset: String((set.page - 1) * PAGE) });
    if (set.text.trim()) asked.set('query', set.text.trim());
    if (set.only === 'aged') asked.set('state', 'IS:potentially-stale');
    if (set.only === 'stale') asked.set('state', 'IS:stale');
    if (set.only === 'archived') asked.set('archived', 'IS:true');
    try {
      const found = await get(`search/features?${asked}`, { signal: own });
      const names = found.features.map((flag) => flag.name);
      draw(found, null);
      announce(told.textContent);
      if (names.length) use(names, found, own);
    } catch (error) {
      if (!isAbort(error)) fill(list, problem(error, load));
    }
  }
  /** Usage comes behind what the flags are: the list says less without it. */
  async function use(names, found, own) {
    const usage = await optional(post('client-metrics/minutes', { features: names }, { signal: own })).catch(() => null);
    if (usage && !own.aborted) draw(found, usageOf(usage));
  }
  const soon = () => {
    set.page = 1;
    clearTimeout(waiting);
    waiting = setTimeout(load, PAUSE);
  };
  signal.addEventListener('abort', () => asking.abort());
  const filter = h('input', { type: 'search', placeholder: flagsText.filterHint, 'aria-label': flagsText.filter, 'data-filter': true, value: set.text, oninput: (event) => { set.text = event.target.value; soon(); } });
  const which = choices(flagsText.which, Object.entries(flagsText.only), set.only, (only) => { set.only = only; soon(); });
  await load();
  return [h('div', { class: 'title' }, heading(flagsText.title), told, may('CREATE_FEATURE') && h('div', { class: 'actions' }, link('new/flag', { class: 'button primary' }, flagsText.new))), h('div', { class: 'filters' }, filter, which), list, pager];
}
