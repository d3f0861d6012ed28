// Ways to take a preview elsewhere: its address, the request as curl, and what must stay so as an expectation for pipelines.

import { announce, h } from '../core/element.js';
import { icon } from '../core/icon.js';
import { root } from '../core/api.js';
import { contextOf } from '../preview/context.js';
import { gridOf } from '../preview/grid.js';
import { requestText } from '../text.js';

/** A text as one word of a shell. */
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

function curl(request, set) {
  const body = { context: contextOf(set.fields), suggest: set.suggest, ...(set.result?.draw ?? {}) };
  const address = `${location.origin}${root}/api/admin/playground/change-request/${request.id}/diff`;
  return `curl -s ${quoted(address)} -H "Authorization: $TOKEN" -H 'Content-Type: application/json' -d ${quoted(JSON.stringify(body))}`;
}

/** The chosen cell as it would be, in the form that `vexil preview --expect` reads. */
function expectation(set) {
  const { flag: name, first } = set.cell;
  const flag = [...set.result.flags, ...(set.result.others.flags ?? [])].find((one) => one.name === name);
  const { kind, after } = flag.outcomes[flag.of[first]];
  const fields = Object.entries(gridOf(set.fields).context(first)).map(([field, value]) => ({ name: field, values: [value] }));
  const wanted = kind === 'unchanged' || !after ? { unchanged: true } : { enabled: after.enabled, ...(after.variant ? { variant: after.variant.name } : {}) };
  return JSON.stringify([{ name: document.title, flag: name, context: contextOf(fields), ...wanted }], null, 2);
}

function address(set) {
  const url = new URL(location.href);
  for (const [key, value] of Object.entries(set.result?.draw ?? {})) url.searchParams.set(key, value);
  return url.href;
}

export function shareTools(request, set) {
  const button = (words, shape, text) => {
    const made = h('button', { type: 'button', class: 'quiet', onclick: async () => {
      await navigator.clipboard.writeText(text());
      announce(requestText.copied);
      made.lastChild.textContent = requestText.copied;
      setTimeout(() => { made.lastChild.textContent = words; }, 1500);
    } }, icon(shape), h('span', null, words));
    return made;
  };
  return h('span', { class: 'share' }, button(requestText.copyLink, 'link', () => address(set)), button(requestText.copyCurl, 'open', () => curl(request, set)), button(requestText.saveExpectation, 'check', () => expectation(set)));
}
