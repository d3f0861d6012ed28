// The same five tasks in these pages and in Unleash's own, each done once by a script that clicks as a person must: how many clicks, how
// long until the answer stands there, how many requests and bytes, and what axe finds on the way. What the open-source Unleash cannot do
// is done in the pages of its Enterprise edition, which come with its package, in front of this server.

import { SERVER, api, axeFindings, check, open, run } from './harness.mjs';
import { changeRequest, constraint, flag, person, rollout } from './seed.mjs';
import { front } from './unleash-front.mjs';

/** A real Unleash, with its own pages. */
const PEER = process.env.PEER_URL, PEER_ADMIN = process.env.PEER_ADMIN_TOKEN, PEER_CLIENT = process.env.PEER_CLIENT_TOKEN;
const HALF_OF_NORWAY = (name) => rollout(name, 50, { constraints: [constraint('country', 'IN', 'NO')] });

// ---------- what must be there

async function peer(method, path, body, token = PEER_ADMIN) {
  const answer = await fetch(`${PEER}/api/${path}`, { method, headers: { Authorization: token, 'Content-Type': 'application/json' }, body: body && JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${(await answer.text()).slice(0, 300)}`);
}

/** Two flags, of which one is used, alike on a server. */
async function flags(ask, client) {
  const base = 'admin/projects/default/features';
  for (const name of ['banner', 'checkout']) await ask('POST', base, { name, description: `The ${name}`, type: 'release' });
  await ask('POST', `${base}/checkout/environments/development/strategies`, HALF_OF_NORWAY('checkout'));
  await ask('POST', `${base}/checkout/environments/development/on`, {});
  const now = Date.now(), bucket = { start: new Date(now - 120_000).toISOString(), stop: new Date(now - 60_000).toISOString(), toggles: { checkout: { yes: 70, no: 30, variants: {} } } };
  await ask('POST', 'client/metrics', { appName: 'shop-web', instanceId: 'one', bucket }, client);
}

// ---------- a person who counts

class Person {
  constructor({ page, context, errors }, network) {
    Object.assign(this, { page, context, errors, clicks: 0, findings: new Set(), away: 0 });
    this.requests = 0;
    this.bytes = 0;
    network.on('Network.requestWillBeSent', ({ request }) => { if (!request.url.startsWith('data:')) this.requests += 1; });
    network.on('Network.dataReceived', ({ encodedDataLength }) => { this.bytes += encodedDataLength; });
    network.on('Network.responseReceived', ({ response }) => { this.heads = (this.heads ?? 0) + (response.encodedDataLength ?? 0); });
  }

  async click(locator) {
    this.clicks += 1;
    await locator.first().click();
  }

  /** Clicks into a field and types. */
  async type(locator, text, key = undefined) {
    await this.click(locator);
    await this.page.keyboard.press('Control+A');
    await this.page.keyboard.type(text);
    if (key) await this.page.keyboard.press(key);
  }

  button = (name) => this.page.getByRole('button', { name, exact: true });

  /** By what stands on it: what it is called for readers is often something else. */
  labelled = (text) => this.page.locator('button', { hasText: text }).locator('visible=true');

  sees = (text) => this.page.getByText(text).locator('visible=true').first().waitFor();

  /** Lets axe look, while the clock stands still. */
  async look() {
    const begun = performance.now();
    for (const one of await axeFindings(this.page)) this.findings.add(`${new URL(this.page.url()).pathname} ${one}`);
    this.away += performance.now() - begun;
  }
}

/** Does a task from a page that is open, with nothing kept but the session. */
async function measured(browser, state, start, task) {
  const opened = await open(browser, { storageState: state, bypassCSP: true });
  const network = await opened.context.newCDPSession(opened.page);
  await network.send('Network.enable');
  const one = new Person(opened, network);
  opened.page.setDefaultTimeout(30_000);
  const begun = performance.now();
  await opened.page.goto(start);
  await task(one);
  const seconds = (performance.now() - begun - one.away) / 1000;
  await one.look();
  const told = { clicks: one.clicks, seconds: seconds.toFixed(1), requests: one.requests, kB: Math.round((one.bytes + (one.heads ?? 0)) / 1000), axe: one.findings.size };
  if (process.env.VEXIL_PICTURES) await opened.page.screenshot({ path: `${process.env.VEXIL_PICTURES}/compare-${start.replace(/\W+/g, '-').slice(-40)}-${one.clicks}.png` });
  await opened.context.close();
  return told;
}

// ---------- the tasks

/** In these pages, from the list of flags or of change requests. */
const ours = {
  'turn a flag on for half of Norway': ['/ui/flags', async (one) => {
    await one.click(one.page.getByRole('link', { name: 'banner', exact: true }));
    await one.click(one.page.getByRole('link', { name: 'Add a strategy', exact: true }));
    await one.type(one.page.getByRole('spinbutton', { name: 'Share of those who meet the conditions' }), '50');
    await one.click(one.button('Add a condition'));
    await one.type(one.page.getByLabel('Context field', { exact: true }), 'country');
    await one.type(one.page.getByLabel('Add values to country', { exact: true }), 'NO', 'Enter');
    await one.look();
    await one.click(one.button('Save'));
    await one.click(one.button('Turn on in development'));
    await one.page.locator('dialog .sentence').waitFor();
    await one.click(one.button('Turn on'));
    await one.button('Turn off in development').waitFor();
  }],
  'see who used it in the last hour': ['/ui/flags', async (one) => {
    await one.click(one.page.getByRole('link', { name: 'checkout', exact: true }));
    await one.page.locator('.environment', { hasText: 'development' }).getByText('shop-web').first().waitFor();
  }],
  'review a change request': ['/ui/change-requests', async (one) => {
    await one.click(one.page.getByRole('link', { name: 'Open checkout to Sweden', exact: true }));
    await one.page.locator('.bound').first().waitFor();
    await one.look();
    await one.click(one.button('Approve exactly this'));
    await one.page.locator('.progress .now', { hasText: 'Approved' }).waitFor();
  }],
  'find out whom it hits': ['/ui/change-requests', async (one) => {
    await one.click(one.page.getByRole('link', { name: 'Open checkout to Sweden', exact: true }));
    await one.page.locator('.bound.proven').waitFor();
  }],
  'find out why one user is off': ['/ui/flags', async (one) => {
    await one.click(one.page.getByRole('link', { name: 'Playground', exact: true }));
    one.clicks += 1;
    await one.page.getByLabel('Environment', { exact: true }).selectOption('development');
    await one.type(one.page.getByLabel('Add values to userId', { exact: true }), 'anna', 'Enter');
    await one.type(one.page.getByLabel('Add values to country', { exact: true }), 'SE', 'Enter');
    await one.click(one.button('Each combination'));
    // the last of the countries, and the last of the four users
    await one.click(one.page.locator('td[data-flag="checkout"][data-row="11"]'));
    await one.page.locator('.why .for', { hasText: 'SE' }).filter({ hasText: 'anna' }).waitFor();
    await one.page.locator('.why .decides').first().waitFor();
  }],
};

/** In Unleash's pages, from the list of the project's flags. */
const theirs = {
  'turn a flag on for half of Norway': ['/projects/default', async (one) => {
    await one.click(one.page.getByRole('link', { name: 'banner', exact: true }));
    await one.click(one.labelled(/^Add strategy/));
    await one.look();
    await one.click(one.page.locator('[role=dialog] a, [role=dialog] button', { hasText: /Gradual rollout|Configure|Custom rollout/ }));
    await one.type(one.page.locator('input[type=number]').or(one.page.locator('input[inputmode=numeric]')), '50');
    await one.click(one.page.getByRole('tab', { name: /Targeting/ }));
    await one.click(one.labelled('Add constraint'));
    await one.look();
    await one.click(one.page.getByLabel('Context field').or(one.page.locator('[role=combobox]', { hasText: /appName|currentTime/ })));
    await one.click(one.page.getByRole('option', { name: /^country/ }));
    await one.click(one.page.getByText('Add values'));
    await one.page.keyboard.type('NO');
    await one.page.keyboard.press('Enter');
    await one.page.keyboard.press('Escape');
    await one.click(one.labelled('Save strategy'));
    await one.sees('1 strategy added');
    await one.click(one.page.getByRole('switch', { name: 'development' }).or(one.page.locator('input[type=checkbox]')));
    await one.sees('Enabled in development');
  }],
  'see who used it in the last hour': ['/projects/default', async (one) => {
    await one.click(one.page.getByRole('link', { name: 'checkout', exact: true }));
    await one.click(one.page.getByRole('tab', { name: 'Metrics' }));
    await one.sees('Applications');
    await one.look();
    await one.click(one.page.getByText('development', { exact: true }));
    await one.click(one.page.locator('[role=combobox]', { hasText: 'Last 48 hours' }));
    await one.click(one.page.getByRole('option', { name: 'Last hour' }));
    await one.sees('shop-web');
    await one.sees(/Total exposure|Exposure true/);
  }],
  'find out why one user is off': ['/projects/default', async (one) => {
    await one.click(one.page.getByRole('link', { name: 'Playground', exact: true }));
    for (const [field, text] of [['userId', 'anna'], ['country', 'SE']]) {
      await one.click(one.page.getByRole('combobox', { name: 'Context field' }).or(one.page.locator('[role=combobox]').last()));
      await one.click(one.page.getByRole('option', { name: field, exact: true }));
      await one.type(one.page.getByLabel('Value'), text);
      await one.click(one.button('Add'));
    }
    await one.look();
    await one.click(one.labelled('Try configuration'));
    await one.sees('Results');
    const row = one.page.locator('tbody tr', { hasText: 'checkout' });
    await one.click(row.getByRole('button').last());
    await one.click(one.page.locator('table').last().getByRole('button').last());
    await one.sees(/^Strategies \(\d/);
  }],
};

/** In the pages of its Enterprise edition, in front of this server. */
const enterprise = {
  'review a change request': ['/projects/default/change-requests', async (one) => {
    await one.click(one.page.getByRole('link', { name: 'Open checkout to Sweden' }));
    await one.sees(/in review/i);
    await one.look();
    await one.click(one.labelled(/^Review changes/));
    await one.click(one.page.getByText('Approve', { exact: true }).last());
    await one.sees('Changes approved');
  }],
  'find out whom it hits': ['/projects/default/change-requests', async (one) => {
    await one.click(one.page.getByRole('link', { name: 'Open checkout to Sweden' }));
    await one.look();
    await one.click(one.labelled('Preview changes'));
    await one.click(one.labelled('Try configuration'));
    await one.sees('Results');
  }],
};

// ---------- both, side by side

async function signedIn(browser, url, { username, password }) {
  const { context, page } = await open(browser);
  await page.goto(url);
  await page.getByLabel(/^(User name or email|Email|Username)/).first().fill(username);
  await page.locator('input[type=password]').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).first().click();
  await page.locator('input[type=password]').waitFor({ state: 'detached' });
  await page.waitForLoadState('networkidle');
  const close = page.getByRole('button', { name: /^Got it/ });
  if (await close.count()) await close.first().click();
  await page.waitForLoadState('networkidle');
  const state = await context.storageState();
  await context.close();
  return state;
}

await run('compare', async (browser) => {
  const admin = await person('compare-ida', 'Ida Moe', 'Admin'), author = await person('compare-bo', 'Bo Lie', 'Editor');
  const { secret } = await api('POST', 'admin/api-tokens', { tokenName: 'compare', type: 'client', environment: 'development', projects: ['default'] });
  await flags(api, secret);
  await flag('newsletter', 'Stands beside it', { production: [rollout('newsletter', 100)] });
  await api('POST', 'admin/projects/default/features/checkout/environments/production/strategies', HALF_OF_NORWAY('checkout'));
  await api('POST', 'admin/projects/default/features/checkout/environments/production/on', {});
  await api('PUT', 'admin/projects/default/environments/production/change-requests/config', { changeRequestsEnabled: true, requiredApprovals: 1 });
  /** Proposed anew: whatever was proposed before is closed. */
  const propose = async () => {
    for (const { id, state } of await api('GET', 'admin/projects/default/change-requests')) if (['Draft', 'In review', 'Approved'].includes(state)) await api('PUT', `admin/projects/default/change-requests/${id}/state`, { state: 'Cancelled' });
    await changeRequest(author, 'production', 'Open checkout to Sweden', [{ feature: 'checkout', action: 'addStrategy', payload: rollout('checkout', 30, { constraints: [constraint('country', 'IN', 'SE')] }) }], [[author, 'In review']]);
  };
  await peer('POST', 'admin/context', { name: 'country', description: '', stickiness: false, legalValues: [] });
  await flags(peer, PEER_CLIENT);

  const site = await front(process.env.UNLEASH_PAGES, SERVER);
  const here = await signedIn(browser, `${SERVER}/ui/flags`, admin), there = await signedIn(browser, PEER, { username: 'admin', password: 'unleash4all' });
  const between = await signedIn(browser, site.url, admin);
  const wanted = process.argv.slice(2);
  const rows = [];
  for (const [name, [start, task]] of Object.entries(ours)) {
    if (wanted.length && !wanted.some((word) => name.includes(word))) continue;
    const [other, url, state, edition] = theirs[name] ? [theirs[name], PEER, there, 'Unleash'] : [enterprise[name], site.url, between, 'Unleash Enterprise'];
    if (enterprise[name]) await propose();
    let them = null;
    try {
      them = await measured(browser, state, url + other[0], other[1]);
    } catch (error) {
      if (process.env.VEXIL_PICTURES) await browser.contexts().at(-1).pages()[0].screenshot({ path: `${process.env.VEXIL_PICTURES}/compare-stuck.png` });
      check(`${name} in ${edition}`, false, error.message.split('\n').slice(0, 4).join(' '));
    }
    if (enterprise[name]) await propose();
    const us = await measured(browser, here, SERVER + start, task);
    rows.push([name, edition, us, them]);
    if (!them) continue;
    for (const measure of ['clicks', 'seconds', 'requests', 'kB', 'axe']) check(`${name}: no more ${measure} than in ${edition}`, Number(us[measure]) <= Number(them[measure]), `${us[measure]} and ${them[measure]}`);
    check(`${name}: axe finds nothing here`, us.axe === 0);
  }
  console.log('\n| task | beside | clicks | seconds | requests | kB | axe findings |\n| --- | --- | --- | --- | --- | --- | --- |');
  for (const [name, edition, us, them] of rows) console.log(`| ${name} | ${edition} | ${['clicks', 'seconds', 'requests', 'kB', 'axe'].map((measure) => `**${us[measure]}** / ${them?.[measure] ?? '–'}`).join(' | ')} |`);
  site.close();
});
