// Change requests: what waits, and how large it is.

import { announce, code, fill, h } from '../core/element.js';
import { icon } from '../core/icon.js';
import { get, isAbort, part, post, session } from '../core/api.js';
import { count, when } from '../core/number.js';
import { heading, link, remember } from '../core/router.js';
import { isBusy, throttled } from '../core/fresh.js';
import { choices } from '../core/frame.js';
import { empty, problem } from '../core/notice.js';
import { KINDS, MARKS } from '../preview/outcome.js';
import { isClosed, nameOf, stateMark } from '../request/state.js';
import { changeText, commonText, requestsText } from '../text.js';

const PAGE = 50;
/** How many effects are asked for without being told to: each is a request. */
const AT_ONCE = 2;

/** What a change request would do, in a line. */
function effect(diff) {
  const total = diff.combinations * diff.features.length;
  const sums = KINDS.map((kind) => /** @type {[string, number]} */ ([kind, diff.features.reduce((sum, flag) => sum + flag.counts[kind], 0)])).filter(([, number]) => number > 0);
  if (!sums.length) return h('span', { class: 'faint' }, requestsText.nothing);
  const same = total - sums.reduce((sum, [, number]) => sum + number, 0);
  return [h('span', { class: 'stack', 'aria-hidden': 'true' }, [...sums, ['unchanged', same]].map(([kind, number]) => h('i', { class: kind, vars: { grow: Number(number) / total } }))),
    h('span', { class: 'effect' }, sums.map(([kind, number]) => h('span', { class: `count ${kind}` }, icon(MARKS[kind]), h('b', null, count(number)), ` ${changeText.kinds[kind][1]} `)), h('span', { class: 'faint' }, requestsText.ofResults(total)))];
}

/** A place for the effect: asked for at once, or when somebody wants it. */
function effectPlace(request, atOnce, signal) {
  const cell = h('span', { class: 'effect-place' });
  const ask = async () => {
    fill(cell, h('span', { class: 'faint' }, '…'));
    try {
      fill(cell, effect(await post(`playground/change-request/${request.id}/diff`, { suggest: true }, { signal })));
    } catch (error) {
      if (!isAbort(error)) fill(cell, h('span', { class: 'conflict' }, error.message));
    }
  };
  if (atOnce) ask();
  else fill(cell, h('button', { type: 'button', class: 'quiet', onclick: ask }, requestsText.show));
  return cell;
}

function row(request, place) {
  return h('tr', null,
    h('th', { scope: 'row' }, link(`change-requests/${part(request.project)}/${request.id}`, { class: 'name prose' }, request.title ?? requestsText.untitled(request.id)),
      h('span', { class: 'description' }, requestsText.by(request.id, nameOf(request.createdBy), when(request.createdAt)))),
    h('td', null, stateMark(request.state), request.schedule && h('span', { class: 'description' }, request.schedule.reason ? requestsText.suspended : requestsText.scheduledFor(when(request.schedule.scheduledAt)))),
    h('td', null, h('span', { class: 'description' }, request.environment),
      h('span', { class: 'names' }, request.features.slice(0, 6).map((name) => [code(name), ' ']), request.features.length > 6 && h('span', { class: 'more' }, `+${count(request.features.length - 6)} `), request.segments.map(requestsText.segment))),
    h('td', null, place ?? h('span', { class: 'faint' }, '–')));
}

export async function page({ query, signal }) {
  const set = { which: ['mine', 'closed'].includes(query.get('show')) ? query.get('show') : 'open', page: Math.max(1, Number(query.get('page')) || 1) };
  const list = h('div', { class: 'card flush' });
  const pager = h('nav', { class: 'pager', 'aria-label': commonText.pages });
  const none = { open: requestsText.noneOpen, mine: requestsText.noneMine, closed: requestsText.noneClosed };

  async function load() {
    const asked = new URLSearchParams({ limit: String(PAGE), offset: String((set.page - 1) * PAGE), state: set.which === 'closed' ? 'IS:closed' : 'IS:open' });
    if (set.which === 'mine') asked.set('createdBy', `IS:${session.id}`);
    const next = new URLSearchParams(set.which === 'open' ? {} : { show: set.which });
    if (set.page > 1) next.set('page', String(set.page));
    remember(next);
    try {
      const { changeRequests: found, total } = await get(`search/change-requests?${asked}`, { signal });
      let asking = 0;
      const rows = found.map((request) => row(request, isClosed(request) ? null : effectPlace(request, asking++ < AT_ONCE, signal)));
      fill(list, found.length ? h('table', { class: 'list requests' }, h('caption', { class: 'sr' }, requestsText.title),
        h('thead', null, h('tr', null, requestsText.columns.map((name) => h('th', { scope: 'col' }, name)))), h('tbody', null, rows)) : empty(none[set.which]));
      const button = (words, shape, by, usable) => h('button', { type: 'button', disabled: !usable, onclick: () => { set.page += by; load(); } }, icon(shape), words);
      fill(pager, total > PAGE && [button(commonText.previous, 'previous', -1, set.page > 1), button(commonText.next, 'next', 1, set.page * PAGE < total)]);
    } catch (error) {
      if (!isAbort(error)) fill(list, problem(error, load));
    }
  }
  const which = choices(requestsText.which, [['open', requestsText.open], ['mine', requestsText.mine], ['closed', requestsText.closed]], set.which, (chosen) => {
    set.which = chosen;
    set.page = 1;
    load().then(() => announce(requestsText[chosen]));
  });
  addEventListener('live-change', throttled(() => isBusy() || load(), signal), { signal });
  await load();
  return [h('div', { class: 'title' }, heading(requestsText.title)), h('div', { class: 'filters' }, which), list, pager];
}
