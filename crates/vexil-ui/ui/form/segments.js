// Segments of a strategy: those chosen, and a list to add from.

import { fill, h } from '../core/element.js';
import { icon } from '../core/icon.js';
import { pickText } from '../text.js';

/** `load` gives the segments that may be used, when somebody wants to add one; `given` are the ids of those that are. */
export function segmentPicker({ load, given, change }) {
  let chosen = [...given], all = null;
  const element = h('div', { class: 'picker', 'data-name': 'segments' });
  const nameOf = (id) => all?.find((one) => one.id === id)?.name ?? `#${id}`;
  const update = (next) => {
    chosen = next;
    draw();
    element.querySelector('select')?.focus();
    change();
  };
  async function open() {
    all = await load().catch(() => []);
    draw();
    element.querySelector('select')?.focus();
  }
  function draw() {
    const left = all?.filter((one) => !chosen.includes(one.id)) ?? [];
    fill(element, h('span', { class: 'chips' }, chosen.map((id) => h('button', { type: 'button', class: 'chip', 'aria-label': pickText.remove(nameOf(id)), onclick: () => update(chosen.filter((one) => one !== id)) }, h('span', { class: 'value' }, nameOf(id)), icon('cross'))),
      all === null ? h('button', { type: 'button', class: 'quiet add-segment', onclick: open }, icon('plus'), pickText.add)
        : left.length > 0 && h('select', { class: 'pick-segment', 'aria-label': pickText.choose, onchange: (event) => event.target.value && update([...chosen, Number(event.target.value)]) },
          h('option', { value: '' }, pickText.choose), left.map((one) => h('option', { value: one.id }, one.name)))), all?.length === 0 && h('p', { class: 'hint' }, pickText.none));
  }
  draw();
  if (chosen.length) open();
  return { element, ids: () => chosen };
}
