// Events: everything that anybody changed, newest first.

import { announce, fill, h } from '../core/element.js';
import { icon } from '../core/icon.js';
import { get, isAbort } from '../core/api.js';
import { heading, remember } from '../core/router.js';
import { empty, problem } from '../core/notice.js';
import { eventList } from '../events/list.js';
import { commonText, eventText } from '../text.js';

const PAGE = 50;
const PAUSE = 250;

export async function page({ query, signal }) {
  const set = { flag: query.get('flag') ?? '', type: query.get('type') ?? '', page: Math.max(1, Number(query.get('page')) || 1) };
  const list = h('div', { class: 'card' });
  const pager = h('nav', { class: 'pager', 'aria-label': commonText.pages });
  const told = h('p', { class: 'told' });
  let waiting = 0;

  async function load() {
    const asked = new URLSearchParams({ limit: String(PAGE), offset: String((set.page - 1) * PAGE) });
    const next = new URLSearchParams();
    if (set.flag) asked.set('feature', `IS:${set.flag}`);
    if (set.type) asked.set('type', `IS:${set.type}`);
    for (const key of ['flag', 'type']) if (set[key]) next.set(key, set[key]);
    if (set.page > 1) next.set('page', String(set.page));
    remember(next);
    try {
      const { events, total } = await get(`search/events?${asked}`, { signal });
      fill(list, events.length ? eventList(events) : empty(set.flag || set.type ? eventText.noMatch : eventText.none));
      told.textContent = eventText.count(total);
      announce(told.textContent);
      const button = (words, shape, by, usable) => h('button', { type: 'button', disabled: !usable, onclick: () => { set.page += by; load().then(() => scrollTo(0, 0)); } }, icon(shape), words);
      fill(pager, total > PAGE && [button(commonText.previous, 'previous', -1, set.page > 1), button(commonText.next, 'next', 1, set.page * PAGE < total)]);
    } catch (error) {
      if (!isAbort(error)) fill(list, problem(error, load));
    }
  }
  const soon = () => {
    set.page = 1;
    clearTimeout(waiting);
    waiting = setTimeout(load, PAUSE);
  };
  const flag = h('input', { type: 'search', placeholder: eventText.flagHint, 'aria-label': eventText.flagHint, 'data-filter': true, value: set.flag, oninput: (event) => { set.flag = event.target.value.trim(); soon(); } });
  const type = h('select', { 'aria-label': eventText.type, onchange: (event) => { set.type = event.target.value; soon(); } },
    h('option', { value: '' }, eventText.anyType), Object.entries(eventText.types).map(([value, words]) => h('option', { value, selected: value === set.type }, words)));
  await load();
  return [h('div', { class: 'title' }, heading(eventText.title), told), h('div', { class: 'filters' }, flag, type), list, pager];
}
