// What can be done with a change request in its state, each after a question that repeats what it would do.

import { h } from '../core/element.js';
import { told } from '../core/dialog.js';
import { load } from '../core/router.js';
import { requestText } from '../text.js';

/** The states that a request can move to, the one to be expected last. */
const MOVES = { Draft: ['Cancelled', 'In review'], 'In review': ['Cancelled', 'Rejected', 'Approved'], Approved: ['Cancelled', 'Rejected', 'Scheduled', 'Applied'], Scheduled: ['Cancelled', 'Rejected', 'Applied'] };

/** Buttons for the moves. `summary` gives what the preview says; `read` what was read of it, `done` is called once a move is made. */
export function actionsOf(request, { summary, read, done }) {
  const move = told(async (target) => (await load('move')).moveTo(target, request, { summary, read, done }));
  const moves = MOVES[request.state] ?? [];
  const against = { Approved: request.mayNotApproveBecause, Applied: request.mayNotApplyBecause };
  const because = moves.map((target) => against[target]).filter(Boolean);
  return [...moves.map((target, index) => h('button', { type: 'button', class: index === moves.length - 1 ? 'primary' : target === 'Cancelled' ? 'quiet' : null, disabled: Boolean(against[target]), onclick: () => move(target) }, requestText.actions[target])),
    ...because.map((words) => h('span', { class: 'hint' }, words))];
}
