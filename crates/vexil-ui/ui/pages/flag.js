// One flag: what it does in each environment, in words, its last sixty minutes, and everything that can be changed of it.

import { code, fill, h } from '../core/element.js';
import { icon } from '../core/icon.js';
import { get, optional, part } from '../core/api.js';
import { when } from '../core/number.js';
import { isBusy, newerNote, throttled, watch } from '../core/fresh.js';
import { state, variantMark } from '../core/words.js';
import { loading, problem } from '../core/notice.js';
import { go, heading, link, show } from '../core/router.js';
import { rulesOf } from '../edit/make.js';
import { confirmChange } from '../edit/save.js';
import { eventList } from '../events/list.js';
import { actionsOf } from '../flag/actions.js';
import { starOf } from '../flag/star.js';
import { strategiesOf } from '../flag/strategies.js';
import { usageOf } from '../flag/usage.js';
import { commonText, flagText, frameText, kindText } from '../text.js';

const flagLink = (project, name) => link(`flags/${part(project)}/${part(name)}`, null, code(name));

/** What the flag depends on, and what depends on it. */
function relatives(flag) {
  return [
    flag.dependencies.map((parent) => h('span', null, flagText.needs(flagLink(flag.project, parent.feature), parent.enabled === false, (parent.variants ?? []).map(variantMark)))),
    flag.children.length > 0 && h('span', null, flagText.neededBy(flag.children.map((child) => flagLink(flag.project, child)))),
  ];
}

/** What others can change of a flag; what is counted and seen moves all the time. */
const settings = ({ environments, description, type, stale, dependencies }) => [environments.map(({ enabled, strategies, variants }) => [enabled, strategies, variants]), description, type, stale, dependencies];

/** A pending change request, as a way to it. */
function pendingNote(request, draft) {
  const title = request.title ?? flagText.untitled(request.id);
  return link(`change-requests/${part(request.project)}/${request.id}`, { class: 'note pending' }, icon('edit'), h('span', null, String(request.id) === draft ? flagText.isInDraft(title) : flagText.wouldChange(title, request.environment)));
}

/** What was done to the flag, asked for when it is unfolded. */
function history(flag, signal) {
  const list = h('div', null);
  const load = async (event) => {
    if (!event.target.open || list.hasChildNodes()) return;
    fill(list, loading());
    try {
      const { events } = await get(`events/${part(flag.name)}`, { signal });
      fill(list, events.length ? eventList(events) : h('p', { class: 'faint' }, flagText.noHistory));
    } catch (error) {
      fill(list, problem(error));
    }
  };
  return h('details', { class: 'card history', ontoggle: load }, h('summary', null, flagText.history), list);
}

/** The switch of an environment: a button that says what it does, and asks before it does. */
function switchOf(environment, at, edit) {
  const enabled = !environment.enabled;
  const title = enabled ? flagText.onQuestion(at.flag, environment.name) : flagText.offQuestion(at.flag, environment.name);
  const change = { action: 'updateEnabled', payload: { enabled } };
  return h('button', { type: 'button', 'aria-label': enabled ? flagText.turnOnIn(environment.name) : flagText.turnOffIn(environment.name), onclick: () => confirmChange({ at, changes: [change], rules: edit.rules, title, action: enabled ? flagText.turnOn : flagText.turnOff, danger: !enabled, done: edit.done }) }, enabled ? flagText.turnOn : flagText.turnOff);
}

export async function page({ params: { project, flag: name }, query, signal }) {
  const path = `flags/${part(project)}/${part(name)}`;
  const minutes = () => optional(get(`client-metrics/features/${part(name)}/minutes`, { signal }));
  const source = `projects/${part(project)}/features/${part(name)}?variantEnvironments=true`;
  const [flag, usage, pending, rules] = await Promise.all([
    get(source, { signal }), minutes(),
    get(`projects/${part(project)}/change-requests/pending/${part(name)}`, { signal }), rulesOf(project, signal),
  ]);
  const names = new Map();
  if (flag.environments.some((one) => one.strategies.some((strategy) => strategy.segments?.length))) {
    for (const one of (await get('segments', { signal })).segments) names.set(one.id, one.name);
  }
  const edit = flag.archived ? null : { rules, done: (request) => (request ? go(`${path}?draft=${request.id}`, { replace: true }) : show()) };
  const charts = [];
  const cards = [...flag.environments].sort((a, b) => a.sortOrder - b.sortOrder).map((environment) => {
    const at = { project, flag: name, environment: environment.name };
    const used = usageOf(environment, signal);
    used.draw(usage);
    charts.push(used);
    const reviewed = rules.get(environment.name)?.reviewed;
    return h('section', { class: 'card environment' },
      h('header', null, h('h2', null, environment.name), state({ enabled: environment.enabled }), reviewed && h('span', { class: 'tag' }, flagText.reviewed), edit && switchOf(environment, at, edit)),
      strategiesOf(environment, at, names, edit), used.element);
  });
  const refresh = throttled(async () => {
    if (document.hidden || document.activeElement?.closest?.('.usage')) return;
    const next = await minutes().catch(() => null);
    if (next && !signal.aborted) for (const chart of charts) chart.draw(next);
  }, signal);
  addEventListener('live-usage', refresh, { signal });
  const newer = newerNote();
  watch(source, flag, settings, () => (isBusy() ? newer.tell() : show({ quiet: true })), signal);
  const draft = query.get('draft');
  return [
    h('nav', { class: 'crumbs', 'aria-label': commonText.youAreHere }, link('flags', null, frameText.places.flags), ' / ', h('span', null, project)),
    h('div', { class: 'title' }, heading(name), starOf(flag), flag.stale && h('span', { class: 'tag' }, flagText.stale), flag.archived && h('span', { class: 'tag' }, flagText.archived), h('div', { class: 'actions' }, actionsOf(flag, edit))),
    h('p', { class: 'lead' }, flag.description || flagText.noDescription),
    h('p', { class: 'facts' }, h('span', null, kindText[flag.type] ?? flag.type), h('span', null, flagText.created(when(flag.createdAt))), relatives(flag)),
    newer.element, pending.map((request) => pendingNote(request, draft)), h('div', { class: 'environments' }, cards), history(flag, signal),
  ];
}
