// The keys and what they do, and whether those without Ctrl or Alt are on: loaded when somebody asks.

import { h } from '../core/element.js';
import { dialog } from '../core/dialog.js';
import { setSingleKeys, singleKeys } from '../core/frame.js';
import { commonText, keysText } from '../text.js';

export function showKeys() {
  const row = ([keys, what]) => h('tr', null, h('th', { scope: 'row' }, keys.split(' ').map((key) => h('kbd', null, key))), h('td', null, what));
  const box = dialog(keysText.title,
    h('table', { class: 'keys' }, h('tbody', null, keysText.list.map(row))),
    h('label', { class: 'check' }, h('input', { type: 'checkbox', checked: singleKeys(), onchange: (event) => setSingleKeys(event.target.checked) }), keysText.singleKeys),
    h('div', { class: 'actions' }, h('button', { type: 'button', class: 'primary', onclick: () => box.close() }, commonText.close)));
}
