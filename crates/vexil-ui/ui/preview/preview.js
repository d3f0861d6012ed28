// The preview: values in, an answer, a matrix of outcomes, and every cell explained. What is asked of the server, and what is
// said of the answer, is the affair of its source: a change request, or the playground.

import { announce, fill, h } from '../core/element.js';
import { isAbort } from '../core/api.js';
import { loading, problem } from '../core/notice.js';
import { remember } from '../core/router.js';
import { explained } from './explained.js';
import { inputs } from './inputs.js';
import { matrix } from './matrix.js';
import { matrixText } from '../text.js';

/** How long after the last change of a value the server is asked, in milliseconds. */
const PAUSE = 250;
/** How wide a matrix becomes in a window, in pixels, before the page is there and can be asked: what its style takes off, with the explanation beside it or below. */
const roomFor = (width) => Math.min(width, 1400) - (width < 980 ? 90 : 506);

/**
 * A source gives:
 * `sides`, the names of what is compared, or one name; `arrow`, whether the second follows from the first; `suggests` and `start()`,
 * whether values can be suggested and which stand there anyhow; `waits`, whether a cell is explained only when somebody chooses it; `load(fields, suggest, signal)`, the result;
 * `explain(flag, context, number, result)`, for each side what the server says of it, the environment, and the strategies known by id; `verb(outcome)`; `query()`, what its address says.
 */
export function preview(source, { query, signal, fields, extra = undefined, still = Promise.resolve() }) {
  const set = {
    fields, suggest: source.suggests && !fields.length, grouped: query.get('each') === null, swapped: query.has('swap') ? query.get('swap') === '1' : null,
    result: null, cell: null,
  };
  const answer = h('div', { class: 'outcome', 'aria-busy': 'true' }, loading(1));
  const shares = h('div', null);
  let running = new AbortController(), waiting = 0;
  signal.addEventListener('abort', () => {
    running.abort();
    clearTimeout(waiting);
  });

  const write = () => {
    const next = new URLSearchParams(source.query?.() ?? {});
    if (!set.suggest) for (const field of set.fields) for (const text of field.values) next.append(`c.${field.name}`, text);
    if (!set.grouped) next.set('each', '');
    if (set.swapped !== null) next.set('swap', set.swapped ? '1' : '0');
    remember(next);
  };
  const change = () => {
    clearTimeout(waiting);
    write();
    waiting = setTimeout(run, PAUSE);
  };
  const given = inputs(set, source, { change, extra });
  const why = h('aside', { class: 'why', tabindex: '-1', 'aria-label': matrixText.why }, source.waits ? h('p', { class: 'empty' }, matrixText.choose) : loading(5));
  const shown = matrix(set, source, { write, explained: explained(why, source, set, still), why });
  const busy = (is) => {
    element.classList.toggle('busy', is);
    answer.setAttribute('aria-busy', String(is));
  };
  const element = h('div', { class: 'preview' }, given.element, answer, h('div', { class: 'split' }, shown.element, why));

  function draw(result) {
    // asked for before anything changes, so that the browser need not lay out the page for it
    const width = shown.element.clientWidth || roomFor(innerWidth);
    set.result = result;
    set.fields = result.fields.map(({ name, values, suggested = [] }) => ({ name, values, suggested }));
    busy(false);
    fill(answer, result.answer);
    fill(shares, result.shares);
    if (!why.hasChildNodes()) fill(why, loading(5));
    given.draw();
    shown.draw(width);
    performance.mark('matrix');
  }

  async function run() {
    running.abort();
    running = new AbortController();
    const own = running.signal;
    busy(true);
    try {
      const result = await source.load(set.fields.map(({ name, values }) => ({ name, values })), set.suggest, own);
      if (own.aborted) return;
      draw(result);
      announce(answer.querySelector('.tried, .sentence')?.textContent ?? '');
    } catch (error) {
      if (isAbort(error) || own.aborted) return;
      busy(false);
      fill(answer, problem(error, run));
      if (!set.result) {
        shown.clear();
        fill(why);
        given.draw();
      }
    }
  }

  given.draw();
  const first = run();
  return { element, shares, set, run, write, first };
}
