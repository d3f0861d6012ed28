// Dialogs: one question at a time, above everything else, closed by Escape.

import { fill, freshId, h } from './element.js';
import { problem } from './notice.js';
import { commonText, errorText } from '../text.js';

/** Opens a dialog; it is gone once it is closed, and focus goes back to where it was. */
export function dialog(title, ...children) {
  const id = freshId();
  const box = h('dialog', { 'aria-labelledby': id }, h('h2', { id }, title), ...children);
  box.addEventListener('close', () => box.remove());
  document.body.append(box);
  box.showModal();
  return box;
}

/** What a control does, so that whoever uses it is told where it cannot be done, as without a server. */
export const told = (act) => async (...given) => {
  try {
    await act(...given);
  } catch (error) {
    const box = dialog(errorText.notDone, problem(error), h('div', { class: 'actions' }, h('button', { type: 'button', onclick: () => box.close() }, commonText.back)));
  }
};

/**
 * Asks before something is done. `act` does it; what it throws is shown and the dialog stays.
 * @param {{ title: any, action: string, danger?: boolean, body?: any, act: () => Promise<any> }} question
 */
export function ask({ title, action, danger, body, act }) {
  const fault = h('div', null);
  const button = h('button', { type: 'submit', class: danger ? 'danger' : 'primary' }, action);
  const form = h('form', {
    onsubmit: async (event) => {
      event.preventDefault();
      button.disabled = true;
      fill(fault);
      try {
        await act();
        box.close();
      } catch (error) {
        button.disabled = false;
        fill(fault, problem(error));
      }
    },
  }, body, fault, h('div', { class: 'actions' }, h('button', { type: 'button', onclick: () => box.close() }, commonText.back), button));
  const box = dialog(title, form);
  return box;
}
