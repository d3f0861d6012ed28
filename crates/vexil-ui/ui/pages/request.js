// One change request: what it would do comes first, then what is asked, then every combination, and the conversation.

import { announce, code, fill, h } from '../core/element.js';
import { icon } from '../core/icon.js';
import { get, part } from '../core/api.js';
import { when } from '../core/number.js';
import { problem } from '../core/notice.js';
import { isBusy, newerNote, watch } from '../core/fresh.js';
import { heading, link, load, show } from '../core/router.js';
import { fieldsOf } from '../preview/context.js';
import { preview } from '../preview/preview.js';
import { proof } from '../preview/proof.js';
import { actionsOf } from '../request/actions.js';
import { changesOf } from '../request/changes.js';
import { conversation } from '../request/conversation.js';
import { shareTools } from '../request/share.js';
import { signature } from '../request/signature.js';
import { readOf, sourceOf } from '../request/source.js';
import { changesIn, isClosed, nameOf } from '../request/state.js';
import { commonText, requestText, requestsText } from '../text.js';

/** How far the request has come. */
function progress(request) {
  const item = (name, kind) => h('li', { class: kind, 'aria-current': ['now', 'now bad'].includes(kind) ? 'step' : null }, kind === 'done' && icon('check'), name);
  const label = { class: 'progress', 'aria-label': requestText.progress };
  if (['Rejected', 'Cancelled'].includes(request.state)) return h('ol', label, [item(requestText.steps[0], 'done'), item(requestText.steps[1], 'done'), item(requestsText.states[request.state], 'now bad')]);
  const reached = ['Draft', 'In review', 'Approved', 'Applied'].indexOf(request.state === 'Scheduled' ? 'Approved' : request.state);
  return h('ol', label, requestText.steps.map((name, index) => item(request.state === 'Scheduled' && index === 2 ? (request.schedule.reason ? requestText.suspended : requestText.scheduled(when(request.schedule.scheduledAt))) : name, index < reached ? 'done' : index === reached ? 'now' : '')));
}

/** How long the page waits for its first answers, in milliseconds: mostly they come sooner than a browser has drawn the page without them. */
const PATIENCE = 80;

/** What others can change of a request while somebody reads it. */
const talk = ({ state, approvals, rejections, comments, schedule, title, earlierTitles, setback }) => [state, approvals, rejections, comments, schedule, title, earlierTitles, setback];

/** Whether there is anything to be known of an open request before it is approved or applied. */
const hasAgainst = (request) => !isClosed(request) && Boolean(request.setback || request.effectChanged || request.schedule?.reason || request.schedulesUnread || request.effectConflicts.unread || request.effectConflicts.found.length
  || request.approvalsCounted < request.approvals.length || request.features.some((feature) => feature.conflict) || changesIn(request).some((change) => change.conflict));

export async function page({ params: { project, id }, query, signal }) {
  const path = `projects/${part(project)}/change-requests/${part(id)}`;
  const request = await get(path, { signal });
  const closed = isClosed(request);
  const source = sourceOf(request, query);
  const guarded = { never: query.getAll('never'), only: query.getAll('only'), atMost: query.getAll('atMost') };
  const proved = closed ? null : proof(source, { query, signal, changed: (next) => {
    Object.assign(guarded, next);
    shown.write();
  } });
  const shown = closed ? null : preview({ ...source, query: () => Object.entries(guarded).flatMap(([name, list]) => list.map((one) => [name, one])) }, { query, signal, fields: fieldsOf(query), still: proved.still });
  const read = () => readOf(request, proved);
  let signed = '';
  const head = h('div', null), back = h('div', null), sign = h('div', null), below = h('div', null), newer = newerNote();

  /** Draws what people did; what is typed in the meantime stays. */
  function draw(now) {
    const typed = below.querySelector('textarea')?.value;
    fill(head,
      h('nav', { class: 'crumbs', 'aria-label': commonText.youAreHere }, link('change-requests', null, requestsText.title), ' / ', h('span', null, `#${now.id}`)),
      h('div', { class: 'title' }, heading(now.title ?? requestsText.untitled(now.id)), h('div', { class: 'actions' }, actionsOf(now, { summary: () => proved?.summary(), read, done: show }))),
      h('div', { class: 'under' }, h('p', { class: 'facts' }, h('span', null, requestText.asks(nameOf(now.createdBy), when(now.createdAt))), h('span', null, requestText.place(code(now.environment), code(now.project))),
        h('span', null, requestText.approvals(now.approvalsCounted ?? now.approvals.length, now.approvalsNeeded ?? now.minApprovals)), shown && shareTools(now, shown.set)), progress(now)));
    if (hasAgainst(now)) load('against').then((against) => fill(back, against.conflictsOf(request), against.setbackOf(now), against.meetingsOf(request)), (error) => fill(back, problem(error)));
    // what it says of a press stays
    const may = `${now.state} ${now.mayApprove}`;
    if (may !== signed) fill(sign, proved && signature(now, { proof: proved, read, done: show }));
    signed = may;
    fill(below, conversation(now, show));
    if (typed) below.querySelector('textarea').value = typed;
  }
  draw(request);
  watch(path, request, talk, (now) => {
    if (isClosed(now) !== closed) return isBusy() ? newer.tell() : show({ quiet: true });
    if (document.querySelector('dialog[open]') || head.contains(document.activeElement) || below.contains(document.activeElement)) return newer.tell();
    announce(requestText.moved(requestsText.states[now.state]));
    return draw(now);
  }, signal);
  watch(path, request, ({ features, segments, effect }) => [features, segments, effect?.digest], newer.tell, signal);
  if (shown) await Promise.race([Promise.all([proved.still, shown.first]), new Promise((done) => { setTimeout(done, PATIENCE); })]);
  return [
    head, newer.element,
    h('section', { class: 'card does' }, h('h2', null, request.state === 'Applied' ? requestText.did : requestText.wouldDo), closed ? h('p', { class: 'faint' }, requestText.closed(request.state)) : [back, proved.element, sign, shown.shares]),
    h('section', { class: 'card asked' }, h('h2', null, requestText.asked), changesOf(request, new Map())), shown && h('section', { class: 'card does' }, h('h2', null, requestText.each), shown.element), below,
  ];
}
