// What a proof says: which flags turn out differently, for whom, for how many of them, and whether that is all.

import { code, h, joined, strong } from '../core/element.js';
import { icon } from '../core/icon.js';
import { percent } from '../core/number.js';
import { state, value } from '../core/words.js';
import { MARKS } from './outcome.js';
import { unfolding } from './unfold.js';
import { changeText, effectText } from '../text.js';

/** More lines than this are folded. */
const MOST_LINES = 6;

/** Whom a region is: its conditions, or everybody. */
function whom({ conditions }) {
  // how many of them the buckets let in is told as a share
  const told = conditions.filter((one) => one.kind !== 'bucket');
  if (!told.length) return effectText.everyone;
  return joined(told.map((one) => h('span', { class: 'condition' }, one.words)), effectText.and);
}

/** What becomes of a flag there, as a mark and words. */
function becomes(group) {
  const mark = h('span', { class: `count ${group.change}` }, icon(MARKS[group.change] ?? 'vary'), h('b', null, changeText.kinds[group.change]?.[0] ?? effectText.differs));
  return [mark, ' ', group.change === 'variantChanged' ? [state(group.before), ' → ', state(group.after)] : group.after.variant && state(group.after)];
}

/** The name of a flag, and the environment where the proof is about several. */
const namer = (proof) => {
  const several = proof.features.some((flag) => flag.environment);
  return ({ name, environment }) => [code(name), several && effectText.in(code(environment ?? proof.environment))];
};

/** How many of those that is. */
const howMany = ({ share, conditions }) => (share ? [h('span', { class: 'bar', 'aria-hidden': 'true', vars: { part: `${share.percent}%` } }, h('i', null)), h('b', null, percent(share.percent)), effectText.ofThem] : conditions.some(({ kind }) => kind === 'bucket' || kind === 'chance') ? effectText.uncounted : effectText.allOfThem);

function linesOf(proof) {
  return proof.features.flatMap((flag) => flag.groups.flatMap((group) => [
    ...group.boxes.map((box) => ({ flag, group, box })), ...(group.more ? [{ flag, group, box: null }] : []),
  ]));
}

/** Whether that is all: proven, or what could not be decided. */
function bound(proof) {
  if (proof.complete) return h('p', { class: 'bound proven' }, icon('check'), h('span', null, strong(proof.flags.changed ? effectText.nobodyElse : effectText.nobody), effectText.proven(proof.flags.unaffected + proof.flags.compared - proof.flags.changed), proof.features.some((flag) => flag.groups.some((group) => group.more)) && effectText.unlisted));
  const open = h('ul', null);
  const unfold = unfolding(open, proof.undecided, MOST_LINES, (one) => h('li', null, code(one.flag), ': ', one.reason));
  return h('div', { class: 'bound open' }, h('p', null, icon('unknown'), strong(effectText.othersMay)), open, unfold);
}

/** The effect in a sentence. */
function sentence(proof) {
  const changed = proof.features.filter((flag) => flag.groups.length);
  const names = new Set(changed.map((flag) => flag.name));
  const named = namer(proof);
  const all = proof.flags.compared + proof.flags.unaffected;
  if (!changed.length) return proof.complete ? effectText.nothing : effectText.nothingFound;
  if (changed.length === 1 && changed[0].groups.length === 1 && changed[0].groups[0].boxes.length === 1) {
    const [flag] = changed;
    const [group] = flag.groups;
    const [box] = group.boxes;
    return effectText.one(named(flag), changeText.kinds[group.change]?.[0] ?? effectText.differs, group.after.variant && group.change !== 'variantChanged' ? code(group.after.variant.name) : null, box.share ? strong(percent(box.share.percent)) : null, [whom(box) === effectText.everyone ? null : effectText.those, whom(box)]);
  }
  return effectText.several(proof.complete, names.size, all, joined(changed.slice(0, 3).map(named), ', ', changed.length > 3 ? ', ' : effectText.and), changed.length - 3);
}

function table(proof) {
  const lines = linesOf(proof);
  const named = namer(proof);
  if (lines.length < 2) return null;
  const body = h('tbody', null);
  let last = null;
  const row = ({ flag, group, box }) => {
    const again = last?.flag === flag, same = again && last.group === group;
    last = { flag, group };
    return h('tr', { class: again ? 'again' : null }, h('th', { scope: 'row' }, h('span', { class: again ? 'sr' : null }, named(flag))), h('td', null, h('span', { class: same ? 'sr' : null }, becomes(group))),
      box ? [h('td', null, whom(box)), h('td', { class: 'how-many' }, howMany(box))] : [h('td', { colspan: 2, class: 'faint' }, effectText.more)]);
  };
  const unfold = unfolding(body, lines, MOST_LINES, row);
  return [h('table', { class: 'effect-table' }, h('caption', { class: 'sr' }, effectText.caption), h('thead', null, h('tr', null, effectText.columns.map((head) => h('th', { scope: 'col' }, head)))), body), unfold];
}

/** What became of a guard. */
function guardOf(guard, named) {
  const example = guard.witness && Object.entries(guard.witness.context);
  const words = guard.verdict === 'holds' ? effectText.guardHolds
    : guard.verdict === 'broken' ? effectText.guardBroken(named({ name: guard.flag, environment: guard.environment }), example && (example.length ? joined(example.map(([field, text]) => [code(field), ' ', value(text)])) : effectText.noContext))
      : effectText.guardOpen;
  return h('li', { class: guard.verdict }, icon(guard.verdict === 'holds' ? 'check' : guard.verdict === 'broken' ? 'cross' : 'unknown'), h('span', null, code(guard.guard), ': ', words));
}

/** What is to be known beside it: newer edits that would be overwritten, and what cannot be read and lets nobody in. */
function warned({ warnings: { changeRequestConflicts = [], notUnderstood = [] } = {} }) {
  const lines = [...changeRequestConflicts.map((one) => one.message), ...notUnderstood.map(({ place, message }) => `${place}: ${message}`)];
  return lines.length > 0 && h('ul', { class: 'note warn' }, lines.map((line) => h('li', null, line)));
}

/** The proof in short: the sentence, what is to be known, and whether that is all. */
export const provenShort = (proof) => [h('p', { class: 'sentence' }, sentence(proof)), warned(proof), bound(proof)];

/** The proof. */
export const proven = (proof) => [h('p', { class: 'sentence' }, sentence(proof)), warned(proof), table(proof), bound(proof), proof.guards.length > 0 && h('ul', { class: 'guards', role: 'status' }, proof.guards.map((guard) => guardOf(guard, namer(proof))))];

