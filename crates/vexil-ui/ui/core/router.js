// Pages by path: shows the page of an address, follows links within, keeps what a page is set to in its address.

import { fill, h, seen } from './element.js';
import { Refused, files, isAbort, root, session } from './api.js';
import { loading, problem } from './notice.js';
import { routeOf } from './routes.js';
import { commonText, errorText } from '../text.js';

const place = `${root}/ui/`;
/** Paths that stand for another. */
const INSTEAD = { '': 'flags', settings: 'settings/projects' };
/** How long the first page may take until something stands in its place, in milliseconds. */
const PATIENCE = 150;
let leaving = new AbortController();
/** Asks before a page with unsaved changes is left; null where there are none. */
let unsaved = null;
let current = '';

export const href = (path) => place + path;
export const link = (path, attributes, ...children) => h('a', { href: href(path), ...attributes }, ...children);
/** The path of the page below `ui/`, as it stands in the address. */
export const here = () => location.pathname.slice(place.length).replace(/\/$/, '');

/** The heading of a page; the title of the window follows it. */
export function heading(text, ...more) {
  document.title = seen(commonText.windowTitle(text));
  return h('h1', { tabindex: '-1' }, text, ...more);
}

/** Writes what a page is set to into its address, so that it can be sent to somebody. */
export function remember(query) {
  const text = query.toString();
  history.replaceState(null, '', location.pathname + (text ? `?${text}` : ''));
  current = location.href;
}

/** From now on leaving the page asks first, while `test` says so. */
export function holdUnsaved(test) {
  unsaved = test;
}

const mayLeave = () => !unsaved?.() || confirm(commonText.unsaved);

/** Goes to a page; `replace` puts it in this one's place. */
export function go(path, { replace = false, force = false } = {}) {
  if (!force && !mayLeave()) return;
  unsaved = null;
  history[replace ? 'replaceState' : 'pushState'](null, '', href(path));
  show();
}

/** Loads a page, or a part of one. One that is gone is of an older version of the server: the shell knows the new one. */
export async function load(name) {
  try {
    return await import(`${files}/${name}.js`);
  } catch (error) {
    throw new Refused(0, { message: errorText.noModule });
  }
}

/** Shows the page of the address; quietly, it is drawn anew where it stands. */
export async function show({ quiet = false } = {}) {
  leaving.abort();
  leaving = new AbortController();
  unsaved = null;
  current = location.href;
  const { signal } = leaving;
  const main = document.querySelector('#main');
  dispatchEvent(new Event('page'));
  const instead = session && INSTEAD[here()];
  if (instead) return go(instead, { replace: true });
  const isFirst = !main.hasChildNodes();
  if (!quiet && !isFirst) fill(main, loading());
  // the first page is mostly there before a browser has drawn what would stand in its place
  const slow = isFirst && setTimeout(() => signal.aborted || fill(main, loading()), PATIENCE);
  try {
    const found = session ? routeOf(here()) : { page: 'sign-in', params: {} };
    if (!found) throw new Refused(404, { message: errorText.noPage });
    const module = await load(found.page);
    const content = await module.page({ params: found.params, query: new URLSearchParams(location.search), signal });
    clearTimeout(slow);
    if (signal.aborted) return;
    fill(main, content);
  } catch (error) {
    clearTimeout(slow);
    if (isAbort(error) || signal.aborted) return;
    const gone = error.status === 404;
    const again = error.message === errorText.noModule ? () => location.reload() : show;
    fill(main, heading(gone ? errorText.notFound : errorText.notShown), problem(error, gone ? null : () => again()), link('flags', null, commonText.allFlags));
  }
  if (quiet) return;
  if (!main.contains(document.activeElement)) main.querySelector('h1')?.focus({ preventScroll: true });
  scrollTo(0, 0);
}

addEventListener('click', (event) => {
  const anchor = /** @type {Element} */ (event.target).closest?.('a[href]');
  if (!anchor || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || anchor.getAttribute('target')) return;
  const url = new URL(/** @type {HTMLAnchorElement} */ (anchor).href);
  if (url.origin !== location.origin || !url.pathname.startsWith(place) || url.hash) return;
  event.preventDefault();
  if (!mayLeave()) return;
  history.pushState(null, '', url.pathname + url.search);
  show();
});

addEventListener('popstate', () => {
  if (mayLeave()) show();
  else history.pushState(null, '', current);
});

addEventListener('beforeunload', (event) => {
  if (unsaved?.()) event.preventDefault();
});
