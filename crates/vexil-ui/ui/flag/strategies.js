// The strategies of a flag in an environment, in words, and what can be done with each.

import { h } from '../core/element.js';
import { icon } from '../core/icon.js';
import { part } from '../core/api.js';
import { strategyWords, variantWords } from '../core/words.js';
import { link } from '../core/router.js';
import { confirmChange } from '../edit/save.js';
import { flagText } from '../text.js';

/** The order of strategies with one of them moved. */
function reordered(strategies, index, by) {
  const ids = strategies.map((one) => one.id);
  ids.splice(index + by, 0, ...ids.splice(index, 1));
  return ids.map((id, sortOrder) => ({ id, sortOrder }));
}

/** `edit` is null where nothing can be changed; else the rules, the segments by id, and what is done after a change. */
export function strategiesOf(environment, at, names, edit) {
  const list = environment.strategies;
  const enabled = list.filter((one) => !one.disabled);
  const own = environment.variants?.length > 0 && h('p', { class: 'words' }, flagText.ownVariants(variantWords(environment.variants)));
  const place = `flags/${part(at.project)}/${part(at.flag)}/${part(at.environment)}`;
  const add = edit && link(`${place}/new`, { class: 'button quiet' }, icon('plus'), flagText.addStrategy);
  if (!list.length) return h('div', { class: 'strategies' }, h('p', { class: 'faint' }, environment.enabled ? flagText.noStrategyOn : flagText.noStrategyOff), own, add);
  const ask = (title, action, change, danger = false) => confirmChange({ at, changes: [change], rules: edit.rules, title, action, danger, done: edit.done });

  function tools(strategy, index) {
    const name = strategy.title || flagText.numbered(index + 1);
    const button = (words, label, act) => h('button', { type: 'button', class: 'quiet', 'aria-label': `${label}: ${name}`, onclick: act }, words);
    const move = (by, shape, label) => button(icon(shape), label, () => ask(flagText.moveQuestion(name), label, { action: 'reorderStrategy', payload: reordered(list, index, by) }));
    return h('div', { class: 'tools' }, link(`${place}/${part(strategy.id)}`, { class: 'button quiet', 'aria-label': `${flagText.edit}: ${name}` }, flagText.edit),
      button(flagText.remove, flagText.remove, () => ask(flagText.removeQuestion(name), flagText.remove, { action: 'deleteStrategy', payload: { id: strategy.id } }, true)),
      index > 0 && move(-1, 'up', flagText.moveUp), index < list.length - 1 && move(1, 'down', flagText.moveDown));
  }

  return h('div', { class: 'strategies' }, h('h3', null, !environment.enabled ? flagText.wouldBe : enabled.length > 1 ? flagText.whereAny : flagText.whereOne),
    h('ol', null, list.map((strategy, index) => h('li', { class: strategy.disabled && 'disabled' },
      strategy.title && h('span', { class: 'strategy-title' }, strategy.title), strategyWords(strategy, names), edit && tools(strategy, index), index < list.length - 1 && h('span', { class: 'or' }, flagText.or)))), own, add);
}
