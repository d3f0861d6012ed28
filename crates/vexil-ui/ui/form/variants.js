// Variants: a row each, with its name, its share and a payload; what is not fixed is shared out evenly.

import { fill, h } from '../core/element.js';
import { icon } from '../core/icon.js';
import { WHOLE, distributed, faultOf } from './weights.js';
import { variantText } from '../text.js';

const PAYLOADS = ['', 'string', 'json', 'csv', 'number'];

/** `stickiness` gives the field that variants stick to. */
export function variants({ given, stickiness, change }) {
  let list = given.map((one) => ({ ...one }));
  const element = h('div', { class: 'variants', 'data-name': 'variants' });
  const fault = h('p', { class: 'fault', role: 'status' });
  const rows = h('div', null);

  function redistribute() {
    list = distributed(list);
    rows.querySelectorAll('.variant-row').forEach((row, index) => {
      const one = list[index];
      if (one.weightType !== 'fix') row.querySelector('.weight').value = String(one.weight / 10);
      row.querySelector('.bar').style.setProperty('--part', `${(one.weight * 100) / WHOLE}%`);
    });
    const found = faultOf(list);
    fault.textContent = found ? variantText.faults[found] : '';
    fault.hidden = !found;
    change();
  }

  function payload(one, index) {
    const type = one.payload?.type ?? '';
    const set = (next) => {
      list[index].payload = next;
      change();
    };
    const kind = h('select', { 'aria-label': variantText.payloadOf(index + 1), onchange: (event) => {
      set(event.target.value ? { type: event.target.value, value: list[index].payload?.value ?? '' } : undefined);
      draw();
      rows.querySelectorAll('.variant-row')[index].querySelector('.payload select').focus();
    } }, PAYLOADS.map((name) => h('option', { value: name, selected: name === type }, variantText.payloads[name])));
    return h('span', { class: 'payload' }, kind, type && h('textarea', { rows: 1, 'aria-label': variantText.payloadValueOf(index + 1), oninput: (event) => set({ type, value: event.target.value }) }, one.payload.value));
  }

  function row(one, index) {
    const fixed = one.weightType === 'fix';
    const rename = (event) => {
      list[index].name = event.target.value;
      change();
    };
    const weigh = (event) => {
      list[index] = { ...list[index], weightType: 'fix', weight: Math.round(Number(event.target.value) * 10) || 0 };
      rows.querySelectorAll('.variant-row')[index].querySelector('[type="checkbox"]').checked = true;
      redistribute();
    };
    const fix = (event) => {
      list[index].weightType = event.target.checked ? 'fix' : 'variable';
      redistribute();
    };
    const drop = () => {
      list.splice(index, 1);
      draw();
      redistribute();
      element.querySelector('.add-variant').focus();
    };
    return h('div', { class: 'variant-row', role: 'group', 'aria-label': variantText.numbered(index + 1) },
      h('input', { value: one.name, required: true, 'aria-label': variantText.nameOf(index + 1), placeholder: variantText.name, autocomplete: 'off', spellcheck: 'false', oninput: rename }),
      h('span', { class: 'share-of' }, h('input', { class: 'weight', type: 'number', min: 0, max: 100, step: 0.1, value: one.weight / 10, 'aria-label': variantText.shareOf(index + 1), oninput: weigh }), ' %',
        h('span', { class: 'bar', 'aria-hidden': 'true', vars: { part: `${(one.weight * 100) / WHOLE}%` } }, h('i', null))),
      h('label', { class: 'check' }, h('input', { type: 'checkbox', checked: fixed, onchange: fix }), variantText.fixed), payload(one, index),
      h('button', { type: 'button', class: 'quiet', 'aria-label': variantText.remove(index + 1), onclick: drop }, icon('cross')));
  }

  function draw() {
    fill(rows, list.map(row));
  }
  const add = () => {
    list.push({ name: '', weight: 0, weightType: 'variable' });
    list = distributed(list);
    draw();
    redistribute();
    [...rows.querySelectorAll('.variant-row')].at(-1).querySelector('input').focus();
  };
  fault.hidden = true;
  draw();
  fill(element, rows, fault, h('button', { type: 'button', class: 'quiet add-variant', onclick: add }, icon('plus'), variantText.add));
  return { element, variants: () => list.filter((one) => one.name.trim()).map((one) => ({ ...one, name: one.name.trim(), stickiness: stickiness() })) };
}
