// What is to be known of a change request before it is approved or applied: that it cannot be applied, that approvals went and why, that
// others change the same. Loaded where there is any of it.

import { code, h, strong } from '../core/element.js';
import { part } from '../core/api.js';
import { when } from '../core/number.js';
import { link } from '../core/router.js';
import { changesIn, nameOf } from '../request/state.js';
import { againstText } from '../text.js';

/** What stands against applying it. */
export function conflictsOf(request) {
  const found = [...request.features.map((feature) => feature.conflict), ...changesIn(request).map((change) => change.conflict)].filter(Boolean);
  return found.length > 0 && h('div', { class: 'note bad' }, h('p', null, strong(againstText.cannotApply)), h('ul', null, [...new Set(found)].map((text) => h('li', null, text))));
}

/** Others that change a flag for the same contexts. */
export function meetingsOf({ project, effectConflicts: { found, unread }, schedulesUnread = 0 }) {
  if (!found.length && !unread && !schedulesUnread) return null;
  const one = ({ changeRequest: { id, title }, flag, environment, words }) => h('li', null, link(`change-requests/${part(project)}/${id}`, null, title ?? `#${id}`), againstText.meets(code(flag), code(environment), words));
  return h('div', { class: 'note' }, found.length > 0 && [h('p', null, strong(againstText.meetings)), h('ul', null, found.map(one))], unread > 0 && h('p', null, againstText.unread(unread)), schedulesUnread > 0 && h('p', null, againstText.schedulesUnread(schedulesUnread)));
}

/** That approvals went, or do not count any more: when, why, what was approved then and what it would do now. */
export function setbackOf({ state, schedule, setback, approvals, approvalsCounted = approvals.length, effect, approvedEffect, effectChanged }) {
  const uncounted = approvals.length - approvalsCounted;
  const went = state === 'In review' && setback;
  const moved = effectChanged && approvedEffect && effect;
  if (!schedule?.reason && !went && !uncounted && !moved) return null;
  return h('div', { class: 'note bad setback' },
    schedule?.reason && h('p', null, strong(againstText.suspended), schedule.reason, '.'),
    went && [h('p', null, strong(setback.approvals.length ? againstText.withdrawn : againstText.back), againstText.because(when(setback.createdAt), setback.reason)),
      h('ul', null, setback.approvals.map((one) => h('li', null, againstText.by(nameOf(one.createdBy), when(one.createdAt)))))],
    uncounted > 0 && h('p', null, strong(againstText.uncounted(uncounted))),
    moved && h('dl', null, h('dt', null, againstText.then), h('dd', null, approvedEffect.words), h('dt', null, againstText.now), h('dd', null, effect.words)));
}
