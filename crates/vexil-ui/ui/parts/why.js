// Why a cell is what it is: a panel beside the matrix that follows the chosen cell, with a step through the combinations of a group.
// Loaded when somebody sees the panel.

import { code, fill, h } from '../core/element.js';
import { isAbort } from '../core/api.js';
import { value } from '../core/words.js';
import { loading, problem } from '../core/notice.js';
import { stepsOf } from '../preview/steps.js';
import { stepsTable } from '../preview/table.js';
import { whyText } from '../text.js';

/** How long an explanation may take before lines say that it is on its way, in milliseconds. */
const SLOW = 120;

export function drawExplanation(why, source, set) {
  const kept = new Map();
  let waiting = 0, shown = null;

  /** Explanations stay as long as they speak of the same draw. */
  function forget() {
    const about = JSON.stringify(set.result.draw ?? null);
    if (kept.get('') === about) return;
    kept.clear();
    kept.set('', about);
  }

  async function explain(flag, column, grid, member) {
    why.hidden = false;
    const number = column.members[member];
    const context = grid.context(number);
    const mine = shown = {};
    const step = (by) => explain(flag, column, grid, (member + by + column.members.length) % column.members.length);
    const stepper = column.members.length > 1 && h('p', { class: 'stepper' },
      h('button', { type: 'button', class: 'quiet', 'aria-label': whyText.previous, onclick: () => step(-1) }, '‹'), whyText.of(member + 1, column.members.length),
      h('button', { type: 'button', class: 'quiet', 'aria-label': whyText.next, onclick: () => step(1) }, '›'));
    const pairs = grid.fields.map((field) => h('span', { class: 'pair' }, h('span', { class: 'field' }, field.name), ' ', value(context[field.name])));
    const head = h('header', null, h('h3', null, whyText.title(code(flag.name), source.verb(flag.outcomes[flag.of[number]]))),
      h('p', { class: 'for' }, pairs.length ? [whyText.for, pairs] : whyText.forNobody), stepper);
    const held = document.activeElement?.closest?.('.stepper') ? document.activeElement.getAttribute('aria-label') : null;
    const draw = (content) => {
      if (shown !== mine) return;
      fill(why, head, content);
      if (held) /** @type {any} */ (head.querySelector(`[aria-label="${held}"]`))?.focus();
    };
    forget();
    const key = JSON.stringify([flag.name, context]);
    if (!kept.has(key)) kept.set(key, source.explain(flag, context, number, set.result));
    const slow = setTimeout(() => draw(loading(5)), SLOW);
    try {
      const sides = await kept.get(key);
      draw(stepsTable(sides.map(({ side, environment, known }) => stepsOf(side, environment, known)), source));
    } catch (error) {
      kept.delete(key);
      if (!isAbort(error)) draw(problem(error, () => explain(flag, column, grid, member)));
    } finally {
      clearTimeout(slow);
    }
  }

  return {
    show(flag, column, grid, wait) {
      clearTimeout(waiting);
      waiting = setTimeout(() => explain(flag, column, grid, 0), wait);
    },
  };
}
