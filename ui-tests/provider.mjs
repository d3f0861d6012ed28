// A real provider of single sign-on for the tests: the certified `oidc-provider`, with a page to sign in of its own.

import http from 'node:http';
import Provider from 'oidc-provider';

export const CLIENT = 'vexil', SECRET = 'a-secret-of-the-provider-and-the-server';

/** Starts it; `people` are claims by the name that signs in, and may be changed at any time. */
export async function start(people, callback) {
  let handle = (question, answer) => answer.end();
  const listener = http.createServer((question, answer) => handle(question, answer));
  await new Promise((done) => listener.listen(0, '127.0.0.1', done));
  const issuer = `http://127.0.0.1:${listener.address().port}`;
  const provider = new Provider(issuer, {
    clients: [{ client_id: CLIENT, client_secret: SECRET, redirect_uris: [callback], grant_types: ['authorization_code'], response_types: ['code'] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'preferred_username'], groups: ['groups'] },
    scopes: ['openid', 'email', 'profile', 'groups'],
    pkce: { required: () => true },
    cookies: { keys: ['the tests'] },
    features: { devInteractions: { enabled: true } },
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, ...people[id] }) }),
  });
  handle = provider.callback();
  return { issuer, close: () => listener.close() };
}
