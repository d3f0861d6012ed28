// A dialog that is a form: a few fields, a button that does it, and the faults beside the fields.

import { h } from '../core/element.js';
import { dialog, told } from '../core/dialog.js';
import { copy } from './copy.js';
import { form } from './form.js';
import { commonText } from '../text.js';

/**
 * `save` gets what was typed; the dialog closes when it succeeds.
 * @param {any} title @param {string} action @param {(data: any) => Promise<any>} save @param {...any} fields
 */
export function askForm(title, action, save, ...fields) {
  const box = dialog(title, form({
    save: async (data) => {
      await save(data);
      box.close();
    },
    buttons: [h('button', { type: 'button', onclick: () => box.close() }, commonText.back), h('button', { type: 'submit', class: 'primary' }, action)],
  }, fields));
  return box;
}

/** Shows something that is told once: it can be copied, and is gone once the dialog is closed. */
export function tellOnce(title, text, hint) {
  const button = h('button', { type: 'button', onclick: told(async () => {
    await copy(text);
    button.textContent = commonText.copied;
  }) }, commonText.copy);
  const box = dialog(title, h('p', { class: 'secret' }, h('code', { tabindex: '0' }, text)), h('p', { class: 'hint' }, hint),
    h('div', { class: 'actions' }, button, h('button', { type: 'button', class: 'primary', onclick: () => box.close() }, commonText.done)));
  return new Promise((resolve) => { box.addEventListener('close', resolve); });
}
