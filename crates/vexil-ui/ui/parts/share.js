// A preview for elsewhere: its address, the request as curl, and what must stay so as an expectation for pipelines. Loaded
// when somebody wants one of them.

import { Refused, root } from '../core/api.js';
import { copy } from '../form/copy.js';
import { contextOf } from '../preview/context.js';
import { gridOf } from '../preview/grid.js';
import { copyText } from '../text.js';

/** A text as one word of a shell. */
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

function curl(request, set) {
  const body = { context: contextOf(set.fields), suggest: set.suggest, ...(set.result?.draw ?? {}) };
  const address = `${location.origin}${root}/api/admin/playground/change-request/${request.id}/diff`;
  return `curl -s ${quoted(address)} -H "Authorization: $TOKEN" -H 'Content-Type: application/json' -d ${quoted(JSON.stringify(body))}`;
}

/** The chosen cell as it would be, in the form that `vexil preview --expect` reads. */
function expectation(request, set) {
  if (!set.cell) throw new Refused(0, { message: copyText.noCell });
  const { flag: name, first } = set.cell;
  const flag = [...set.result.flags, ...(set.result.others.flags ?? [])].find((one) => one.name === name);
  const { kind, after } = flag.outcomes[flag.of[first]];
  const fields = Object.entries(gridOf(set.fields).context(first)).map(([field, value]) => ({ name: field, values: [value] }));
  const wanted = kind === 'unchanged' || !after ? { unchanged: true } : { enabled: after.enabled, ...(after.variant ? { variant: after.variant.name } : {}) };
  return JSON.stringify([{ name: document.title, flag: name, context: contextOf(fields), ...wanted }], null, 2);
}

function address(request, set) {
  const url = new URL(location.href);
  for (const [key, value] of Object.entries(set.result?.draw ?? {})) url.searchParams.set(key, value);
  return url.href;
}

const FORMS = { address, curl, expectation };

/** Copies the preview in one of these forms. */
export const copied = (form, request, set) => copy(FORMS[form](request, set));
