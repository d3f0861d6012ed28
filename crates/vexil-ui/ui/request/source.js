// A change request as the source of a preview.

import { part } from '../core/api.js';
import { code, h, strong } from '../core/element.js';
import { link } from '../core/router.js';
import { differenceSource } from '../preview/difference.js';
import { diffText, requestText } from '../text.js';

const changesIn = (request) => [...request.features.flatMap((feature) => feature.changes), ...request.segments];

/** The strategies that a change request tells of, by id: as they are and as they would be. */
function strategiesOf(request) {
  const was = new Map(), is = new Map();
  for (const { id, action, payload } of request.features.flatMap((feature) => feature.changes)) {
    if (action === 'addStrategy') is.set(payload.id ?? `cr${request.id}-${id}`, payload);
    if (action === 'updateStrategy') is.set(payload.id, payload);
    if (['updateStrategy', 'deleteStrategy'].includes(action) && payload.snapshot) was.set(payload.id, payload.snapshot);
  }
  return { was, is };
}

/** What stands against applying it. */
export function conflictsOf(request) {
  const found = [...request.features.map((feature) => feature.conflict), ...changesIn(request).map((change) => change.conflict)].filter(Boolean);
  return found.length > 0 && h('div', { class: 'note bad' }, h('p', null, strong(diffText.cannotApply)), h('ul', null, [...new Set(found)].map((text) => h('li', null, text))));
}

/** Others that change a flag for the same contexts. */
export function meetingsOf({ project, effectConflicts: { found, unread }, schedulesUnread = 0 }) {
  if (!found.length && !unread && !schedulesUnread) return null;
  const one = ({ changeRequest: { id, title }, flag, environment, words }) => h('li', null, link(`change-requests/${part(project)}/${id}`, null, title ?? `#${id}`), requestText.meets(code(flag), code(environment), words));
  return h('div', { class: 'note' }, found.length > 0 && [h('p', null, strong(requestText.meetings)), h('ul', null, found.map(one))], unread > 0 && h('p', null, requestText.unread(unread)), schedulesUnread > 0 && h('p', null, requestText.schedulesUnread(schedulesUnread)));
}

export function sourceOf(request, query) {
  const draw = query.get('seed') ? { seed: Number(query.get('seed')), ...(query.get('now') ? { now: query.get('now') } : {}) } : {};
  return differenceSource({
    project: request.project, environment: request.environment, path: `playground/change-request/${request.id}`, changes: () => changesIn(request),
    ...strategiesOf(request), draw,
  });
}
