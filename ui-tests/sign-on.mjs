// Signing in with the help of others: at a certified provider of single sign-on, in a browser, and by letters that a real server for e-mail takes.

import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { SMTPServer } from 'smtp-server';
import { ADMIN, SERVER, accessible, api, check, equal, freePort, open, picture, run } from './harness.mjs';
import { CLIENT, SECRET, start } from './provider.mjs';
import { PASSWORD } from './seed.mjs';

const CALLBACK = `${SERVER}/auth/oidc/callback`;
const people = { ada: { email: 'ada@example.org', email_verified: true, name: 'Ada Aas', preferred_username: 'ada', groups: ['devs'] } };
const FLAGS = '/api/admin/projects/default/features';

/** From the page of the server to that of the provider. */
async function leave(page) {
  await page.goto(`${SERVER}/ui/flags`);
  await page.getByRole('link', { name: 'Sign in at your provider' }).click();
}

/** Signs in at the provider, and agrees to what the server may know. */
async function signInThere(page, name) {
  await page.locator('input[name=login]').fill(name);
  await page.locator('input[name=password]').fill('any will do');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
}

async function signedIn(browser, name) {
  const seen = [];
  const opened = await open(browser);
  opened.page.on('request', (request) => request.url().startsWith(CALLBACK) && seen.push(request.url()));
  await leave(opened.page);
  await signInThere(opened.page, name);
  await opened.page.getByRole('heading', { level: 1, name: 'Flags' }).waitFor();
  return { ...opened, callback: seen[0] };
}

const asks = ({ page }, method, address, body) => page.evaluate(([how, to, what]) => fetch(to, { method: how, headers: { 'Content-Type': 'application/json' }, body: what && JSON.stringify(what) }).then((answer) => answer.status), [method, address, body]);

async function refusedPage(page, name) {
  await page.getByText('You are not signed in').first().waitFor();
  check(`${name}: the page says what to do`, (await page.locator('body').innerText()).length > 60);
}

/** What the provider signs and must not be believed, and how far clocks may be apart. */
async function beliefs(there, { page }) {
  const now = () => Math.floor(Date.now() / 1000);
  const wrong = {
    'another audience': { claims: () => ({ aud: 'another' }) },
    'another audience beside this one': { claims: () => ({ aud: [CLIENT, 'another'] }) },
    'another nonce': { claims: () => ({ nonce: 'another' }) },
    'no nonce': { claims: () => ({ nonce: undefined }) },
    'another issuer': { claims: () => ({ iss: 'https://evil.example' }) },
    'a token that has expired': { claims: () => ({ exp: now() - 120 }) },
    'a token of a clock that is far ahead': { claims: () => ({ iat: now() + 600 }) },
    'a broken signature': { breaks: true },
    'no signature': { head: { alg: 'none' }, unsigned: true },
    'another algorithm': { head: { alg: 'HS256' } },
    'a key that nobody has told': { head: { kid: 'another' } },
    'a token that was told before': { replaces: there.tokens[0] },
  };
  for (const [name, change] of Object.entries(wrong)) {
    there.change = change;
    await page.goto(`${SERVER}/auth/oidc/login?to=/ui/flags`);
    await refusedPage(page, name);
    equal(`${name}: the provider was asked`, new URL(page.url()).pathname, '/auth/oidc/callback');
  }
  for (const [name, change] of Object.entries({
    'a clock that is a little behind': { claims: () => ({ exp: now() - 20 }) },
    'a clock that is a little ahead': { claims: () => ({ iat: now() + 20 }) },
  })) {
    there.change = change;
    await page.goto(`${SERVER}/auth/oidc/login?to=/ui/flags`);
    await page.getByRole('heading', { level: 1, name: 'Flags' }).waitFor();
    check(`${name} is no fault`, page.url().endsWith('/ui/flags'), page.url());
  }
  there.change = null;
}

async function provider(browser) {
  const there = await start(people, CALLBACK);
  const settings = (more) => api('POST', 'admin/auth/oidc/settings', { enabled: true, discoverUrl: there.issuer, clientId: CLIENT, secret: SECRET, enableGroupSyncing: true, groupJsonPath: 'groups', addGroupsScope: true, ...more });
  await settings();
  await api('POST', 'admin/groups', { name: 'team', rootRole: 2, mappingsSSO: ['devs'], users: [] });

  const ada = await signedIn(browser, 'ada');
  const own = await (await ada.context.request.get(`${SERVER}/api/admin/user`)).json();
  equal('whoever comes is known as the provider says', [own.user.username, own.user.email, own.user.name], ['ada', 'ada@example.org', 'Ada Aas']);
  equal('the group of the provider gives its rights', await asks(ada, 'POST', FLAGS, { name: 'by-ada' }), 201);

  await ada.page.goto(ada.callback);
  await refusedPage(ada.page, 'an answer that was used');
  const stranger = await open(browser);
  await leave(stranger.page);
  await stranger.page.goto(ada.callback);
  await refusedPage(stranger.page, 'an answer of another browser');
  await leave(stranger.page);
  await stranger.page.goto(`${CALLBACK}?code=made-up&state=made-up`);
  await refusedPage(stranger.page, 'a state that nobody made');
  await leave(stranger.page);
  await stranger.page.getByRole('link', { name: 'Cancel' }).click();
  await refusedPage(stranger.page, 'whoever gives up at the provider');

  await beliefs(there, ada);

  people.ada.groups = [];
  const later = await signedIn(browser, 'ada');
  for (const [name, one] of [['the new session', later], ['the old session', ada]]) {
    await one.page.goto(`${SERVER}/ui/flags`);
    equal(`a group that is gone takes its rights from ${name}`, await asks(one, 'POST', FLAGS, { name: 'again' }), 403);
  }

  await settings({ secret: 'not-the-secret-of-the-client-at-all' });
  const wrong = await open(browser);
  await leave(wrong.page);
  await signInThere(wrong.page, 'ada');
  await refusedPage(wrong.page, 'a server that the provider does not know');
  await settings();

  await api('POST', 'admin/auth/simple/settings', { disabled: true });
  const plain = await open(browser);
  await plain.page.goto(`${SERVER}/ui/flags`);
  await plain.page.getByRole('link', { name: 'Sign in at your provider' }).waitFor();
  equal('without passwords there is no field for one', await plain.page.getByLabel('User name or email address').count(), 0);
  await accessible(plain.page, 'sign in at a provider');
  await picture(plain.page, 'sign-in-provider');
  await api('POST', 'admin/auth/simple/settings', { disabled: false });
  await api('POST', 'admin/auth/oidc/settings', { enabled: false });
  there.close();
}

