// What happens on the server, as it happens: one connection for the tab, while somebody looks at it. Pages listen for the events
// `live-usage` and `live-change` of the window; `live-lost` and `live-back` tell of the connection itself.

import { root, session } from './api.js';

/** How long after the page stands the connection is made, and how long after a refusal it is tried again, in milliseconds. */
const SOON = 400;
const LATER = 5000;
/** How long the connection may be away before it is called lost: it ends and is made anew by itself every few minutes. */
const PATIENCE = 4000;

let source = null;
let lost = false;
let away = 0;

const tell = (name) => dispatchEvent(new Event(name));

function close() {
  source?.close();
  source = null;
}

function open() {
  if (source || document.hidden) return;
  source = new EventSource(`${root}/api/admin/live`);
  source.addEventListener('open', () => {
    if (!away) return;
    clearTimeout(away);
    away = 0;
    if (lost) tell('live-back');
    lost = false;
    // whatever happened meanwhile was not told
    tell('live-change');
    tell('live-usage');
  });
  source.addEventListener('change', () => tell('live-change'));
  source.addEventListener('usage', () => tell('live-usage'));
  source.addEventListener('error', () => {
    away ||= setTimeout(() => {
      lost = true;
      tell('live-lost');
    }, PATIENCE);
    // the browser tries again by itself, unless the server refused
    if (source?.readyState === EventSource.CLOSED) {
      close();
      setTimeout(open, LATER);
    }
  });
}

/** Begins to listen. A tab that nobody sees holds no connection. */
export function listen() {
  if (!session) return;
  setTimeout(open, SOON);
  document.addEventListener('visibilitychange', () => (document.hidden ? close() : open()));
}
