// An explanation as steps, in the engine's order: switch, parents, each strategy with its constraints, segments, rollout and
// variant, result. A step has a key, by which the two sides are laid beside each other.

import { code, h, joined, strong } from '../core/element.js';
import { constraintWords, state, value, variantMark } from '../core/words.js';
import { stepText } from '../text.js';

function constraintStep(one, known, key, depth) {
  const { finding } = one;
  const given = known ?? { contextName: one.contextName, operator: one.operator, inverted: one.inverted, values: one.values ?? valuesIn(finding) };
  const words = finding.kind === 'invalid' ? stepText.invalid(finding.problem) : finding.kind === 'unreadable' ? stepText.unreadable(finding.expected) : null;
  const found = value(one.found === null || one.found === undefined ? '' : String(one.found));
  return { key, depth, label: given.values || known ? constraintWords(given) : [code(one.contextName), ' ', one.operator], verdict: one.result, text: [found, words] };
}

/** What the finding itself tells of the values of a constraint. */
function valuesIn(finding) {
  if (finding.kind === 'listed') return [finding.value];
  if (finding.kind === 'notListed') return [stepText.values(finding.values)];
  return finding.with === undefined ? undefined : [finding.with].flat();
}

function drawWords(draw) {
  const names = joined(draw.missing?.map(code) ?? [], ', ', stepText.and);
  if (draw.from === 'value') return [code(draw.field), ' ', value(draw.value)];
  return draw.from === 'chance' ? stepText.atRandom(names) : stepText.missing(names);
}

function rolloutStep(rule, key) {
  const label = stepText.rollout(code(rule.group));
  if (!rule.bucket) return { key, depth: 1, verdict: rule.holds, label, text: stepText.neverIn(drawWords(rule.draw)) };
  const said = rule.holds ? stepText.within(rule.bound) : rule.bound ? stepText.beyond(rule.bound) : stepText.nobody;
  return {
    key, depth: 1, verdict: rule.holds, label, meter: { at: rule.bucket, upTo: rule.bound, of: 100 },
    text: [h('b', { class: 'bucket' }, stepText.bucket(rule.bucket)), said, h('span', { class: 'from' }, drawWords(rule.draw))],
  };
}

function ruleStep(rule, key) {
  const found = value(rule.found ?? '');
  const step = (label, text) => ({ key, depth: 1, verdict: rule.holds, label, text });
  switch (rule.kind) {
    case 'rollout': return rolloutStep(rule, key);
    case 'listed': return step(stepText.list(code(rule.field)), stepText.listed(found, rule.holds));
    case 'network': return step(stepText.addresses, stepText.network(found, rule.network && value(rule.network)));
    case 'hostName': return step(stepText.host, stepText.listed(found, rule.holds));
    case 'notEvaluable': return { ...step(stepText.custom(code(rule.strategy)), stepText.cannotTell), verdict: 'unknown' };
    case 'unusable': return step(stepText.parameter(code(rule.parameter)), stepText.unusable);
    default: return null;
  }
}

/** How a variant was picked; `name` is the one that came out, where it is known. */
function pickStep(pick, key, variants, name) {
  const { by } = pick;
  const says = name ?? pick.name ?? variants?.[pick.variant]?.name;
  const chosen = says ? variantMark(says) : pick.variant === null || pick.variant === undefined ? stepText.none : stepText.numbered(pick.variant + 1);
  if (by.kind === 'override') return { key, depth: 1, says, label: stepText.variant, text: stepText.override(chosen, code(by.field), value(by.value)) };
  if (by.kind !== 'weight') return { key, depth: 1, label: stepText.variant, text: stepText.noWeight };
  const from = pick.from ?? by.from, upTo = pick.to ?? by.to;
  return { key, depth: 1, says, label: stepText.variant, text: [h('b', { class: 'bucket' }, stepText.bucket(by.bucket)), stepText.ofTotal(by.total), chosen], meter: { at: by.bucket, from: from ? from - 1 : 0, upTo: from && upTo ? upTo - from + 1 : 0, of: by.total } };
}

function parentStep(parent, decides) {
  const found = parent.found === 'on' ? state({ enabled: true, variant: parent.variant && { name: parent.variant } }) : parent.found === 'off' ? state({ enabled: false })
    : parent.found === 'missing' ? state({ exists: false }) : stepText.ownParents;
  return { key: `parent ${parent.feature}`, label: stepText.needs(code(parent.feature)), verdict: parent.satisfied, text: found, decides };
}

function strategySteps(found, index, strategy, names, decides, variant) {
  const key = `strategy ${found.id}`;
  const title = strategy?.title ?? found.title;
  const list = /** @type {any[]} */ ([{
    key, label: [stepText.strategy, title ? strong(title) : [`${index + 1} `, h('span', { class: 'faint' }, found.name)]], verdict: found.disabled ? null : found.result,
    text: found.disabled ? stepText.disabled : found.result === true ? stepText.holds : found.result === 'unknown' ? stepText.onlyApplication : stepText.holdsNot, decides,
  }]);
  found.constraints.forEach((one, place) => list.push(constraintStep(one, strategy?.constraints?.[place], `${key} where ${place} ${one.contextName} ${one.operator}`, 1)));
  for (const one of found.segments) {
    list.push({ key: `${key} segment ${one.id}`, depth: 1, label: stepText.segment(one.name ?? names?.get(one.id) ?? `#${one.id}`), verdict: one.result, text: one.found === false ? stepText.gone : one.result ? stepText.member : stepText.noMember });
    one.constraints.forEach((inner, place) => list.push(constraintStep(inner, null, `${key} segment ${one.id} ${place}`, 2)));
  }
  list.push(ruleStep(found.rule, `${key} rule`));
  if (found.variants) list.push(pickStep(found.variants, `${key} variant`, strategy?.variants, decides ? variant : null));
  return list;
}

/** The steps of one side. `known` gives a strategy by its id, for what the explanation does not tell; `names` those of segments. */
export function stepsOf(side, environment, known, names = undefined) {
  const result = { key: 'result', label: stepText.result, text: state(side), result: true };
  const told = side.explanation;
  if (!told) return [{ key: 'switch', label: stepText.flag, verdict: false, text: state({ exists: false }), decides: true }, result];
  const decides = (kind, index) => told.decidedBy.kind === kind && (index === undefined || told.decidedBy.index === index);
  const none = (text) => ({ key: 'none', label: stepText.allStrategies, verdict: false, text, decides: true });
  return [
    { key: 'switch', label: stepText.switchIn(code(environment)), verdict: told.enabledInEnvironment, text: state({ enabled: told.enabledInEnvironment }), decides: decides('switch') },
    ...told.parents.map((parent, index) => parentStep(parent, decides('parent', index))),
    ...told.strategies.flatMap((found, index) => strategySteps(found, index, known(found.id), names, decides('strategy', index), side.variant?.name)),
    decides('noStrategyHolds') && told.strategies.length > 0 && none(stepText.noneHolds),
    decides('onlyDisabledStrategies') && none(stepText.allDisabled),
    told.flagVariants && pickStep(told.flagVariants, 'flag variant', null, side.variant?.name),
    result,
  ].filter(Boolean);
}
