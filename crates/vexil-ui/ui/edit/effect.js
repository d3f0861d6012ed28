// What changes would do that nobody has made yet, in a sentence and in shares; every combination when somebody wants it.

import { announce, fill, h } from '../core/element.js';
import { isAbort, post } from '../core/api.js';
import { loading, problem } from '../core/notice.js';
import { load } from '../core/router.js';
import { answerOf } from '../preview/answer.js';
import { contextOf } from '../preview/context.js';
import { editText } from '../text.js';

/** Changes in the form of a request: those of flags name theirs. */
export const listed = (at, changes) => changes.map((change) => (change.action.endsWith('Segment') ? change : { feature: at.flag, ...change }));

/** The strategies that changes would leave, by id. */
export const strategiesAfter = (changes) => new Map(changes.filter(({ action }) => action === 'updateStrategy').map(({ payload }) => [payload.id, payload]));

/** Asks what changes would do, and says it. */
export async function effectOf(at, changes, signal) {
  const diff = await post('playground/changes/diff', { project: at.project, environment: at.environment, changes: listed(at, changes), context: contextOf([]), suggest: true }, { signal });
  return answerOf(diff, strategiesAfter(changes), null);
}

/** The effect of what a form says, told again with every change of it. `was` is a strategy that is edited, as it is. */
export function effect(at, changes, { was, query, signal }) {
  const answer = h('div', { class: 'answer', 'aria-live': 'polite' }, loading(2));
  const unfold = h('button', { type: 'button', onclick: open }, editText.combinations);
  const element = h('div', null, answer, h('p', { class: 'unfold' }, unfold));
  let asking = new AbortController(), whole = null;
  signal.addEventListener('abort', () => asking.abort());

  async function run() {
    if (whole) return whole.run();
    asking.abort();
    asking = new AbortController();
    const own = asking.signal;
    try {
      fill(answer, await effectOf(at, changes(), own));
    } catch (error) {
      if (!isAbort(error) && !own.aborted) fill(answer, problem(error));
    }
  }
  async function open() {
    unfold.disabled = true;
    try {
      const { editPreview } = await load('every');
      whole = editPreview(at, changes, was, { query, signal });
      fill(element, whole.element);
      announce(editText.unfolded);
    } catch (error) {
      unfold.disabled = false;
      fill(answer, problem(error));
    }
  }
  run();
  return { element, run };
}
