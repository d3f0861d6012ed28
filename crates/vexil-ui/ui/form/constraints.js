// Conditions on context fields, all of which must hold: a row each, with the field, the operator, and its value or values.

import { fill, freshId, h } from '../core/element.js';
import { icon } from '../core/icon.js';
import { chips } from './chips.js';
import { constraintText, operatorText } from '../text.js';

/** Operators that compare with a list; the others compare with one value. */
const LISTS = ['IN', 'NOT_IN', 'STR_CONTAINS', 'STR_STARTS_WITH', 'STR_ENDS_WITH', 'IN_CIDR'];
const GROUPS = /** @type {[string, string[]][]} */ ([['text', ['IN', 'NOT_IN', 'STR_CONTAINS', 'STR_STARTS_WITH', 'STR_ENDS_WITH', 'REGEX']], ['number', ['NUM_EQ', 'NUM_GT', 'NUM_GTE', 'NUM_LT', 'NUM_LTE']],
  ['date', ['DATE_AFTER', 'DATE_BEFORE']], ['version', ['SEMVER_EQ', 'SEMVER_GT', 'SEMVER_GTE', 'SEMVER_LT', 'SEMVER_LTE']], ['network', ['IN_CIDR']]]);

const isText = (operator) => operator.startsWith('STR') || operator === 'REGEX';

/** A constraint with the members that its operator reads, and no others. */
function tidy({ contextName, operator, values, value, inverted, caseInsensitive }) {
  return {
    contextName: contextName.trim(), operator, ...(LISTS.includes(operator) ? { values: values ?? [] } : { value: value ?? '' }),
    ...(inverted ? { inverted } : {}), ...(caseInsensitive && isText(operator) ? { caseInsensitive } : {}),
  };
}

/** `fields` are the context fields that are known, with their legal values; `change` is called with every change. */
export function constraints({ given, fields, change }) {
  const list = given.map((one) => ({ ...one }));
  const element = h('div', { class: 'constraints', 'data-name': 'constraints' });
  const known = freshId();
  const fault = h('p', { class: 'fault', hidden: true });

  const nameOf = (one) => one.contextName.trim() || constraintText.value;

  /** The values of a list; the field's legal ones are offered. */
  function listControl(one) {
    const made = chips({ name: nameOf(one), values: one.values ?? [], change: (values) => { one.values = values; change(); } });
    const offered = h('datalist', { id: freshId() });
    const follow = () => {
      const legal = fields.find((field) => field.name === one.contextName)?.legalValues ?? [];
      made.rename(nameOf(one));
      fill(offered, legal.map(({ value }) => h('option', { value })));
      made.input.setAttribute('list', offered.id);
    };
    follow();
    return { element: h('div', { class: 'list-value' }, made.element, offered), follow };
  }

  function oneControl(one) {
    const date = one.operator.startsWith('DATE');
    const kind = date ? { type: 'datetime-local', value: one.value ? new Date(one.value).toISOString().slice(0, 16) : '' } : { value: one.value ?? '', inputmode: one.operator.startsWith('NUM') ? 'decimal' : null };
    const input = h('input', { autocomplete: 'off', spellcheck: 'false', required: true, ...kind, oninput: () => {
      one.value = date && input.value ? `${input.value}:00.000Z` : input.value;
      change();
    } });
    const follow = () => input.setAttribute('aria-label', constraintText.valueOf(nameOf(one)));
    follow();
    return { element: h('span', { class: 'one-value' }, input, date && h('span', { class: 'hint' }, constraintText.utc)), follow };
  }

  function row(one, index) {
    const control = LISTS.includes(one.operator) ? listControl(one) : oneControl(one);
    const box = (key, words) => h('label', { class: 'check' }, h('input', { type: 'checkbox', checked: one[key], onchange: (event) => { one[key] = event.target.checked; change(); } }), words);
    // the row is not drawn anew while somebody types into it: the next control would be gone under their hands
    const name = (event) => {
      one.contextName = event.target.value;
      control.follow();
      change();
    };
    const operate = (event) => {
      one.operator = event.target.value;
      draw(index, 'operator');
      change();
    };
    const drop = () => {
      list.splice(index, 1);
      draw();
      element.querySelector('.add-constraint').focus();
      change();
    };
    return h('div', { class: 'constraint', role: 'group', 'aria-label': constraintText.numbered(index + 1) },
      h('input', { class: 'context-name', 'data-key': 'contextName', list: known, value: one.contextName, required: true, placeholder: constraintText.field, 'aria-label': constraintText.field, autocomplete: 'off', spellcheck: 'false', oninput: name }),
      h('select', { 'data-key': 'operator', 'aria-label': constraintText.operator, onchange: operate }, GROUPS.map(([group, operators]) => h('optgroup', { label: constraintText.groups[group] },
        operators.map((operator) => h('option', { value: operator, selected: operator === one.operator }, operatorText[operator][1] ?? operatorText[operator][0]))))),
      control.element, h('span', { class: 'turns' }, box('inverted', constraintText.inverted), isText(one.operator) && box('caseInsensitive', constraintText.anyCase)),
      h('button', { type: 'button', class: 'quiet', 'aria-label': constraintText.remove(index + 1), onclick: drop }, icon('cross')));
  }

  function draw(at, key) {
    const add = () => {
      list.push({ contextName: '', operator: 'IN', values: [] });
      draw(list.length - 1, 'contextName');
      change();
    };
    fill(element, list.map(row), h('datalist', { id: known }, fields.map((field) => h('option', { value: field.name }))), fault,
      h('button', { type: 'button', class: 'quiet add-constraint', onclick: add }, icon('plus'), constraintText.add));
    if (at !== undefined) element.querySelectorAll('.constraint')[at].querySelector(`[data-key="${key}"]`).focus();
  }
  draw();
  return { element, constraints: () => list.filter((one) => one.contextName.trim()).map(tidy) };
}
