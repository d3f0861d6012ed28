// The star of a flag: whether it is a favourite of who is signed in. A token is nobody, and has none.

import { h } from '../core/element.js';
import { icon } from '../core/icon.js';
import { part, post, remove, session } from '../core/api.js';
import { told } from '../core/dialog.js';
import { starText } from '../text.js';

/** A button that is pressed while the flag is a favourite; nothing for whom it cannot be one. */
export function starOf({ project, name, favorite, archived, archivedAt }) {
  if (!session.isUser || archived || archivedAt) return null;
  const path = `projects/${part(project)}/features/${part(name)}/favorites`;
  const turn = async () => {
    const on = button.getAttribute('aria-pressed') !== 'true';
    await (on ? post(path) : remove(path));
    button.setAttribute('aria-pressed', String(on));
  };
  const button = h('button', { type: 'button', class: 'quiet star', 'aria-pressed': String(Boolean(favorite)), 'aria-label': starText.of(name), title: starText.title, onclick: told(turn) }, icon('star'));
  return button;
}
