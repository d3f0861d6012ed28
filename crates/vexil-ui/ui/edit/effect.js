// What changes would do that nobody has made yet, proven; every combination when somebody wants it.

import { announce, fill, h } from '../core/element.js';
import { load } from '../core/router.js';
import { problem } from '../core/notice.js';
import { proof } from '../preview/proof.js';
import { editText } from '../text.js';

/** Changes in the form of a request: those of flags name theirs. */
export const listed = (at, changes) => changes.map((change) => (change.action.endsWith('Segment') ? change : { feature: at.flag, ...change }));

/** What is asked about changes. `changes` gives them as they are now. */
export const sourceOfEdit = (at, changes) => ({ path: 'playground/changes', body: () => ({ project: at.project, environment: at.environment, changes: listed(at, changes()) }) });

/** The effect of what a form says, told again with every change of it. `was` is a strategy that is edited, as it is. */
export function effect(at, changes, { was, query, signal }) {
  const shown = proof(sourceOfEdit(at, changes), { query, signal });
  const fault = h('div', null);
  const unfold = h('button', { type: 'button', onclick: open }, editText.combinations);
  const below = h('div', { class: 'unfold' }, unfold, fault);
  let whole = null;
  async function open() {
    unfold.disabled = true;
    try {
      const { editPreview } = await load('every');
      whole = editPreview(at, changes, was, { query, signal });
      fill(below, whole.element);
      announce(editText.unfolded);
    } catch (error) {
      unfold.disabled = false;
      fill(fault, problem(error));
    }
  }
  return {
    element: h('div', null, shown.element, below),
    run() {
      shown.run();
      whole?.run();
    },
  };
}