/** A server of our own that sends letters. */
async function serverWithMail(mailPort) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'vexil-mail-')), port = await freePort(), url = `http://127.0.0.1:${port}`;
  const told = { DATABASE_URL: `sqlite:${path.join(folder, 'v.db')}`, HTTP_HOST: '127.0.0.1', HTTP_PORT: String(port), INIT_ADMIN_API_TOKENS: ADMIN, UNLEASH_URL: url, EMAIL_HOST: '127.0.0.1', EMAIL_PORT: String(mailPort), EMAIL_USER: 'vexil', EMAIL_PASSWORD: 'for-mail', EMAIL_SENDER: 'Flags <flags@example.org>' };
  const process_ = spawn(process.env.VEXIL_PROGRAM, ['serve'], { env: { ...process.env, ...told }, stdio: 'ignore' });
  for (let tries = 0; tries < 300; tries++) {
    if (await fetch(`${url}/ready`).then((answer) => answer.ok, () => false)) break;
    await new Promise((done) => { setTimeout(done, 50); });
  }
  return { url, stop: () => { process_.kill(); fs.rmSync(folder, { recursive: true, force: true }); } };
}

async function letters(browser) {
  const taken = [];
  let arrived = () => {};
  const mail = new SMTPServer({
    authOptional: false,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth: ({ username, password }, _, done) => (username === 'vexil' && password === 'for-mail' ? done(null, { user: username }) : done(new Error('who are you?'))),
    onData(stream, { envelope }, done) {
      let text = '';
      stream.on('data', (part) => { text += part; });
      stream.on('end', () => {
        taken.push({ to: envelope.rcptTo.map(({ address }) => address), from: envelope.mailFrom.address, text: text.replaceAll(/=\r\n/g, '').replaceAll('=3D', '=') });
        arrived();
        done();
      });
    },
  });
  await new Promise((done) => { mail.listen(0, '127.0.0.1', done); });
  const next = async () => {
    if (taken.length === 0) await new Promise((done) => { arrived = done; });
    return taken.shift();
  };
  const { url, stop } = await serverWithMail(mail.server.address().port);
  const create = await fetch(`${url}/api/admin/user-admin`, { method: 'POST', headers: { Authorization: ADMIN, 'Content-Type': 'application/json' }, body: JSON.stringify({ email: 'carla@example.org', name: 'Carla', rootRole: 3, sendEmail: true }) });
  equal('the server says that a letter was sent', (await create.json()).emailSent, true);
  const invitation = await next();
  equal('the invitation goes to the new user', [invitation.to, invitation.from], [['carla@example.org'], 'flags@example.org']);
  const linkIn = ({ text }) => text.match(/http:\S+token=\S+/)?.[0] ?? 'none';
  check('its link leads to this server', linkIn(invitation).startsWith(`${url}/new-user?token=`), linkIn(invitation));

  const { page } = await open(browser);
  await page.goto(linkIn(invitation));
  await page.locator('input[type=password]').first().fill(PASSWORD);
  const again = page.locator('input[type=password]').nth(1);
  if (await again.count()) await again.fill(PASSWORD);
  await page.locator('button').first().click();
  await page.waitForLoadState();
  const login = (password) => fetch(`${url}/auth/simple/login`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ username: 'carla@example.org', password }) }).then((answer) => answer.status);
  equal('the link has set the password', await login(PASSWORD), 200);

  const other = await open(browser);
  await other.page.goto(`${url}/ui/flags`);
  await other.page.getByRole('button', { name: 'Forgotten your password?' }).click();
  await other.page.getByLabel('Email address').fill('nobody@example.org');
  await other.page.getByRole('button', { name: 'Send a link' }).click();
  await other.page.getByText('a link is on its way').waitFor();
  await accessible(other.page, 'forgotten password');
  await picture(other.page, 'forgotten-password');
  await other.page.goto(`${url}/ui/flags`);
  await other.page.getByRole('button', { name: 'Forgotten your password?' }).click();
  await other.page.getByLabel('Email address').fill('carla@example.org');
  await other.page.getByRole('button', { name: 'Send a link' }).click();
  const reset = await next();
  equal('nobody gets a letter for an address that is not known', reset.to, ['carla@example.org']);
  check('its link leads to this server too', linkIn(reset).startsWith(`${url}/reset-password?token=`), linkIn(reset));
  equal('errors of pages', other.errors, []);
  stop();
  mail.close();
}

await run('sign-on', async (browser) => {
  await provider(browser);
  await letters(browser);
});
