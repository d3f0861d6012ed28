// Pages that notice what others do: an answer is asked for again when something changed, and compared with what is shown.

import { fill, h } from './element.js';
import { get } from './api.js';
import { show } from './router.js';
import { commonText } from '../text.js';

/** The least time between two refreshes, in milliseconds. */
const PAUSE = 1000;

/** Calls `work` at most once in a while; the last call is never lost. */
export function throttled(work, signal) {
  let waiting = 0, last = 0;
  const run = () => {
    waiting = 0;
    last = Date.now();
    if (!signal.aborted) work();
  };
  signal.addEventListener('abort', () => clearTimeout(waiting));
  return () => {
    if (!waiting) waiting = setTimeout(run, Math.max(0, last + PAUSE - Date.now()));
  };
}

/** Whether somebody is in the middle of something that drawing anew would take from under their hands. */
export function isBusy() {
  const at = document.activeElement;
  return Boolean(document.querySelector('dialog[open]')) || Boolean(at?.closest?.('#main') && !at.matches('#main, h1'));
}

/**
 * Calls `changed` with a newer answer to `path`, whenever others changed what `pick` takes of it. `shown` is the answer that the page shows.
 * @param {string} path @param {any} shown @param {(answer: any) => any} pick @param {(answer: any) => void} changed @param {AbortSignal} signal
 */
export function watch(path, shown, pick, changed, signal) {
  let before = JSON.stringify(pick(shown));
  const look = throttled(async () => {
    const answer = await get(path, { signal }).catch(() => null);
    const now = answer && JSON.stringify(pick(answer));
    if (signal.aborted || !now || now === before) return;
    before = now;
    changed(answer);
  }, signal);
  addEventListener('live-change', look, { signal });
}

/** A note that others changed what the page shows, with a button that shows it; `tell` makes it appear. */
export function newerNote() {
  const element = h('div', { role: 'status' });
  const tell = () => fill(element, h('p', { class: 'note' }, commonText.changed, ' ', h('button', { type: 'button', onclick: show }, commonText.showIt)));
  return { element, tell };
}
