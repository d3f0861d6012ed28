// Outcomes in cells: where they stand, and what becomes of them.

import { h, hidden, joined } from '../core/element.js';
import { icon } from '../core/icon.js';
import { state, stateOf } from '../core/words.js';
import { changeText, stateText } from '../text.js';

/** The kinds of change, as the server names them, with the mark of each. */
export const MARKS = { offToOn: 'up', onToOff: 'down', variantChanged: 'vary', becomesUnknown: 'unknown', noLongerUnknown: 'unknown', appears: 'plus', disappears: 'minus' };
export const KINDS = Object.keys(MARKS);

/** The word for where an outcome stands. */
export const wordOf = (outcome) => stateText[stateOf(outcome)];

/** What stands in a cell for all combinations of its column. */
export function cellOf(outcomes, source) {
  const [first] = outcomes;
  if (source.sides.length === 1) return state(first.after);
  if (first.kind !== 'unchanged') {
    const apart = !source.arrow;
    return h('span', { class: first.before?.variant || apart ? 'transition long' : 'transition' },
      h('span', { class: 'was' }, state(first.before), h('span', { class: 'to' }, icon(apart ? 'unlike' : 'arrow'), hidden(apart ? changeText.unlike : changeText.becomes))), state(first.after));
  }
  const words = new Set(outcomes.map(({ after }) => after && wordOf(after)));
  if (words.size > 1) return h('span', { class: 'state same' }, changeText.stays(joined([...words].filter(Boolean), ', ', changeText.or)));
  if (!first.after) return h('span', { class: 'state same' }, source.arrow ? changeText.staysAsIs : changeText.alike);
  return [state(first.after), hidden(changeText.onBoth)];
}
