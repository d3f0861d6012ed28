// Forms: fields with their labels, faults beside the field that they are about, and a button that cannot be pressed twice.

import { fill, freshId, h } from '../core/element.js';
import { Refused } from '../core/api.js';
import { problem } from '../core/notice.js';
import { formText } from '../text.js';

/** A control under its label. `hint` says what is wanted; `name` finds the faults that the server tells of it. */
export function field(label, control, { hint, name } = /** @type {any} */ ({})) {
  const target = control.matches('input, select, textarea') ? control : control.querySelector('input, select, textarea');
  const id = target.id || freshId();
  target.id = id;
  const told = freshId(), fault = freshId();
  target.setAttribute('aria-describedby', hint ? `${told} ${fault}` : fault);
  return h('div', { class: 'field-row', 'data-name': name ?? target.name }, h('label', { for: id }, label), control, hint && h('p', { class: 'hint', id: told }, hint), h('p', { class: 'fault', id: fault, hidden: true }));
}

export const text = (name, value = '', attributes = {}) => h('input', { name, value, autocomplete: 'off', ...attributes });
export const area = (name, value = '', attributes = {}) => h('textarea', { name, rows: 2, ...attributes }, value);
export const select = (name, options, chosen, attributes = {}) => h('select', { name, ...attributes }, options.map(([value, words]) => h('option', { value, selected: String(value) === String(chosen ?? '') }, words)));
/** A box to tick, with its words beside it. */
export const check = (name, words, checked, attributes = {}) => h('label', { class: 'check' }, h('input', { type: 'checkbox', name, checked, ...attributes }), h('span', null, words));

/** The name of the field that a path of the server's is about: `/body/name`, `name` or `constraints[0]`. */
const fieldOf = (path) => /[A-Za-z]+/.exec(String(path ?? '').replace(/^\/?body\b/, ''))?.[0];

/** Puts the faults that are about a field beside it; gives back those that are about none. */
function place(form, error) {
  const left = [];
  for (const detail of error.details) {
    const name = fieldOf(detail.path);
    const row = name && form.querySelector(`[data-name="${CSS.escape(name)}"]`);
    if (!row) {
      left.push(detail);
      continue;
    }
    const fault = row.querySelector('.fault');
    fault.hidden = false;
    fill(fault, detail.message);
    row.querySelector('input, select, textarea')?.setAttribute('aria-invalid', 'true');
  }
  return left;
}

function forget(form) {
  for (const fault of form.querySelectorAll('.fault')) fault.hidden = true;
  for (const control of form.querySelectorAll('[aria-invalid]')) control.removeAttribute('aria-invalid');
}

/**
 * A form that `save`s what it holds. What is refused stays in it, with the fault beside its field.
 * @param {{ save: (data: any, how: string) => Promise<any>, buttons: any, class?: string }} options @param {...any} children
 */
export function form({ save, buttons, class: kind = 'form' }, ...children) {
  const fault = h('div', null);
  const element = h('form', {
    class: kind, novalidate: false,
    onsubmit: async (event) => {
      event.preventDefault();
      const all = element.querySelectorAll('button[type="submit"]');
      for (const button of all) button.disabled = true;
      forget(element);
      fill(fault);
      try {
        await save(new FormData(element), event.submitter?.value ?? '');
      } catch (error) {
        const left = error instanceof Refused ? place(element, error) : [];
        const placed = error.details?.length > 0 && left.length === 0;
        if (error instanceof Refused) error.details = left;
        fill(fault, placed ? h('p', { class: 'note bad', role: 'alert' }, formText.faults) : problem(error));
        element.querySelector('[aria-invalid]')?.focus();
      } finally {
        for (const button of all) button.disabled = false;
      }
    },
  }, children, fault, h('div', { class: 'actions' }, buttons));
  return element;
}
