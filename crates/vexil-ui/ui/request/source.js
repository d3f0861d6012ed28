// A change request as the source of a preview.

import { differenceSource } from '../preview/difference.js';
import { changesIn } from './state.js';

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

/** What whoever signs has read: the changes that the page shows, and the effect that the proof tells of. */
export const readOf = (request, proof) => ({ changes: changesIn(request).map((change) => change.id), effect: proof?.approves() ?? request.effect?.digest });

export function sourceOf(request, query) {
  const draw = query.get('seed') ? { seed: Number(query.get('seed')), ...(query.get('now') ? { now: query.get('now') } : {}) } : {};
  return differenceSource({
    project: request.project, environment: request.environment, path: `playground/change-request/${request.id}`, changes: () => changesIn(request),
    ...strategiesOf(request), draw,
  });
}
