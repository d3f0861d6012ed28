// The state of a change request: a mark and a word.

import { h } from '../core/element.js';
import { icon } from '../core/icon.js';
import { requestsText } from '../text.js';

const STATE_MARKS = { Draft: ['draft', 'edit'], 'In review': ['review', 'clock'], Approved: ['approved', 'check'], Scheduled: ['scheduled', 'clock'], Applied: ['applied', 'check'], Rejected: ['rejected', 'cross'], Cancelled: ['cancelled', 'minus'] };
const CLOSED = ['Applied', 'Rejected', 'Cancelled'];

export const isClosed = ({ state }) => CLOSED.includes(state);

export function stateMark(state) {
  const [kind, shape] = STATE_MARKS[state] ?? ['', 'minus'];
  return h('span', { class: `mark ${kind}` }, icon(shape), requestsText.states[state] ?? state);
}

/** Every change that a request asks for. */
export const changesIn = (request) => [...request.features.flatMap((feature) => feature.changes), ...request.segments];

/** The name of a person as people say it. */
export const nameOf = (person) => person.name || person.username || `#${person.id}`;
