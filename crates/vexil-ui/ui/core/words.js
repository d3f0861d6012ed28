// What a flag is, in words: states, values, constraints, and strategies as sentences.

import { code, h, joined } from './element.js';
import { icon } from './icon.js';
import { count } from './number.js';
import { commonText, operatorText, stateText, strategyText } from '../text.js';

/** Where an outcome stands: `on`, `off`, `unknown`, `absent`. */
export const stateOf = (outcome) => (!outcome ? 'untold' : outcome.exists === false ? 'absent' : outcome.enabled === 'unknown' ? 'unknown' : outcome.enabled ? 'on' : 'off');

export const variantMark = (name) => h('span', { class: 'variant' }, name);

/** On, off, unknown or not there: a shape and a word, and the variant. */
export function state(outcome) {
  const kind = stateOf(outcome);
  return h('span', { class: `state ${kind}` }, icon(kind === 'untold' ? 'absent' : kind), stateText[kind], outcome?.variant && variantMark(outcome.variant.name));
}

export const value = (text) => (text === '' ? h('span', { class: 'value unset' }, commonText.unset) : h('span', { class: 'value' }, text));

/** Values in a row; of many the first few, and how many more. */
export function values(list, most = 6) {
  const cut = list.length > most + 1 ? most : list.length;
  const rest = list.slice(cut);
  return [joined(list.slice(0, cut).map(value), ' '),
    rest.length > 0 && [' ', h('span', { class: 'more', title: rest.slice(0, 100).map((text) => text || commonText.unset).join(', ') }, commonText.more(rest.length))]];
}

/** The values of a constraint, whichever member holds them. */
const valuesOf = ({ values: list, value: one }) => (list?.length ? list : one === undefined || one === null ? [] : [one]);

export function constraintWords(constraint) {
  const list = valuesOf(constraint);
  const [single, several = single] = operatorText[constraint.operator] ?? [constraint.operator];
  const words = [code(constraint.contextName), list.length === 1 ? ` ${single} ` : ` ${several} `,
    list.length ? values(list) : h('span', { class: 'value unset' }, strategyText.nothing), constraint.caseInsensitive && strategyText.anyCase];
  return constraint.inverted ? strategyText.not(words) : words;
}

const listed = (text) => (text ?? '').split(',').map((one) => one.trim()).filter(Boolean);
const by = (field) => (field === 'random' ? strategyText.ofRequests : !field || field === 'default' ? strategyText.ofUsers() : strategyText.ofField(field));
const shareOf = (text, field) => [['share', '', strategyText.share(Number(text ?? 100))], ['by', '', by(field)]];

/**
 * Whom a strategy is for: parts of a sentence, each with a key, the words before it, and itself.
 * @param {{ name: string, parameters?: Record<string, string> }} strategy
 */
function who({ name, parameters: given = {} }) {
  switch (name) {
    case 'default': return [['who', '', strategyText.everyone]];
    // who has no value for the field is never in, so all by a field are not everyone
    case 'flexibleRollout': return Number(given.rollout ?? 100) === 100 && ['default', 'random', undefined].includes(given.stickiness) ? [['share', '', strategyText.everyone]] : shareOf(given.rollout, given.stickiness);
    case 'gradualRolloutRandom': return shareOf(given.percentage, 'random');
    case 'gradualRolloutUserId': return shareOf(given.percentage, 'userId');
    case 'gradualRolloutSessionId': return shareOf(given.percentage, 'sessionId');
    case 'userWithId': return [['who', '', strategyText.users(values(listed(given.userIds)))]];
    case 'remoteAddress': return [['who', '', strategyText.addresses(values(listed(given.IPs)))]];
    case 'applicationHostname': return [['who', '', strategyText.hosts(values(listed(given.hostNames)))]];
    default: return [['who', '', strategyText.custom(name)], ['given', '', strategyText.saysYes(Object.entries(given).map(([key, set]) => [code(key), ' ', value(String(set))]))]];
  }
}

/** Variants with their shares of the whole, each keyed by its name. */
function weights(variants) {
  const total = variants.reduce((all, one) => all + one.weight, 0) || 1;
  return variants.map((one) => [one.name, [variantMark(one.name), strategyText.variantShare((one.weight * 100) / total)]]);
}

export const variantWords = (variants) => joined(weights(variants).map(([, words]) => words));

/** A strategy as a sentence in parts, so that two of them can be compared part by part. */
function parts(strategy, names) {
  const conditions = [
    ...(strategy.constraints ?? []).map((one) => [`where ${one.contextName} ${one.operator}`, constraintWords(one)]),
    ...(strategy.segments ?? []).map((id) => [`segment ${id}`, strategyText.segment(names?.get(id) ?? `#${id}`)]),
  ];
  return [
    ...who(strategy),
    ...conditions.map(([key, words], index) => [key, index ? strategyText.and : strategyText.where, words]),
    ...weights(strategy.variants ?? []).map(([name, words], index) => [`variant ${name}`, index ? strategyText.comma : strategyText.variants, words]),
    ...(strategy.disabled ? [['disabled', ...strategyText.disabled]] : []),
  ].map(([key, glue, words]) => ({ key, glue, node: h('span', null, words) }));
}

/** A strategy in a sentence. `names` gives the names of segments by id. */
export const strategyWords = (strategy, names) => h('span', { class: 'words' }, parts(strategy, names).map((part) => [part.glue, part.node]), strategyText.end);

/** A strategy before and after in one sentence: what goes is struck out, what comes is underlined. */
export function strategyDiff(was, is, names) {
  const before = parts(was, names);
  const lines = parts(is, names).map((part) => {
    const at = before.findIndex((one) => one.key === part.key);
    const [old] = at < 0 ? [] : before.splice(at, 1);
    const same = old?.node.textContent === part.node.textContent;
    return [part.glue, same ? part.node : [old && [h('del', null, old.node), ' '], h('ins', null, part.node)]];
  });
  return h('span', { class: 'words' }, lines, before.map((part) => [part.glue, h('del', null, part.node)]), strategyText.end);
}

/** How many of something there are, with a mark that tells what. */
export const mark = (kind, shape, number, words) => h('span', { class: `count ${kind}` }, icon(shape), h('b', null, count(number)), words);
