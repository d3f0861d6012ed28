// The playground: what flags come out as now, in one environment, or in two against each other.

import { code, h } from '../core/element.js';
import { get, post } from '../core/api.js';
import { stateOf } from '../core/words.js';
import { heading } from '../core/router.js';
import { contextOf, fieldsOf, oneContext } from '../preview/context.js';
import { gridOf } from '../preview/grid.js';
import { wordOf } from '../preview/outcome.js';
import { preview } from '../preview/preview.js';
import { playgroundText } from '../text.js';

/** Who is tried where nobody says it. */
const FIRST = [{ name: 'userId', values: ['alice', 'bob', ''] }];
/** The first time, values that strategies mention are tried as well, up to so many results. */
const MOST_RESULTS = 300;
/** How many values that strategies mention are tried for a field. */
const FEW_MENTIONED = 3;

/** An answer about one flag as an outcome. */
function outcomeOf({ isEnabled, isEnabledInCurrentEnvironment, hasUnsatisfiedDependency, strategies, variant }) {
  const unknown = !isEnabled && isEnabledInCurrentEnvironment && !hasUnsatisfiedDependency && strategies.result === 'unknown';
  return { exists: true, enabled: unknown ? 'unknown' : isEnabled, variant: isEnabled && variant?.enabled ? { name: variant.name } : undefined };
}

/** Fields with the values that the strategies of an answer mention. */
function mentioned(answer) {
  const found = new Map();
  const note = ({ contextName, values, value }) => {
    const list = found.get(contextName) ?? found.set(contextName, []).get(contextName);
    const first = values?.length ? values[0] : value ?? '';
    if (list.length < FEW_MENTIONED && first && !list.includes(first) && !first.includes(',')) list.push(first);
  };
  for (const { environments } of answer.features) for (const [entry] of Object.values(environments)) {
    for (const strategy of entry?.strategies.data ?? []) for (const place of [strategy, ...(strategy.segments ?? [])]) place.constraints?.forEach(note);
  }
  return [...found].map(([name, values]) => ({ name, values: [...values, ''] }));
}

/** The fields that are asked for, and before them those that strategies mention, as long as the answer stays small. */
function withMentioned(fields, more, results) {
  return more.reduce((tried, { name, values }) => {
    const next = [{ name, values: [values[0], ''] }, ...tried];
    return name === 'currentTime' || tried.some((one) => one.name === name) || gridOf(next).total * results > MOST_RESULTS ? tried : next;
  }, fields);
}

/** What becomes of each flag, combination by combination. */
function flagsOf(answer, sides, fields) {
  const grid = gridOf(fields);
  const key = (context) => JSON.stringify(fields.map((field) => context[field.name] ?? ''));
  const numbers = new Map(Array.from({ length: grid.total }, (_, number) => [key(grid.context(number)), number]));
  return answer.features.map((feature) => {
    const entries = sides.map((side) => feature.environments[side] ?? []);
    const of = new Uint16Array(grid.total), outcomes = [], places = new Map();
    entries[0].forEach((entry, index) => {
      const [before, after] = [entry, (entries[1] ?? entries[0])[index]].map(outcomeOf);
      const texts = [before, after].map((one) => JSON.stringify(one));
      const text = texts.join();
      if (!places.has(text)) places.set(text, outcomes.push({ before, after, kind: texts[0] === texts[1] ? 'unchanged' : 'differs' }) - 1);
      of[numbers.get(key(entry.context))] = places.get(text);
    });
    const strategies = new Map(entries.flatMap(([entry]) => entry?.strategies.data ?? []).map((one) => [one.id, one]));
    return { name: feature.name, project: feature.projectId, of, outcomes, strategies };
  });
}

/** The answer in a sentence. */
function sentence(sides, flags, telling, total) {
  if (sides.length > 1) return telling.length ? playgroundText.differ(telling.length, flags.length, ...sides.map(code)) : playgroundText.alike(flags.length, ...sides.map(code), total);
  const always = (kind) => flags.filter((flag) => flag.outcomes.every(({ after }) => stateOf(after) === kind)).length;
  return playgroundText.depend(code(sides[0]), telling.length, flags.length, always('on'), always('off'));
}

