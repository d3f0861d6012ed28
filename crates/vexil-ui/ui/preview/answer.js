// What came out for the values that were tried, and exact shares of the users whom strategies admit.

import { code, h, joined, strong } from '../core/element.js';
import { icon } from '../core/icon.js';
import { count, percent } from '../core/number.js';
import { variantMark } from '../core/words.js';
import { KINDS, MARKS } from './outcome.js';
import { unfolding } from './unfold.js';
import { changeText, diffText } from '../text.js';

/** How many flags a sentence names. */
const NAMED = 3;
/** More shares than this are folded. */
const MOST_SHARES = 12;

const told = (flag) => joined(KINDS.filter((kind) => flag.counts[kind]).map((kind) => changeText.inCount(changeText.kinds[kind][0], strong(count(flag.counts[kind])))), ', ', changeText.and);

function sentence(diff) {
  const { compared, unchanged } = diff.flags;
  const [only] = diff.features;
  if (!compared) return diffText.certainlyNothing;
  if (!only) return diffText.nothingIn(diff.combinations);
  if (diff.features.length === 1) return diffText.one(code(only.name), told(only), diff.combinations);
  const named = diff.features.slice(0, diff.features.length > NAMED + 1 ? NAMED : diff.features.length).map((flag) => [code(flag.name), ' ', told(flag)]);
  return diffText.several(diff.features.length, compared + unchanged, diff.combinations, joined(named, '; '), diff.features.length - named.length);
}

/** The results by kind, as a bar and as counts. */
function tally(diff) {
  const total = diff.combinations * diff.features.length;
  if (!total) return null;
  const sums = KINDS.map((kind) => /** @type {[string, number]} */ ([kind, diff.features.reduce((sum, flag) => sum + flag.counts[kind], 0)]));
  const same = total - sums.reduce((sum, [, number]) => sum + number, 0);
  const parts = [...sums.filter(([kind, number]) => number > 0 || ['offToOn', 'onToOff'].includes(kind)), /** @type {[string, number]} */ (['unchanged', same])];
  const line = ([kind, number]) => h('li', { class: number ? kind : 'unchanged' }, icon(MARKS[kind] ?? 'off'), h('b', null, count(number)), ` ${changeText.counted[kind][number === 1 ? 0 : 1]}`);
  return h('div', { class: 'tally' },
    h('div', { class: 'stack', 'aria-hidden': 'true' }, parts.filter(([, number]) => number > 0).map(([kind, number]) => h('i', { class: kind, vars: { grow: number / total } }))),
    h('ul', { class: 'counts' }, parts.map(line)));
}

/** Shares of the hash space that move: exact, whatever the values tried. */
function exact(diff, known) {
  const name = (id, flag) => (known.get(id)?.title ? diffText.strategyOf(known.get(id).title, code(flag)) : code(flag));
  const bar = (was, is) => h('span', { class: 'buckets', 'aria-hidden': 'true', vars: { stay: `${Math.min(was, is)}%`, move: `${Math.abs(is - was)}%` } }, h('i', null), h('em', { class: is >= was ? 'enter' : 'leave' }));
  const rollout = (one, flag) => {
    const was = one.before?.buckets[1] ?? 0, is = one.after?.buckets[1] ?? 0;
    return h('li', null, h('span', { class: 'what' }, name(one.strategy, flag.name)), bar(was, is), h('span', null, diffText.share(one.redrawn, percent(one.enters.percent), percent(one.leaves.percent), percent(was), percent(is))));
  };
  const move = (one) => diffText.move(percent(one.share.percent), variantMark(one.from ?? diffText.none), variantMark(one.to ?? diffText.none));
  const variants = (one) => h('li', null, h('span', { class: 'what' }, diffText.itsVariants), h('span', null), h('span', null, diffText.keep(percent(one.stays.percent)), one.moves.map(move)));
  const items = diff.features.flatMap((flag) => [...(flag.rollouts ?? []).map((one) => () => rollout(one, flag)), ...(flag.variants ?? []).filter((one) => one.moves.some((step) => step.from !== null)).map((one) => () => variants(one))]);
  const list = h('ul', null);
  const unfold = unfolding(list, items, MOST_SHARES, (draw) => draw());
  return items.length > 0 && h('div', { class: 'exact' }, h('h3', null, diffText.exact), list, unfold);
}

/** Shares of the hash space that move. `known` gives strategies by id, for their titles. */
export const sharesOf = (diff, known) => exact(diff, known);

/** What came out for the values that were tried: in a sentence, as a bar and as counts, with what is to be warned of. */
export function triedOf(diff) {
  const warnings = (diff.warnings?.invalidContextProperties ?? []).map(diffText.invalidProperty);
  return [h('p', { class: 'tried' }, sentence(diff)), tally(diff), warnings.length > 0 && h('ul', { class: 'hint' }, warnings.map((text) => h('li', null, text)))];
}
