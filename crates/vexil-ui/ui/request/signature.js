// Approving what stands there: one press below the sentence, for the effect that was read and for no other.

import { announce, fill, h } from '../core/element.js';
import { part, put } from '../core/api.js';
import { problem } from '../core/notice.js';
import { requestText } from '../text.js';

/**
 * A button where whoever reads may approve. It wakes once the sentence stands there; a comment is given with the button above.
 * `read` gives what was read, so that nothing else is approved.
 * @param {any} request @param {{ proof: { still: Promise<void>, isThere: () => boolean, isComplete: () => boolean }, read: () => object, done: () => any }} page
 */
export function signature(request, { proof, read, done }) {
  if (request.state !== 'In review' || !request.mayApprove || !request.effect) return null;
  const fault = h('div', null), hint = h('span', { class: 'hint' }, requestText.approvesThis);
  const button = h('button', { type: 'button', class: 'primary', disabled: true, onclick: async () => {
    button.disabled = true;
    fill(fault);
    try {
      await put(`projects/${part(request.project)}/change-requests/${request.id}/state`, { state: 'Approved', ...read() });
      await done();
      announce(requestText.done(requestText.actions.Approved));
    } catch (error) {
      button.disabled = false;
      fill(fault, problem(error));
    }
  } }, requestText.approveThis);
  proof.still.then(() => {
    button.disabled = !proof.isThere();
    if (!proof.isThere() || proof.isComplete()) return;
    fill(button, requestText.approveOpen);
    fill(hint, requestText.approvesOpen);
  });
  return h('div', { class: 'signature' }, button, hint, fault);
}
