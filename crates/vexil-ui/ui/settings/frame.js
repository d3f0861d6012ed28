// The settings: their sections, and what a section consists of.

import { h, hidden } from '../core/element.js';
import { may, session } from '../core/api.js';
import { ask } from '../core/dialog.js';
import { heading, link } from '../core/router.js';
import { settingsText } from '../text.js';

/** Sections, each with whom it is for. */
const SECTIONS = /** @type {[string, () => boolean][]} */ ([['profile', () => session.isUser], ['projects', () => true], ['environments', () => true], ['tokens', () => may('ADMIN')], ['users', () => may('ADMIN')]]);

/** A section of the settings. `actions` stand beside its heading. */
export function section(name, actions, ...children) {
  const places = SECTIONS.filter(([, shown]) => shown()).map(([one]) => link(`settings/${one}`, { 'aria-current': one === name ? 'page' : null }, settingsText.sections[one]));
  return h('div', { class: 'settings' }, h('nav', { class: 'sections', 'aria-label': settingsText.title }, places),
    h('div', null, h('div', { class: 'title' }, heading(settingsText.sections[name]), actions && h('div', { class: 'actions' }, actions)), children));
}

/** A table: heads, and rows of cells, the first of which is the row's name. */
export const table = (caption, heads, rows) => h('div', { class: 'card flush' }, h('table', { class: 'list' }, h('caption', { class: 'sr' }, caption),
  h('thead', null, h('tr', null, heads.map((head) => h('th', { scope: 'col' }, head || hidden(settingsText.actions))))),
  h('tbody', null, rows.map(([first, ...rest]) => h('tr', null, h('th', { scope: 'row' }, first), rest.map((cell, index) => h('td', { 'data-label': heads[index + 1] || null }, h('div', { class: 'cell-content' }, cell))))))));

/** A quiet button in a row; `about` names the row for those who hear the page. */
export const rowButton = (words, about, onclick) => h('button', { type: 'button', class: 'quiet', 'aria-label': `${words}: ${about}`, onclick }, words);

/** Asks before something is taken away. */
export const askRemove = (title, hint, act) => ask({ title, action: settingsText.remove, danger: true, body: hint && h('p', null, hint), act });
