// One flag: what it does in each environment, in words, and its last sixty minutes.

import { code, h, joined } from '../core/element.js';
import { icon } from '../core/icon.js';
import { get, optional, part } from '../core/api.js';
import { when } from '../core/number.js';
import { state, strategyWords, variantMark, variantWords } from '../core/words.js';
import { heading, link } from '../core/router.js';
import { usageOf } from '../flag/usage.js';
import { commonText, flagText, flagsText, kindText } from '../text.js';

const REFRESH = 15_000;

const flagLink = (project, name) => link(`flags/${part(project)}/${part(name)}`, null, code(name));

/** The strategies of an environment, any of which lets somebody in. */
function strategies(environment, names) {
  const enabled = environment.strategies.filter((one) => !one.disabled);
  const own = environment.variants?.length > 0 && h('p', { class: 'words' }, flagText.ownVariants(variantWords(environment.variants)));
  if (!environment.strategies.length) return h('div', { class: 'strategies' }, h('p', { class: 'faint' }, environment.enabled ? flagText.noStrategyOn : flagText.noStrategyOff), own);
  const last = environment.strategies.length - 1;
  return h('div', { class: 'strategies' },
    h('h3', null, !environment.enabled ? flagText.wouldBe : enabled.length > 1 ? flagText.whereAny : flagText.whereOne),
    h('ol', null, environment.strategies.map((strategy, index) => h('li', { class: strategy.disabled && 'disabled' },
      strategy.title && h('span', { class: 'strategy-title' }, strategy.title), strategyWords(strategy, names), index < last && h('span', { class: 'or' }, flagText.or)))), own);
}

/** What the flag depends on, and what depends on it. */
function relatives(flag, project) {
  return [
    flag.dependencies.map((parent) => h('span', null, flagText.needs(flagLink(project, parent.feature), parent.enabled === false, (parent.variants ?? []).map(variantMark)))),
    flag.children.length > 0 && h('span', null, flagText.neededBy(flag.children.map((child) => flagLink(project, child)))),
  ];
}

export async function page({ params: { project, flag: name }, signal }) {
  const minutes = () => optional(get(`client-metrics/features/${part(name)}/minutes`, { signal }));
  const [flag, usage, pending] = await Promise.all([
    get(`projects/${part(project)}/features/${part(name)}?variantEnvironments=true`, { signal }), minutes(),
    get(`projects/${part(project)}/change-requests/pending/${part(name)}`, { signal }),
  ]);
  const names = new Map();
  if (flag.environments.some((one) => one.strategies.some((strategy) => strategy.segments?.length))) {
    for (const one of (await get('segments', { signal })).segments) names.set(one.id, one.name);
  }
  const charts = [];
  const cards = [...flag.environments].sort((a, b) => a.sortOrder - b.sortOrder).map((environment) => {
    const used = usageOf(environment, signal);
    used.draw(usage);
    charts.push(used);
    return h('section', { class: 'card environment' }, h('header', null, h('h2', null, environment.name), state({ enabled: environment.enabled })), strategies(environment, names), used.element);
  });
  const again = setInterval(async () => {
    if (document.hidden || document.activeElement?.closest?.('.usage')) return;
    const next = await minutes().catch(() => null);
    if (next && !signal.aborted) for (const chart of charts) chart.draw(next);
  }, REFRESH);
  signal.addEventListener('abort', () => clearInterval(again));
  return [
    h('nav', { class: 'crumbs', 'aria-label': commonText.youAreHere }, link('flags', null, flagsText.title), ' / ', h('span', null, project)),
    h('div', { class: 'title' }, heading(name), flag.stale && h('span', { class: 'tag' }, flagsText.stale), flag.archived && h('span', { class: 'tag' }, flagsText.archived)),
    h('p', { class: 'lead' }, flag.description || flagText.noDescription),
    h('p', { class: 'facts' }, h('span', null, kindText[flag.type] ?? flag.type), h('span', null, flagText.created(when(flag.createdAt))), relatives(flag, project)),
    pending.map((request) => link(`change-requests/${part(project)}/${request.id}`, { class: 'note pending' }, icon('edit'), h('span', null, flagText.wouldChange(request.title ?? flagText.untitled(request.id), request.environment)))),
    h('div', { class: 'environments' }, cards),
  ];
}
