// A change request as the source of a preview: what it would do, asked with values that the change itself suggests.

import { isAbort, post } from '../core/api.js';
import { h, hidden } from '../core/element.js';
import { icon } from '../core/icon.js';
import { count } from '../core/number.js';
import { contextOf, oneContext } from '../preview/context.js';
import { gridOf } from '../preview/grid.js';
import { KINDS, MARKS, cellOf, wordOf } from '../preview/outcome.js';
import { stepsOf } from '../preview/steps.js';
import { answerOf } from './answer.js';
import { changeText, diffText } from '../text.js';

/** How many values that the change names are tried for a field. */
const FEW_NAMED = 6;
/** More combinations than this are not lined up one by one in the browser. */
const MOST_COMBINATIONS = 20_000;
/** More results than this are not fetched to tell what stays on from what stays off. */
const MOST_STATES = 3_000;

/** Values that the change itself names, so that the matrix speaks of them. */
function named(request) {
  const found = new Map();
  const note = ({ contextName, operator, values }) => {
    if (!['IN', 'NOT_IN'].includes(operator) || !values?.length) return;
    const list = found.get(contextName) ?? found.set(contextName, []).get(contextName);
    for (const text of values) if (list.length < FEW_NAMED && !list.includes(text) && !text.includes(',')) list.push(text);
  };
  for (const { payload } of [...request.features.flatMap((feature) => feature.changes), ...request.segments]) {
    for (const place of [payload, payload?.snapshot]) if (Array.isArray(place?.constraints)) place.constraints.forEach(note);
  }
  return [...found].map(([name, values]) => ({ name, values }));
}

/** The strategies that a change request tells of, by id: as they are and as they would be. */
export function strategiesOf(request) {
  const was = new Map(), is = new Map();
  for (const { id, action, payload } of request.features.flatMap((feature) => feature.changes)) {
    if (action === 'addStrategy') is.set(payload.id ?? `cr${request.id}-${id}`, payload);
    if (action === 'updateStrategy') is.set(payload.id, payload);
    if (['updateStrategy', 'deleteStrategy'].includes(action) && payload.snapshot) was.set(payload.id, payload.snapshot);
  }
  return { was, is };
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
function filled(result, features, request, grid) {
  const key = (context) => grid.fields.map((field) => context[field.name] ?? '').join('\0');
  const numbers = new Map(Array.from({ length: grid.total }, (_, number) => [key(grid.context(number)), number]));
  const changed = new Map(result.flags.map((flag) => [flag.name, flag]));
  const names = new Map(), strategies = new Map(), others = [];
  for (const feature of features) {
    const flag = changed.get(feature.name) ?? { name: feature.name, project: feature.projectId, outcomes: [{ kind: 'unchanged', before: null, after: null }], of: new Uint16Array(grid.total) };
    if (!changed.has(feature.name)) others.push(flag);
    const places = new Map();
    for (const entry of feature.environments[request.environment] ?? []) {
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

export function sourceOf(request, query) {
  const place = `playground/change-request/${request.id}`;
  const { was, is } = strategiesOf(request);
  const draw = query.get('seed') ? { seed: Number(query.get('seed')), ...(query.get('now') ? { now: query.get('now') } : {}) } : {};
  const source = {
    suggests: true, arrow: true, sides: changeText.sides, project: request.project, start: () => named(request),
    verb: ({ kind, after }) => changeText.kinds[kind]?.[0] ?? (after ? changeText.staysWord(wordOf(after)) : changeText.staysAsIs),
    async load(given, suggest, signal, more) {
      const fields = suggest && !given.length ? named(request) : given;
      const diff = await post(`${place}/diff`, { context: contextOf(fields), suggest, ...draw }, { signal });
      const tried = new Map(fields.map((field) => [field.name, { name: field.name, values: [...field.values], suggested: [] }]));
      for (const [name, list] of Object.entries(diff.suggested?.fields ?? {})) {
        const field = tried.get(name) ?? tried.set(name, { name, values: [], suggested: [] }).get(name);
        for (const text of list) if (!field.values.includes(text)) field.suggested.push(field.values[field.values.push(text) - 1]);
      }
      const all = [...tried.values()];
      const grid = gridOf(all);
      const result = {
        fields: all, diff, draw: diff.draw, answer: answerOf(diff, request, is), title: diffText.affected, reads: diff.features.flatMap((flag) => flag.reads),
        others: { count: diff.flags.unchanged, flags: null, words: diffText.stay(diff.flags.unchanged) },
        nothing: diff.flags.compared ? diffText.nothingTried : diffText.nothingAtAll, product: h('span', { class: 'faint' }, diffText.evaluations(diff.evaluations)),
      };
      if (grid.total > MOST_COMBINATIONS) return { ...result, flags: [], text: listed(diff, source) };
      const flags = diff.features.map((flag) => outcomesOf(flag, grid));
      if (grid.total * (diff.flags.compared + diff.flags.unchanged) > MOST_STATES) return { ...result, flags };
      more({ ...result, flags });
      try {
        const after = await post(place, { context: contextOf(all) }, { signal });
        return filled({ ...result, flags }, after.features, request, grid);
      } catch (error) {
        if (isAbort(error)) throw error;
        return { ...result, flags }; // what stays is then told without saying whether it stays on or off
      }
    },
    async explain(flag, context, _number, { diff, names, strategies = new Map() }) {
      const told = await post(`${place}/diff/explain`, { flag: flag.name, context: oneContext(context), ...diff.draw });
      const before = (id) => was.get(id) ?? (is.has(id) ? undefined : strategies.get(id));
      const after = (id) => is.get(id) ?? strategies.get(id);
      return [stepsOf(told.before, request.environment, before, names), stepsOf(told.after, request.environment, after, names)];
    },
  };
  return source;
}
