// What stands in a page's place: it loads, there is nothing, it went wrong.

import { h, hidden } from './element.js';
import { Refused } from './api.js';
import { errorText, commonText } from '../text.js';

export const loading = (lines = 4) =>
  h('div', { class: 'loading', role: 'status' }, hidden(commonText.loading), Array.from({ length: lines }, () => h('span', { 'aria-hidden': 'true' })));

export const empty = (...children) => h('div', { class: 'empty' }, children);

/** How the server names a member of what was sent. */
const MEMBER = /^The \x60\/body\/([^\x60]+)\x60 property /;

/** What the same question is answered the same, however often it is asked. */
const SETTLED = [400, 403, 404];

/** What went wrong, in the server's words, and a way on: trying again, where that may help. */
export function problem(error, again) {
  const known = error instanceof Refused;
  if (known && SETTLED.includes(error.status)) again = null;
  if (!known) console.error(error);
  return h('div', { class: 'note bad', role: 'alert' },
    h('p', null, h('strong', null, known ? error.message : errorText.unexpected)),
    known && error.details.length > 0 && h('ul', null, error.details.map((detail) => h('li', null, detail.message.replace(MEMBER, '$1: ')))),
    again && h('p', null, h('button', { type: 'button', onclick: again }, commonText.again)));
}
