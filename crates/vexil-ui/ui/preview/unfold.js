// A list of which the first items are drawn, and the others when somebody asks for them.

import { h } from '../core/element.js';
import { effectText } from '../text.js';

/** Appends what `draw` makes of the first `most` items to `list`; gives back the button that appends the others and takes the focus to them, if there are any. One item more is no reason to fold. */
export function unfolding(list, items, most, draw) {
  const shown = items.length > most + 1 ? most : items.length;
  list.append(...items.slice(0, shown).map(draw));
  const rest = items.slice(shown);
  const unfold = rest.length > 0 && h('button', { type: 'button', class: 'quiet', onclick: () => {
    const more = rest.map(draw);
    list.append(...more);
    /** @type {any} */ (unfold).remove();
    // who comes by keyboard goes on where the button was
    more[0].setAttribute('tabindex', '-1');
    more[0].focus();
  } }, effectText.showMore(rest.length));
  return unfold;
}
