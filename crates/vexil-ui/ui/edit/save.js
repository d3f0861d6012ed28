// The end of an edit: saved at once where the person may, or added to the draft of a change request; the page says which, and why.

import { code, fill, h } from '../core/element.js';
import { ask } from '../core/dialog.js';
import { problem } from '../core/notice.js';
import { proof } from '../preview/proof.js';
import { sourceOfEdit } from './effect.js';
import { makeAtOnce, mayAtOnce, propose } from './make.js';
import { editText } from '../text.js';

/** Says how edits are made here: at once, or as changes of a draft. */
export function ruleNote(at, action, rules) {
  if (mayAtOnce(action, at, rules)) return null;
  const rule = rules.get(at.environment);
  return h('p', { class: 'note warn' }, rule?.reviewed ? editText.reviewed(code(at.environment), rule.approvals) : editText.mayNot);
}

/** The buttons that end an edit; the value of the one pressed says how. */
export function saveButtons(at, action, rules) {
  const direct = mayAtOnce(action, at, rules);
  const draft = h('button', { type: 'submit', value: 'draft', class: direct ? null : 'primary' }, direct ? editText.toRequest : editText.toDraft);
  return direct ? [draft, h('button', { type: 'submit', value: 'save', class: 'primary' }, editText.save)] : [draft];
}

/** Makes the changes in the way that was chosen. Gives the change request back where they went into one. */
export async function finish(at, changes, how) {
  if (how === 'draft') return propose(at, changes);
  for (const change of changes) await makeAtOnce(at, change);
  return null;
}

/**
 * Asks before changes are made that need no form, and says what they would do.
 * @param {{ at: any, changes: any[], rules: Map<string, any>, title: any, action: string, danger?: boolean, done: (request: any) => any }} options
 */
export function confirmChange({ at, changes, rules, title, action, danger, done }) {
  const [{ action: kind }] = changes;
  const direct = mayAtOnce(kind, at, rules);
  const leaving = new AbortController();
  const fault = h('div', null);
  const effect = proof(sourceOfEdit(at, () => changes), { query: new URLSearchParams(), signal: leaving.signal });
  const act = (how) => async () => done(await finish(at, changes, how));
  const box = ask({
    title, danger: direct && danger, action: direct ? action : editText.toDraft, act: act(direct ? 'save' : 'draft'),
    body: [ruleNote(at, kind, rules), effect.element, fault],
  });
  box.addEventListener('close', () => leaving.abort());
  if (!direct) return;
  const draft = h('button', { type: 'button', onclick: async () => {
    try {
      await act('draft')();
      box.close();
    } catch (error) {
      fill(fault, problem(error));
    }
  } }, editText.toRequest);
  box.querySelector('.actions').insertBefore(draft, box.querySelector('[type="submit"]'));
}

