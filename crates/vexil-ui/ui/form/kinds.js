// The kinds of activation strategies: which parameters each has, and the controls for them.

import { h } from '../core/element.js';
import { field, select, text } from './form.js';
import { chips } from './chips.js';
import { kindsText } from '../text.js';

const listed = (given) => String(given ?? '').split(',').map((one) => one.trim()).filter(Boolean);

/** A share of users: a slider and a number that say the same, what they stick to, and the group. */
function rollout({ given, fields, flag, change }) {
  const number = h('input', { type: 'number', name: 'rollout', min: 0, max: 100, step: 1, required: true, value: given.rollout ?? 100, oninput: (event) => { slider.value = event.target.value; change(); } });
  const slider = h('input', { type: 'range', min: 0, max: 100, step: 1, value: given.rollout ?? 100, 'aria-label': kindsText.rollout, tabindex: '-1', oninput: () => { number.value = slider.value; change(); } });
  const names = [...new Set(['default', 'userId', 'sessionId', 'random', ...fields.filter((one) => one.stickiness).map((one) => one.name), given.stickiness].filter(Boolean))];
  const sticks = select('stickiness', names.map((name) => [name, kindsText.stickiness[name] ?? name]), given.stickiness ?? 'default', { onchange: change });
  const group = text('groupId', given.groupId ?? flag, { oninput: change, spellcheck: 'false' });
  return {
    elements: [field(kindsText.rollout, h('span', { class: 'rollout' }, number, ' %', slider), { name: 'rollout' }), h('div', { class: 'two' }, field(kindsText.sticks, sticks, { hint: kindsText.sticksHint }), field(kindsText.group, group, { hint: kindsText.groupHint }))],
    parameters: () => ({ rollout: String(number.value), stickiness: sticks.value, groupId: group.value.trim() || flag }), stickiness: () => sticks.value,
  };
}

/** A list in one parameter, separated by commas. */
const listOf = (name, label) => ({ given, change }) => {
  const made = chips({ name: label, values: listed(given[name]), change });
  return { elements: [field(label, made.element, { name })], parameters: () => ({ [name]: made.values().join(',') }), stickiness: () => 'default' };
};

/** A strategy that only applications know: its parameters as they are described. */
const custom = (described) => ({ given, change }) => {
  const inputs = described.parameters.map((one) => [one.name, text(one.name, given[one.name] ?? '', { required: one.required, oninput: change, spellcheck: 'false' }), one.description]);
  return { elements: inputs.map(([name, input, hint]) => field(name, input, { hint })), parameters: () => Object.fromEntries(inputs.map(([name, input]) => [name, input.value])), stickiness: () => 'default' };
};

const KINDS_BUILT_IN = {
  flexibleRollout: rollout,
  default: () => ({ elements: [], parameters: () => ({}), stickiness: () => 'default' }),
  userWithId: listOf('userIds', kindsText.users),
  remoteAddress: listOf('IPs', kindsText.addresses),
  applicationHostname: listOf('hostNames', kindsText.hosts),
};

/** Whether a kind is known without asking. */
export const isBuiltIn = (name) => name in KINDS_BUILT_IN;

/** The kinds to choose from: the built-in ones, and those that the server knows besides; `chosen` is among them whatever it is. */
export function kindsFrom(types, chosen) {
  const others = types.filter((type) => !(type.name in KINDS_BUILT_IN) && !type.name.startsWith('gradualRollout') && !type.deprecated);
  const named = [...Object.keys(KINDS_BUILT_IN).map((name) => [name, kindsText.names[name]]), ...others.map((type) => [type.name, type.displayName || type.name])];
  return named.some(([name]) => name === chosen) ? named : [...named, [chosen, chosen]];
}

/** The controls of a kind. */
export function kind(name, types, options) {
  const described = types.find((type) => type.name === name) ?? { parameters: Object.keys(options.given).map((parameter) => ({ name: parameter })) };
  return (KINDS_BUILT_IN[name] ?? custom(described))(options);
}