export async function page({ query, signal }) {
  const { environments } = await get('environments', { signal });
  const names = environments.filter((one) => one.enabled).sort((a, b) => a.sortOrder - b.sortOrder).map((one) => one.name);
  const asked = (name) => (names.includes(query.get(name)) ? query.get(name) : '');
  const set = { one: asked('in') || names.at(-1), other: asked('with') };
  if (set.other === set.one) set.other = '';
  const sides = () => (set.other ? [set.one, set.other] : [set.one]);
  const given = fieldsOf(query);
  let fresh = !given.length;

  const source = {
    suggests: false, waits: true, arrow: false,
    get sides() { return sides(); },
    query: () => [['in', set.one], ...(set.other ? [['with', set.other]] : [])],
    verb: ({ kind, before, after }) => (kind === 'unchanged' ? playgroundText.is(wordOf(after)) : playgroundText.isBoth(wordOf(before), set.one, wordOf(after), set.other)),
    async load(wanted, _, signal) {
      const places = sides();
      const ask = (fields) => post('playground/advanced', { environments: places, projects: '*', context: contextOf(fields) }, { signal });
      let fields = wanted, answer = await ask(fresh ? wanted.map(({ name, values }) => ({ name, values: values.slice(0, 1) })) : wanted);
      const more = mentioned(answer);
      if (fresh) {
        fresh = false;
        fields = withMentioned(wanted, more, answer.features.length * places.length);
        answer = await ask(fields);
      }
      const grid = gridOf(fields), flags = flagsOf(answer, places, fields), two = places.length > 1;
      const tells = (flag) => (two ? flag.outcomes.some(({ kind }) => kind !== 'unchanged') : flag.outcomes.length > 1);
      const telling = flags.filter(tells), alike = flags.filter((flag) => !tells(flag));
      return {
        fields, flags: telling, draw: [places, fields], reads: more.map(({ name }) => name), title: two ? playgroundText.where : playgroundText.what,
        others: { count: alike.length, flags: alike, words: two ? playgroundText.othersAlike(alike.length) : playgroundText.othersSame(alike.length) },
        answer: h('p', { class: 'sentence' }, sentence(places, flags, telling, grid.total)), nothing: two ? playgroundText.noDifference : playgroundText.noneDepends,
        product: h('span', { class: 'faint' }, playgroundText.product(flags.length, places.length)),
      };
    },
    /** What is now is the side before a change that nobody makes. */
    explain: (flag, context) => Promise.all(sides().map(async (environment) => {
      const change = { feature: flag.name, action: 'updateEnabled', payload: { enabled: true } };
      const told = await post('playground/changes/diff/explain', { project: flag.project, environment, changes: [change], flag: flag.name, context: oneContext(context) });
      return { side: told.before, environment, known: (id) => flag.strategies.get(id) };
    })),
  };

  const pick = (name, label, options, again) => h('label', { class: 'pick' }, label, ' ', h('select', { 'aria-label': label, onchange: (event) => {
    set[name] = event.target.value;
    if (set.one === set.other) set.other = '';
    for (const select of event.target.closest('.picks').querySelectorAll('select')) select.value = set[select.dataset.name];
    again();
  }, 'data-name': name }, options.map(([value, words]) => h('option', { value, selected: set[name] === value }, words))));
  const choices = names.map((name) => [name, name]);
  const extra = (again) => h('span', { class: 'picks' }, pick('one', playgroundText.in, choices, again), pick('other', playgroundText.with, [['', playgroundText.nothing], ...choices], again));
  const shown = preview(source, { query, signal, fields: given.length ? given : FIRST, extra });
  return [h('div', { class: 'title' }, heading(playgroundText.title)), h('p', { class: 'lead' }, playgroundText.lead), h('section', { class: 'card does' }, h('h2', { class: 'sr' }, playgroundText.results), shown.element)];
}
