// What people said and decided, in one order, and a field to say something.

import { fill, freshId, h } from '../core/element.js';
import { icon } from '../core/icon.js';
import { part, post } from '../core/api.js';
import { when } from '../core/number.js';
import { problem } from '../core/notice.js';
import { nameOf } from './state.js';
import { requestText } from '../text.js';

export function conversation(request, done) {
  const said = [
    ...request.approvals.map((one) => [one, [icon('check'), requestText.approved]]), ...request.rejections.map((one) => [one, [icon('cross'), requestText.rejected]]),
    ...(request.earlierTitles ?? []).map((one) => [one, requestText.retitled(one.title)]), ...request.comments.map((one) => [one, null]),
  ].sort(([a], [b]) => a.createdAt.localeCompare(b.createdAt));
  const line = ([one, did]) => h('li', { class: did ? 'event' : 'comment' }, h('p', { class: 'by' }, h('b', null, nameOf(one.createdBy)), did, ' ', when(one.createdAt)), one.text && h('p', { class: 'text' }, one.text));
  const text = h('textarea', { id: freshId(), rows: 2, required: true, maxlength: 1000 });
  const fault = h('div', null);
  const send = async (event) => {
    event.preventDefault();
    try {
      await post(`projects/${part(request.project)}/change-requests/${request.id}/comments`, { text: text.value });
      await done();
    } catch (error) {
      fill(fault, problem(error));
    }
  };
  return h('section', { class: 'conversation' }, h('h2', null, requestText.conversation), h('ul', null, said.map(line)),
    h('form', { onsubmit: send }, h('label', { for: text.id }, requestText.comment), text, fault, h('div', { class: 'actions' }, h('button', { type: 'submit' }, requestText.comment))));
}
