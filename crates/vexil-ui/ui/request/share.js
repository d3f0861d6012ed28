// Ways to take a preview elsewhere, each a button that copies it.

import { announce, h } from '../core/element.js';
import { told } from '../core/dialog.js';
import { icon } from '../core/icon.js';
import { load } from '../core/router.js';
import { requestText } from '../text.js';

export function shareTools(request, set) {
  const button = (words, shape, what) => {
    const made = h('button', { type: 'button', class: 'quiet', onclick: told(async () => {
      await (await load('share')).copied(what, request, set);
      announce(requestText.copied);
      made.lastChild.textContent = requestText.copied;
      setTimeout(() => { made.lastChild.textContent = words; }, 1500);
    }) }, icon(shape), h('span', null, words));
    return made;
  };
  return h('span', { class: 'share' }, button(requestText.copyLink, 'link', 'address'), button(requestText.copyCurl, 'open', 'curl'), button(requestText.saveExpectation, 'check', 'expectation'));
}
