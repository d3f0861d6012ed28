// The question before a change request is moved: what it would do, and what the move means. Loaded when somebody wants to move it.

import { announce, freshId, h } from '../core/element.js';
import { part, put } from '../core/api.js';
import { ask } from '../core/dialog.js';
import { requestText } from '../text.js';

const AWAY = ['Rejected', 'Cancelled'];
/** Moves of what was read, and of nothing else. */
const OF_READ = ['Approved', 'Scheduled', 'Applied'];

/** What the move means, said before it is made. */
function meaning(target, request) {
  if (target === 'Approved') return requestText.approvalMeans;
  if (target === 'Applied') return requestText.applyMeans(h('code', null, request.environment));
  return target === 'Cancelled' ? requestText.cancelMeans : null;
}

/** Asks whether `request` shall move to `target`; `summary` gives what the preview says, `read` what was read, `done` is called once it is moved. */
export function moveTo(target, request, { summary, read, done }) {
  const path = `projects/${part(request.project)}/change-requests/${request.id}/state`;
  const words = requestText.actions[target];
  const comment = h('textarea', { id: freshId(), rows: 3, maxlength: 1000 });
  const at = h('input', { id: freshId(), type: 'datetime-local', required: true });
  const told = meaning(target, request);
  ask({
    title: requestText.question(words), action: words, danger: AWAY.includes(target),
    body: [told && h('p', null, told), AWAY.includes(target) ? null : summary(),
      target === 'Scheduled' && [h('label', { for: at.id }, requestText.when), at], h('label', { for: comment.id }, requestText.optionalComment), comment],
    act: async () => {
      const said = comment.value.trim();
      await put(path, { state: target, ...(OF_READ.includes(target) ? read() : {}), ...(said ? { comment: said } : {}), ...(target === 'Scheduled' ? { scheduledAt: new Date(at.value).toISOString() } : {}) });
      await done();
      announce(requestText.done(words));
    },
  });
}
