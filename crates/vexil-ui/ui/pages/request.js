// One change request: what it would do comes first, then what is asked, then every combination, and the conversation.

import { code, h } from '../core/element.js';
import { icon } from '../core/icon.js';
import { get, part } from '../core/api.js';
import { when } from '../core/number.js';
import { heading, link, show } from '../core/router.js';
import { fieldsOf } from '../preview/context.js';
import { preview } from '../preview/preview.js';
import { actionsOf } from '../request/actions.js';
import { changesOf } from '../request/changes.js';
import { conversation } from '../request/conversation.js';
import { shareTools } from '../request/share.js';
import { sourceOf } from '../request/source.js';
import { isClosed, nameOf } from '../request/state.js';
import { commonText, requestText, requestsText } from '../text.js';

/** How far the request has come. */
function progress(request) {
  const item = (name, kind) => h('li', { class: kind, 'aria-current': ['now', 'now bad'].includes(kind) ? 'step' : null }, kind === 'done' && icon('check'), name);
  const label = { class: 'progress', 'aria-label': requestText.progress };
  if (['Rejected', 'Cancelled'].includes(request.state)) return h('ol', label, [item(requestText.steps[0], 'done'), item(requestText.steps[1], 'done'), item(requestsText.states[request.state], 'now bad')]);
  const reached = ['Draft', 'In review', 'Approved', 'Applied'].indexOf(request.state === 'Scheduled' ? 'Approved' : request.state);
  return h('ol', label, requestText.steps.map((name, index) => item(request.state === 'Scheduled' && index === 2 ? requestText.scheduled(when(request.schedule.scheduledAt)) : name, index < reached ? 'done' : index === reached ? 'now' : '')));
}

export async function page({ params: { project, id }, query, signal }) {
  const request = await get(`projects/${part(project)}/change-requests/${part(id)}`, { signal });
  const closed = isClosed(request);
  const shown = closed ? null : preview(sourceOf(request, query), { query, signal, fields: fieldsOf(query) });
  const names = new Map();
  const facts = h('p', { class: 'facts' }, h('span', null, requestText.asks(nameOf(request.createdBy), when(request.createdAt))), h('span', null, requestText.place(code(request.environment), code(request.project))),
    h('span', null, requestText.approvals(request.approvals.length, request.minApprovals)), shown && shareTools(request, shown.set));
  return [
    h('nav', { class: 'crumbs', 'aria-label': commonText.youAreHere }, link('change-requests', null, requestsText.title), ' / ', h('span', null, `#${request.id}`)),
    h('div', { class: 'title' }, heading(request.title ?? requestsText.untitled(request.id)), h('div', { class: 'actions' }, actionsOf(request, { summary: () => shown?.summary(), done: show }))),
    h('div', { class: 'under' }, facts, progress(request)),
    h('section', { class: 'card asked' }, h('h2', null, requestText.asked), changesOf(request, names)),
    h('section', { class: 'card does' }, h('h2', null, request.state === 'Applied' ? requestText.did : requestText.wouldDo), shown?.element ?? h('p', { class: 'faint' }, requestText.closed(request.state))),
    conversation(request, show),
  ];
}
