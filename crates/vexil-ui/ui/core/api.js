// The administration API, asked as whoever is signed in. The session lies in a cookie that scripts do not see.

import { errorText } from '../text.js';

const told = document.documentElement.dataset;
/** The base path of the server, without a slash behind it. */
export const root = told.base ?? '';
/** Where the files of this version lie. */
export const files = told.files ?? '';
/** Who is signed in and what the server allows; null for nobody. */
export const session = JSON.parse(told.session ?? 'null');

/** Answers that came with the shell, by their paths; each is used once. */
const given = JSON.parse(told.given || '{}');

/** How whoever is not signed in may sign in: with a password, at a provider; and whether links are sent by e-mail. */
export const waysIn = given['sign-in'] ?? { password: true };

/** An answer that says no. */
export class Refused extends Error {
  /** @param {number} status @param {any} [body] */
  constructor(status, body) {
    // where the details are is of no use to people: they stand below
    super(body?.message?.replace(/ Refer to the \x60details\x60 list for [^.]*\./, '') ?? errorText.status(status));
    this.status = status;
    this.details = (body?.details ?? []).filter((detail) => detail.message && detail.message !== body.message);
  }
}

export const isAbort = (error) => error?.name === 'AbortError';
export const part = encodeURIComponent;

/** Sends a request to a path below the base path, and reads JSON. */
export async function send(method, path, body, { signal } = /** @type {any} */ ({})) {
  const headers = { Accept: 'application/json' };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  let answer;
  try {
    answer = await fetch(`${root}/${path}`, { method, headers, signal, body: body === undefined ? undefined : JSON.stringify(body) });
  } catch (error) {
    if (isAbort(error)) throw error;
    throw new Refused(0, { message: method === 'GET' ? errorText.unreachable : errorText.unreachableWrite });
  }
  const text = await answer.text();
  let value = null;
  try {
    value = text ? JSON.parse(text) : null;
  } catch { /* no JSON: the status says enough */ }
  if (answer.status === 401 && session) dispatchEvent(new Event('signed-out'));
  if (!answer.ok) throw new Refused(answer.status, value);
  return value;
}

/** Ends the session. The answer leads to a page that is none of ours, and is not followed. */
export const signOff = () => fetch(`${root}/logout`, { method: 'POST', redirect: 'manual', headers: { 'Content-Type': 'application/json' }, body: '{}' });

const admin = (method) => (path, body, options) => send(method, `api/admin/${path}`, body, options);
export async function get(path, options) {
  const { [path]: answer } = given;
  delete given[path];
  return answer ?? send('GET', `api/admin/${path}`, undefined, options);
}
export const post = admin('POST');
export const put = admin('PUT');
export const remove = admin('DELETE');

/** What was asked for; null where the server says that it is not there, or that one may not see it. */
export const optional = (asked) => asked.catch((error) => {
  if (error instanceof Refused && [403, 404].includes(error.status)) return null;
  throw error;
});

/** Whether who is signed in may do something: everywhere, in a project, or in an environment of it. */
export function may(permission, project, environment) {
  const fits = (one) => (one.permission === 'ADMIN' || one.permission === permission)
    && (!one.project || one.project === '*' || !project || one.project === project) && (!one.environment || !environment || one.environment === environment);
  return Boolean(session?.permissions.some(fits));
}
