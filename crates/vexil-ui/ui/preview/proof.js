// Asks the server to prove whom changes touch, with guards that somebody may set: what must never, or only, be touched.

import { announce, fill, h } from '../core/element.js';
import { isAbort, post } from '../core/api.js';
import { loading, problem } from '../core/notice.js';
import { load } from '../core/router.js';
import { proven, provenShort } from './proven.js';
import { guardText } from '../text.js';

const GUARDS = ['never', 'only', 'atMost'];

/** The guards of an address, as they are sent: lists of conditions, and a share. */
function guardsOf(query) {
  const guards = {};
  for (const name of ['never', 'only']) if (query.getAll(name).some(Boolean)) guards[name] = query.getAll(name).filter(Boolean);
  if (query.get('atMost')) guards.atMost = query.get('atMost');
  return guards;
}

/**
 * `path` is asked for the proof, with what `body()` gives besides the guards; `changed` is called with the guards when somebody sets them.
 * @param {{ path: string, body?: () => object }} source @param {{ query: URLSearchParams, signal: AbortSignal, changed?: (guards: Record<string, string[]>) => void }} options
 */
export function proof({ path, body = () => ({}) }, { query, signal, changed }) {
  const shown = h('div', { class: 'answer', 'aria-busy': 'true' }, loading(2));
  const repeated = new Set();
  let guards = guardsOf(query), last = null, asking = new AbortController(), answered = () => {};
  const still = /** @type {Promise<void>} */ (new Promise((done) => { answered = done; }));
  signal.addEventListener('abort', () => asking.abort());

  const repeat = (place) => (place.isConnected ? fill(place, provenShort(last)) : repeated.delete(place));

  async function run() {
    asking.abort();
    asking = new AbortController();
    const own = asking.signal;
    shown.setAttribute('aria-busy', 'true');
    try {
      const answer = await post(`${path}/proof`, { ...body(), ...guards }, { signal: own });
      if (own.aborted) return;
      last = answer;
      fill(shown, proven(last));
      repeated.forEach(repeat);
      performance.mark('answer');
      announce(shown.querySelector('.sentence').textContent);
    } catch (error) {
      if (!isAbort(error) && !own.aborted) fill(shown, problem(error, run));
    } finally {
      answered();
      if (!own.aborted) shown.setAttribute('aria-busy', 'false');
    }
  }

  /** Fields for guards, folded as long as none is set, and loaded when somebody wants them. */
  function guardForm() {
    const body = h('div', null);
    const set = (next) => {
      guards = guardsOf(new URLSearchParams(Object.entries(next).flatMap(([name, list]) => list.map((one) => [name, one]))));
      changed?.(next);
      run();
    };
    const open = async () => {
      if (body.querySelector('form')) return;
      try {
        fill(body, (await load('guards')).guardFields(GUARDS, guards, set));
      } catch (error) {
        fill(body, problem(error, open));
      }
    };
    return h('details', { class: 'guard-form', open: Object.keys(guards).length > 0, ontoggle: open }, h('summary', null, guardText.title), body);
  }

  /** An element that says the proof in short, as soon as it is there. */
  const summary = () => {
    const place = h('div', { class: 'answer' }, loading(2));
    repeated.add(place);
    queueMicrotask(() => last && repeat(place));
    return place;
  };
  run();
  return { element: h('div', null, shown, changed && guardForm()), run, summary, still, isThere: () => last !== null, approves: () => last?.approves, isComplete: () => last?.complete };
}
