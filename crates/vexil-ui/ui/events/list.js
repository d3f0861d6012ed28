// Events as a list: who did what, where and when, and what exactly changed, unfolded on demand.

import { code, h } from '../core/element.js';
import { part } from '../core/api.js';
import { at } from '../core/number.js';
import { strategyDiff, strategyWords } from '../core/words.js';
import { link } from '../core/router.js';
import { eventText } from '../text.js';

/** What happened, in words; of a kind that has none, its name. */
const what = (event) => eventText.types[event.type] ?? event.type.replaceAll('-', ' ');

const json = (value) => JSON.stringify(value, null, 2);

/** What changed: a strategy as a sentence, anything else as documents. */
function change({ type, data, preData }) {
  if (type.startsWith('feature-strategy') && (data?.name || preData?.name)) {
    if (data?.name && preData?.name) return h('p', null, strategyDiff(preData, data));
    return h('p', null, data?.name ? strategyWords(data) : h('del', null, strategyWords(preData)));
  }
  const has = (value) => value !== null && value !== undefined && json(value) !== '{}';
  if (!has(data) && !has(preData)) return null;
  const block = (title, value) => has(value) && h('div', null, h('h4', null, title), h('pre', { tabindex: '0', 'aria-label': title }, json(value)));
  return h('details', null, h('summary', null, eventText.details), h('div', { class: 'documents' }, block(eventText.before, preData), block(eventText.after, data)));
}

function place(event) {
  return [
    event.featureName && h('span', null, event.project ? link(`flags/${part(event.project)}/${part(event.featureName)}`, null, code(event.featureName)) : code(event.featureName)),
    event.environment && h('span', null, eventText.in(code(event.environment))),
    event.project && h('span', null, eventText.of(code(event.project))),
    event.groupType === 'change-request' && event.project && link(`change-requests/${part(event.project)}/${event.groupId}`, null, eventText.request(event.groupId)),
  ];
}

/** Events, newest first. */
export const eventList = (events) => h('ol', { class: 'events' }, events.map((event) => h('li', null,
  h('p', { class: 'what' }, h('b', null, event.createdBy), ' ', what(event)), h('p', { class: 'when' }, at(event.createdAt)), h('p', { class: 'facts' }, place(event)), change(event))));
