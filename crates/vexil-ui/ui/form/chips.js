// Values as chips: each a button that removes it; Enter or a comma adds, pasted lines become chips; many are folded.

import { fill, h } from '../core/element.js';
import { icon } from '../core/icon.js';
import { value } from '../core/words.js';
import { commonText, inputText } from '../text.js';

/** More values than this are folded to so many. */
const MOST_CHIPS = 10;
const FOLDED_CHIPS = 8;

/**
 * `name` is what the values are of; `suggested` are marked; with `unset` the empty value can be added.
 * @param {{ name: string, values: string[], suggested?: string[], unset?: boolean, id?: string, change: (values: string[]) => void }} options
 */
export function chips({ name, values, suggested = [], unset = false, id, change }) {
  const element = h('span', { class: 'chips' });
  let list = values, marked = suggested, open = false, of = name;

  const input = h('input', {
    class: 'add', id, 'aria-label': inputText.addTo(name), placeholder: inputText.addValue, autocomplete: 'off', spellcheck: 'false',
    onkeydown: (event) => {
      const text = input.value;
      if (event.key === 'Enter' || event.key === ',') {
        event.preventDefault();
        if (text.trim()) add(text);
      } else if (event.key === 'Backspace' && !text && list.length) {
        event.preventDefault();
        update(list.slice(0, -1));
      }
    },
    onpaste: (event) => {
      const text = event.clipboardData.getData('text');
      if (!/[\n,]/.test(text)) return;
      event.preventDefault();
      add(text);
    },
    onchange: () => input.value.trim() && add(input.value),
  });

  function update(next) {
    list = next;
    marked = [];
    draw();
    input.focus();
    change(list);
  }
  function add(text) {
    input.value = '';
    const found = text.split(/[\n,]/).map((one) => one.trim()).filter(Boolean);
    update([...new Set([...list, ...found])]);
  }
  const chip = (text) => h('button', {
    type: 'button', class: marked.includes(text) ? 'chip suggested' : 'chip', 'aria-label': inputText.remove(text || commonText.unset, of), onclick: () => update(list.filter((one) => one !== text)),
  }, value(text), icon('cross'));

  function draw() {
    const many = list.length > MOST_CHIPS && !open;
    const rest = list.length - FOLDED_CHIPS;
    const unfold = () => {
      open = true;
      draw();
      input.focus();
    };
    fill(element, (many ? list.slice(0, FOLDED_CHIPS) : list).map(chip),
      many && h('button', { type: 'button', class: 'chip more', 'aria-label': inputText.showMore(rest, of), onclick: unfold }, commonText.more(rest)), input,
      unset && !list.includes('') && h('button', { type: 'button', class: 'chip ghost', 'aria-label': inputText.addUnsetTo(of), onclick: () => update([...list, '']) }, inputText.addUnset));
  }
  draw();
  /** Says what the values are of by now; who is about to type is not disturbed. */
  const rename = (next) => {
    of = next;
    input.setAttribute('aria-label', inputText.addTo(of));
  };
  return { element, input, values: () => list, rename };
}
