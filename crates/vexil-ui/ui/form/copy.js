// Copying a text.

import { Refused } from '../core/api.js';
import { copyText } from '../text.js';

/** Puts a text where it can be pasted. Browsers offer that to pages over https alone, and to those of this machine. */
export async function copy(text) {
  if (!navigator.clipboard) throw new Refused(0, { message: copyText.none, details: [{ message: text }] });
  await navigator.clipboard.writeText(text);
}
