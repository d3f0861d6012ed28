// The form for guards, what must never, or only, be touched: loaded when somebody wants it.

import { h } from '../core/element.js';
import { field, text } from '../form/form.js';
import { guardFormText } from '../text.js';

/** Fields for the guards `names`, with what is `given`; `set` is called with lists of what stands in each. */
export function guardFields(names, given, set) {
  const submit = (event) => {
    event.preventDefault();
    const data = new FormData(event.target);
    set(Object.fromEntries(names.map((name) => [name, String(data.get(name) ?? '').split('\n').map((one) => one.trim()).filter(Boolean)])));
  };
  const stands = (name) => [given[name] ?? []].flat().join('\n');
  return h('form', { class: 'form', onsubmit: submit }, h('p', { class: 'hint' }, guardFormText.lead),
    h('div', { class: 'three' }, field(guardFormText.never, text('never', stands('never'), { placeholder: guardFormText.example })), field(guardFormText.only, text('only', stands('only'), { placeholder: guardFormText.otherExample })), field(guardFormText.atMost, text('atMost', stands('atMost'), { placeholder: guardFormText.share }))),
    h('div', { class: 'actions' }, h('button', { type: 'submit' }, guardFormText.check)));
}
