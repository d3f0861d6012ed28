// The values that are tried: a row a field, a chip a value. Suggested ones are marked until somebody changes any.

import { fill, h, joined } from '../core/element.js';
import { count } from '../core/number.js';
import { chips } from '../form/chips.js';
import { TOP } from './context.js';
import { inputText } from '../text.js';

export function inputs(set, source, { change, extra = undefined }) {
  const element = h('div', { class: 'inputs' });
  const product = h('output', { class: 'product' });
  const rowOf = (name) => [...element.querySelectorAll('.dimension')].find((row) => row.dataset.field === name);
  const focusOn = (name) => (name ? rowOf(name)?.querySelector('.add') : element.querySelector('.add.new'))?.focus();

  /** From now on the values are the person's own. */
  function own() {
    set.suggest = false;
    for (const field of set.fields) field.suggested = [];
  }
  function update(field, values) {
    const drawn = set.suggest || !values.length;
    own();
    field.values = values;
    set.fields = set.fields.filter((one) => one.values.length);
    if (drawn) {
      draw();
      focusOn(values.length ? field.name : null);
    }
    drawProduct();
    change();
  }

  function row(field) {
    const row = chips({ name: field.name, values: field.values, suggested: field.suggested, unset: true, change: (values) => update(field, values) });
    return h('div', { class: 'dimension', role: 'group', 'aria-label': field.name, 'data-field': field.name }, h('span', { class: 'field' }, field.name), row.element);
  }

  function newField() {
    const known = [...new Set([...(set.result?.reads ?? []), ...TOP])].filter((name) => !set.fields.some((one) => one.name === name));
    const add = (event) => {
      const name = event.target.value.trim();
      if (!name || set.fields.some((one) => one.name === name)) return;
      own();
      set.fields = [...set.fields, { name, values: [''], suggested: [] }];
      draw();
      change();
      focusOn(name);
    };
    return h('span', { class: 'more-fields' }, h('input', {
      class: 'add new', list: 'fields', 'aria-label': inputText.newField, placeholder: inputText.addField, autocomplete: 'off', spellcheck: 'false', onkeydown: (event) => event.key === 'Enter' && add(event), onchange: add,
    }), h('datalist', { id: 'fields' }, known.map((name) => h('option', { value: name }))));
  }

  function suggestion() {
    if (!source.suggests) return null;
    if (set.suggest) return h('span', { class: 'hint' }, inputText.suggested);
    return h('button', { type: 'button', class: 'quiet', onclick: () => {
      set.suggest = true;
      set.fields = source.start();
      change();
    } }, inputText.suggest);
  }

  function drawProduct() {
    const total = set.fields.reduce((all, field) => all * field.values.length, 1);
    fill(product, set.fields.length > 1 && [joined(set.fields.map((field) => count(field.values.length)), ' × '), ' = '], h('b', null, count(total)), inputText.combinations(total), set.result?.product);
  }

  /** Draws everything anew; who was typing goes on. */
  function draw() {
    const at = /** @type {any} */ (document.activeElement);
    const held = element.contains(at) && at.matches('.add') ? { name: at.closest('.dimension')?.dataset.field, text: at.value } : null;
    drawProduct();
    fill(element, h('div', { class: 'inputs-head' }, h('h3', null, inputText.title), extra?.(change), suggestion(), newField(), product), set.fields.map(row));
    if (!held) return;
    const input = /** @type {any} */ (held.name ? rowOf(held.name)?.querySelector('.add') : element.querySelector('.add.new'));
    if (!input) return;
    input.focus();
    input.value = held.text;
  }

  return { element, draw };
}
