// A real provider of single sign-on for the tests: the certified `oidc-provider`, with a page to sign in of its own.

import crypto from 'node:crypto';
import http from 'node:http';
import Provider from 'oidc-provider';

export const CLIENT = 'vexil', SECRET = 'a-secret-of-the-provider-and-the-server';

const coded = (value) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

/** An ID token with other claims, signed with the key of the provider: what it would say if it were wrong. */
function resigned(token, key, change) {
  const [head, claims] = token.split('.').slice(0, 2).map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()));
  const text = `${coded({ ...head, ...change.head })}.${coded({ ...claims, ...change.claims?.(claims) })}`;
  const signature = crypto.sign('sha256', Buffer.from(text), key);
  if (change.breaks) signature[0] ^= 1;
  return `${text}.${change.unsigned ? '' : signature.toString('base64url')}`;
}

/** Lets `alter` change the ID token in the answer of the token endpoint. */
function altering(answer, alter) {
  const end = answer.end.bind(answer);
  answer.end = (body, ...rest) => {
    const told = body ? JSON.parse(body.toString()) : {};
    if (!told.id_token) return end(body, ...rest);
    const text = JSON.stringify({ ...told, id_token: alter(told.id_token) });
    answer.setHeader('Content-Length', Buffer.byteLength(text));
    return end(text);
  };
}

/**
 * Starts it; `people` are claims by the name that signs in, and may be changed at any time. What `there.change` says is done
 * to each ID token: `{claims, head, breaks, unsigned}`, or `{replaces}` with another token.
 */
export async function start(people, callback) {
  let handle = (question, answer) => answer.end();
  const { privateKey } = crypto.generateKeyPairSync('rsa', { modulusLength: 2048 });
  const there = { change: null, tokens: [] };
  const listener = http.createServer((question, answer) => {
    if (question.url === '/token') {
      altering(answer, (token) => {
        there.tokens.push(token);
        const { change } = there;
        return change?.replaces ?? (change ? resigned(token, privateKey, change) : token);
      });
    }
    handle(question, answer);
  });
  await new Promise((done) => listener.listen(0, '127.0.0.1', done));
  const issuer = `http://127.0.0.1:${listener.address().port}`;
  const provider = new Provider(issuer, {
    clients: [{ client_id: CLIENT, client_secret: SECRET, redirect_uris: [callback], grant_types: ['authorization_code'], response_types: ['code'] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'preferred_username'], groups: ['groups'] },
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'the-key', use: 'sig', alg: 'RS256' }] },
    scopes: ['openid', 'email', 'profile', 'groups'],
    pkce: { required: () => true },
    cookies: { keys: ['the tests'] },
    features: { devInteractions: { enabled: true } },
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, ...people[id] }) }),
  });
  handle = provider.callback();
  return Object.assign(there, { issuer, close: () => listener.close() });
}
