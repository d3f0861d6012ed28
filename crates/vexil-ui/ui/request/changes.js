// What is asked, change by change, in words.

import { code, h, joined } from '../core/element.js';
import { icon } from '../core/icon.js';
import { part } from '../core/api.js';
import { constraintWords, strategyDiff, strategyWords, variantWords } from '../core/words.js';
import { link } from '../core/router.js';
import { unfolding } from '../preview/unfold.js';
import { askedText } from '../text.js';

/** More flags than this are folded, and more changes of one. */
const MOST_CHANGES = 8;

/** A change as a mark and words. */
function changeWords({ action, payload }, names) {
  const title = payload?.title ?? payload?.snapshot?.title;
  const strategy = title ? askedText.strategyNamed(title) : askedText.aStrategy;
  const was = payload?.snapshot;
  switch (action) {
    case 'updateEnabled': return payload.enabled ? ['plus', askedText.on(payload.shouldActivateDisabledStrategies)] : ['minus', askedText.off];
    case 'addStrategy': return ['plus', askedText.add(strategy), h('div', null, strategyWords(payload, names))];
    case 'updateStrategy': return ['edit', askedText.change(strategy), was && payload.title !== undefined && (was.title ?? '') !== (payload.title ?? '') && askedText.untilNow(was.title), h('div', null, was ? strategyDiff(was, payload, names) : strategyWords(payload, names))];
    case 'deleteStrategy': return ['minus', askedText.remove(strategy), was && h('div', null, h('del', null, strategyWords(was, names)))];
    case 'patchVariant': return ['edit', askedText.variants(payload.variants?.length ? variantWords(payload.variants) : askedText.none)];
    case 'reorderStrategy': return ['edit', askedText.reorder];
    case 'archiveFeature': return ['minus', askedText.archive];
    case 'addDependency': return ['plus', askedText.depend(code(payload.feature), payload.enabled === false)];
    case 'deleteDependency': return ['minus', askedText.free];
    case 'updateSegment': return ['edit', askedText.segment(joined((payload.constraints ?? []).map(constraintWords), askedText.and))];
    case 'deleteSegment': return ['minus', askedText.deleteSegment];
    default: return ['edit', action];
  }
}

/** `tools` gives what stands beside a change, such as a button that takes it out. */
export function changesOf(request, names, tools = /** @type {(change: any) => any} */ (() => null)) {
  const line = (change) => {
    const [mark, ...words] = changeWords(change, names);
    const breaks = change.scheduleConflicts?.changeRequests;
    return h('li', { class: mark }, h('span', { class: 'sign' }, icon(mark)), h('div', null, words,
      change.conflict && h('p', { class: 'conflict' }, change.conflict),
      breaks && h('p', { class: 'conflict' }, askedText.breaks(joined(breaks.map((one) => link(`change-requests/${part(request.project)}/${one.id}`, null, one.title ?? `#${one.id}`)))))), tools(change));
  };
  const changesIn = (changes) => {
    const list = h('ul', null);
    return [list, unfolding(list, changes, MOST_CHANGES, line)];
  };
  const flag = (feature) => h('div', { class: 'changed' }, h('h3', null, link(`flags/${part(request.project)}/${part(feature.name)}`, null, feature.name)),
    feature.conflict && h('p', { class: 'conflict' }, feature.conflict),
    changesIn([...feature.changes, ...(feature.defaultChange ? [feature.defaultChange] : [])]));
  const segment = (one) => h('div', { class: 'changed' }, h('h3', null, askedText.segmentNamed(code(one.name))), h('ul', null, line(one)));
  const all = [...request.features.map((feature) => () => flag(feature)), ...request.segments.map((one) => () => segment(one))];
  const rest = all.length > MOST_CHANGES + 1 ? all.splice(MOST_CHANGES) : [];
  const box = h('div', { class: 'columns' }, all.map((draw) => draw()));
  const more = rest.length > 0 && h('button', { type: 'button', class: 'quiet', onclick: () => {
    box.append(...rest.map((draw) => draw()));
    /** @type {any} */ (more).remove();
  } }, askedText.more(rest.length));
  return [box, more, !request.features.length && !request.segments.length && h('p', { class: 'faint' }, askedText.nothing)];
}

