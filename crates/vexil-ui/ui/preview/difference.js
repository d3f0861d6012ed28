// A difference as the source of a preview: what changes would make of an environment, asked with values that they themselves
// suggest.

import { isAbort, post } from '../core/api.js';
import { h, hidden } from '../core/element.js';
import { icon } from '../core/icon.js';
import { count } from '../core/number.js';
import { contextOf, oneContext } from './context.js';
import { gridOf } from './grid.js';
import { KINDS, MARKS, cellOf, wordOf } from './outcome.js';
import { stepsOf } from './steps.js';
import { answerOf } from './answer.js';
import { changeText, diffText } from '../text.js';

/** How many values that the changes name are tried for a field. */
const FEW_NAMED = 6;
/** More combinations than this are not lined up one by one in the browser. */
const MOST_COMBINATIONS = 20_000;
/** More results than this are not fetched to tell what stays on from what stays off. */
const MOST_STATES = 3_000;

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
      const fits = grid.fields.map(({ name, values }) => values.map((text) => !box[name] || (box[name].is ? box[name].is.includes(text) : !box[name].isNot.includes(text))));
      for (let number = 0; number < grid.total; number++) if (fits.every((list, field) => list[grid.at(number, field)])) of[number] = outcomes.length - 1;
    }
  }
  const told = KINDS.filter((kind) => flag.counts[kind] > 0).map((kind) => h('span', { class: `count ${kind}` }, icon(MARKS[kind]), count(flag.counts[kind]), hidden(changeText.kinds[kind][1])));
  return { name: flag.name, project: flag.project, outcomes, of, told };
}

const outcomeOf = (entry) => ({ exists: true, enabled: entry.isEnabled || (entry.strategies.result === 'unknown' ? 'unknown' : false), variant: entry.isEnabled && entry.variant.enabled ? { name: entry.variant.name } : undefined });

/** The same with what stays on told from what stays off, and with the flags that do not change. */
function filled(result, features, environment, grid) {
  const key = (context) => grid.fields.map((field) => context[field.name] ?? '').join('\0');
  const numbers = new Map(Array.from({ length: grid.total }, (_, number) => [key(grid.context(number)), number]));
  const changed = new Map(result.flags.map((flag) => [flag.name, flag]));
  const names = new Map(), strategies = new Map(), others = [];
  for (const feature of features) {
    const flag = changed.get(feature.name) ?? { name: feature.name, project: feature.projectId, outcomes: [{ kind: 'unchanged', before: null, after: null }], of: new Uint16Array(grid.total) };
    if (!changed.has(feature.name)) others.push(flag);
    const places = new Map();
    for (const entry of feature.environments[environment] ?? []) {
      for (const strategy of entry.strategies.data) {
        strategies.set(strategy.id, strategy);
        for (const one of strategy.segments ?? []) names.set(one.id, one.name);
      }
      const number = numbers.get(key(entry.context));
      if (number === undefined || flag.outcomes[flag.of[number]].kind !== 'unchanged') continue;
      const after = outcomeOf(entry), text = JSON.stringify(after);
      if (!places.has(text)) places.set(text, flag.outcomes.push({ kind: 'unchanged', before: after, after }) - 1);
      flag.of[number] = places.get(text);
    }
  }
  return { ...result, names, strategies, others: { ...result.others, flags: others.length ? others : null } };
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
 * @param {{ project: string, environment: string, path: string, body?: () => object, changes: () => any[], was: Map<string, any>, is: Map<string, any>, conflicts?: any, draw?: object }} about
 */
export function differenceSource({ project, environment, path, body = () => ({}), changes, was, is, conflicts, draw = {} }) {
  const source = {
    suggests: true, arrow: true, sides: changeText.sides, project, start: () => named(changes()),
    verb: ({ kind, after }) => changeText.kinds[kind]?.[0] ?? (after ? changeText.staysWord(wordOf(after)) : changeText.staysAsIs),
    async load(given, suggest, signal, more) {
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
        fields: all, diff, draw: diff.draw, answer: answerOf(diff, is, conflicts), title: diffText.affected, reads: diff.features.flatMap((flag) => flag.reads),
        others: { count: diff.flags.unchanged, flags: null, words: diffText.stay(diff.flags.unchanged) },
        nothing: diff.flags.compared ? diffText.nothingTried : diffText.nothingAtAll, product: h('span', { class: 'faint' }, diffText.evaluations(diff.evaluations)),
      };
      if (grid.total > MOST_COMBINATIONS) return { ...result, flags: [], text: listed(diff, source) };
      const flags = diff.features.map((flag) => outcomesOf(flag, grid));
      if (!flags.length || grid.total * (diff.flags.compared + diff.flags.unchanged) > MOST_STATES) return { ...result, flags };
      more({ ...result, flags });
      try {
        const now = await post('playground/advanced', { environments: [environment], projects: [project], context: contextOf(all) }, { signal });
        return filled({ ...result, flags }, now.features, environment, grid);
      } catch (error) {
        if (isAbort(error)) throw error;
        return { ...result, flags }; // what stays is then told without saying whether it stays on or off
      }
    },
    async explain(flag, context, _number, { diff, names, strategies = new Map() }) {
      const told = await post(`${path}/diff/explain`, { ...body(), flag: flag.name, context: oneContext(context), ...diff.draw });
      const before = (id) => was.get(id) ?? (is.has(id) ? undefined : strategies.get(id));
      const after = (id) => is.get(id) ?? strategies.get(id);
      return [stepsOf(told.before, environment, before, names), stepsOf(told.after, environment, after, names)];
    },
  };
  return source;
}
