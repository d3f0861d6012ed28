// A difference as the source of a preview: what changes would make of an environment, asked with values that they themselves
// suggest.

import { post } from '../core/api.js';
import { h, hidden } from '../core/element.js';
import { icon } from '../core/icon.js';
import { count } from '../core/number.js';
import { contextOf, oneContext } from './context.js';
import { gridOf } from './grid.js';
import { KINDS, MARKS, cellOf, wordOf } from './outcome.js';
import { sharesOf, triedOf } from './answer.js';
import { changeText, diffText } from '../text.js';

/** How many values that the changes name are tried for a field. */
const FEW_NAMED = 6;
/** More combinations than this are not lined up one by one in the browser. */
const MOST_COMBINATIONS = 20_000;
/** Values that changes name themselves, so that the matrix speaks of them. */
export function named(changes) {
  const found = new Map();
  const note = ({ contextName, operator, values }) => {
    if (!['IN', 'NOT_IN'].includes(operator) || !values?.length) return;
    const list = found.get(contextName) ?? found.set(contextName, []).get(contextName);
    for (const text of values) if (list.length < FEW_NAMED && !list.includes(text) && !text.includes(',')) list.push(text);
  };
  for (const { payload } of changes) for (const place of [payload, payload?.snapshot]) if (Array.isArray(place?.constraints)) place.constraints.forEach(note);
  return [...found].map(([name, values]) => ({ name, values }));
}

/** What becomes of a flag, combination by combination, from its groups of boxes. */
function outcomesOf(flag, grid) {
  const outcomes = [{ kind: 'unchanged', before: null, after: null }];
  const of = new Uint16Array(grid.total);
  for (const group of flag.groups) {
    outcomes.push({ kind: group.change, before: group.before, after: group.after });
    for (const box of group.when) {
      const fits = grid.fields.map(({ name, values }) => [...values.keys()].filter((place) => !box[name] || (box[name].is ? box[name].is.includes(values[place]) : !box[name].isNot.includes(values[place]))));
      const mark = (field, start) => {
        if (field === fits.length) of[start] = outcomes.length - 1;
        else for (const place of fits[field]) mark(field + 1, start + place * grid.strides[field]);
      };
      mark(0, 0);
    }
  }
  const told = KINDS.filter((kind) => flag.counts[kind] > 0).map((kind) => h('span', { class: `count ${kind}` }, icon(MARKS[kind]), count(flag.counts[kind]), hidden(changeText.kinds[kind][1])));
  return { name: flag.name, project: flag.project, outcomes, of, told };
}

/** The groups flag by flag, where there are too many combinations to line up. */
function listed(diff, source) {
  const row = (group) => h('tr', null, h('th', { scope: 'row', class: 'prose' }, group.sentence), h('td', { class: 'number' }, count(group.combinations)), h('td', null, cellOf([{ kind: group.change, before: group.before, after: group.after }], source)));
  return [h('div', { class: 'tools' }, h('h3', null, diffText.affected)), h('p', { class: 'hint' }, diffText.tooMany(diff.combinations)),
    diff.features.map((flag) => h('table', { class: 'list groups' }, h('caption', null, h('code', null, flag.name)),
      h('thead', null, h('tr', null, diffText.groupColumns.map((head) => h('th', { scope: 'col' }, head)))), h('tbody', null, flag.groups.map(row))))];
}

/**
 * `path` is asked for the difference, with `body()` besides the context; `changes()` are what is changed; `was` and `is` give the strategies
 * that they tell of, by id.
 * @param {{ project: string, environment: string, path: string, body?: () => object, changes: () => any[], was: Map<string, any>, is: Map<string, any>, draw?: object }} about
 */
export function differenceSource({ project, environment, path, body = () => ({}), changes, was, is, draw = {} }) {
  const source = {
    suggests: true, arrow: true, path, body, sides: changeText.sides, project, start: () => named(changes()),
    verb: ({ kind, after }) => changeText.kinds[kind]?.[0] ?? (after ? changeText.staysWord(wordOf(after)) : changeText.staysAsIs),
    async load(given, suggest, signal) {
      const fields = suggest && !given.length ? named(changes()) : given;
      const diff = await post(`${path}/diff`, { ...body(), context: contextOf(fields), suggest, ...draw }, { signal });
      const tried = new Map(fields.map((field) => [field.name, { name: field.name, values: [...field.values], suggested: [] }]));
      for (const [name, list] of Object.entries(diff.suggested?.fields ?? {})) {
        const field = tried.get(name) ?? tried.set(name, { name, values: [], suggested: [] }).get(name);
        for (const text of list) if (!field.values.includes(text)) field.suggested.push(field.values[field.values.push(text) - 1]);
      }
      const all = [...tried.values()];
      const grid = gridOf(all);
      const result = {
        fields: all, diff, draw: diff.draw, answer: triedOf(diff), shares: sharesOf(diff, is), title: diffText.affected, reads: diff.features.flatMap((flag) => flag.reads),
        others: { count: diff.flags.unchanged, flags: null, words: diffText.stay(diff.flags.unchanged) },
        nothing: diff.flags.compared ? diffText.nothingTried : diffText.nothingAtAll, product: h('span', { class: 'faint' }, diffText.evaluations(diff.evaluations)),
      };
      if (grid.total > MOST_COMBINATIONS) return { ...result, flags: [], text: listed(diff, source) };
      return { ...result, flags: diff.features.map((flag) => outcomesOf(flag, grid)) };
    },
    async explain(flag, context, _number, { diff }) {
      const told = await post(`${path}/diff/explain`, { ...body(), flag: flag.name, context: oneContext(context), ...diff.draw });
      return [{ side: told.before, environment, known: (id) => was.get(id) }, { side: told.after, environment, known: (id) => is.get(id) }];
    },
  };
  return source;
}
