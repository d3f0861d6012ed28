// What stands around every page: head with places and the person's menu, keys, colours.

import { fill, h, announce } from './element.js';
import { told } from './dialog.js';
import { icon } from './icon.js';
import { root, session, signOff } from './api.js';
import { setZone, zone } from './number.js';
import { go, here, link, load, show } from './router.js';
import { frameText, commonText } from '../text.js';

const KEYS = 'vexil-keys';
const YEAR = 365 * 24 * 3600;
const PLACES = ['flags', 'change-requests', 'segments', 'playground', 'events', 'settings'];

const brand = () => h('svg:svg', { class: 'brand', viewBox: '0 0 16 16', 'aria-hidden': 'true' },
  h('svg:path', { class: 'pole', d: 'M3 1v14' }), h('svg:path', { class: 'cloth', d: 'M4 2h9l-2.5 3L13 8H4z' }));

const places = () => PLACES.map((path) => link(path, { 'aria-current': here().split('/')[0] === path ? 'page' : null }, frameText.places[path]));

/** The colours are kept in a cookie, so that the shell arrives in them. */
function setTheme(theme) {
  const chosen = theme === 'auto' ? '' : theme;
  document.cookie = `vexil-theme=${chosen};path=${root}/;max-age=${chosen ? YEAR : 0};samesite=lax`;
  if (chosen) document.documentElement.dataset.theme = chosen;
  else delete document.documentElement.dataset.theme;
}

async function signOut() {
  try {
    await signOff();
  } finally {
    location.assign(`${root}/ui/`);
  }
}

/** One of a few choices, as buttons of which one is pressed. */
export function choices(label, options, chosen, choose) {
  const group = h('div', { class: 'segments', role: 'group', 'aria-label': label }, options.map(([value, words]) => h('button', {
    type: 'button', 'data-value': value, 'aria-pressed': String(value === chosen), onclick: () => {
      for (const button of group.children) button.setAttribute('aria-pressed', String(button.dataset.value === String(value)));
      choose(value);
    },
  }, words)));
  return group;
}

function menu() {
  const theme = document.documentElement.dataset.theme ?? 'auto';
  return h('div', { id: 'menu', class: 'menu', popover: 'auto' },
    h('nav', { class: 'narrow', 'aria-label': frameText.main }, places()),
    session && h('p', { class: 'who' }, frameText.signedInAs, h('b', null, session.name)),
    h('div', { class: 'setting' }, h('span', null, frameText.colours), choices(frameText.colours, Object.entries(frameText.themes), theme, setTheme)),
    h('div', { class: 'setting' }, h('span', null, frameText.times), choices(frameText.times, Object.entries(frameText.zones), zone() ?? 'local', (value) => {
      setZone(value === 'UTC');
      show();
    })),
    h('button', { type: 'button', class: 'quiet', onclick: keysDialog }, frameText.keys),
    session && h('button', { type: 'button', class: 'quiet', onclick: signOut }, frameText.signOut));
}

let lost = false;

/** Says that the connection is lost, and takes it back. */
function connection(isLost) {
  lost = isLost;
  /** @type {any} */ (document.querySelector('#connection')).hidden = !lost;
  announce(lost ? frameText.lost : frameText.back);
}

function drawHead() {
  fill(document.querySelector('#top'),
    link('', { class: 'home' }, brand(), commonText.product),
    session && h('nav', { class: 'wide', 'aria-label': frameText.main }, places()),
    session && h('p', { id: 'connection', role: 'status', hidden: !lost }, icon('unlike'), h('span', null, frameText.lost)),
    menu(),
    h('button', { id: 'menu-button', type: 'button', class: 'quiet', popovertarget: 'menu' }, icon(session ? 'person' : 'menu'), h('span', null, session?.name ?? frameText.menu)));
}

// ---------- keys

/** Whether keys without Ctrl or Alt do something. */
export const singleKeys = () => localStorage.getItem(KEYS) !== 'off';
export const setSingleKeys = (on) => localStorage.setItem(KEYS, on ? 'on' : 'off');

const keysDialog = told(async () => (await load('keys')).showKeys());

/** How long after `g` a second key goes to a place, in milliseconds. */
const SECOND_KEY = 1500;
const GOES = { f: 'flags', c: 'change-requests', s: 'segments', p: 'playground', e: 'events' };

function listenForKeys() {
  let afterG = -SECOND_KEY;
  addEventListener('keydown', (event) => {
    const target = /** @type {Element} */ (event.target);
    if (!session || !singleKeys() || event.ctrlKey || event.metaKey || event.altKey) return;
    if (target.closest?.('input, textarea, select, dialog, [contenteditable]')) return;
    const filter = document.querySelector('[data-filter]');
    if (event.timeStamp - afterG < SECOND_KEY && GOES[event.key]) {
      afterG = -SECOND_KEY;
      go(GOES[event.key]);
    } else if (event.key === 'g') {
      afterG = event.timeStamp;
    } else if (event.key === '?') {
      keysDialog();
    } else if (event.key === '/' && filter) {
      event.preventDefault();
      /** @type {HTMLElement} */ (filter).focus();
    }
  });
}

/** Builds the frame; pages come into its middle. */
export function frame() {
  document.body.append(
    h('a', { class: 'skip', href: '#main' }, frameText.skip),
    h('header', { id: 'top' }), h('main', { id: 'main', tabindex: '-1' }),
    h('div', { id: 'live', class: 'sr', role: 'status', 'aria-live': 'polite' }));
  addEventListener('page', drawHead);
  addEventListener('live-lost', () => connection(true));
  addEventListener('live-back', () => connection(false));
  addEventListener('signed-out', () => {
    announce(frameText.signedOut);
    location.reload();
  }, { once: true });
  listenForKeys();
}
