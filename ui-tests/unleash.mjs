// Unleash's own pages, of the version whose package is here, on a server of ours: two people sign in through its page and do by clicks what people
// do there. Nothing between the pages and the server changes an answer. Then every page is opened.

import { SERVER, api, check, equal, open, run } from './harness.mjs';
import { PASSWORD, constraint, flag as makeFlag, person, rollout } from './seed.mjs';
import { front } from './unleash-front.mjs';
import { addresses, visitAll } from './unleash-pages.mjs';

const P = '/projects/default', NAME = 'walked', OTHER = 'proposed', APPLICATION = 'walk-app';

/** What must be there before: a flag that is reported, one to propose changes to, a segment. */
async function prepare() {
  await makeFlag(OTHER, 'Others propose changes to it', { development: [rollout(OTHER, 50)] });
  await api('POST', `admin/projects/default/features/${OTHER}/environments/development/off`, {});
  await makeFlag('reported', 'An application uses it', { development: [rollout('reported', 100)] });
  const { id } = await api('POST', 'admin/segments', { name: 'nordic', constraints: [constraint('country', 'IN', 'NO', 'SE')] });
  const { secret } = await api('POST', 'admin/api-tokens', { tokenName: 'walk', type: 'client', environment: 'development', projects: ['default'] });
  const now = Math.floor(Date.now() / 1000);
  await api('POST', 'client/register', { appName: APPLICATION, instanceId: 'one', interval: 10_000, started: new Date().toISOString(), strategies: ['default'], sdkVersion: 'unleash-client-node:6.0.0' }, secret);
  await api('POST', 'client/metrics', { appName: APPLICATION, instanceId: 'one', bucket: { start: now - 60, stop: now, toggles: { reported: { yes: 7, no: 3 } } } }, secret);
  return { segment: id, people: { alice: await person('alice', 'Alice Aune', 'Admin', false), bob: await person('bob', 'Bob Berg', 'Editor') } };
}

/** One person's browser on Unleash's pages. */
class Hands {
  constructor({ page, context, errors }, site) {
    Object.assign(this, { page, context, errors, site });
  }

  async go(address) {
    await this.page.goto(this.site.url + address);
    await this.page.locator('main, form').first().waitFor();
  }

  /** Waits until the page shows all of these. */
  async sees(...words) {
    for (const word of words) await this.page.getByText(word).locator('visible=true').first().waitFor();
  }

  /** By what stands on it: what it is called for readers is often something else. */
  button = (text, at = this.page) => at.locator('button', { hasText: text }).locator('visible=true').first();

  press = (name, at = this.page) => this.button(name, at).click();

  get dialog() {
    return this.page.getByRole('dialog').last();
  }

  row = (text) => this.page.locator('tbody tr', { hasText: text }).first();

  async signIn({ username, password }) {
    await this.page.goto(this.site.url);
    await this.page.getByLabel('Email').fill(username);
    await this.page.getByLabel('Password').fill(password);
    await this.press('Sign in');
    await this.sees('Welcome');
  }
}

let done = 0, all = 0;

/** A step: it comes to its end, nothing on the page throws, and the server answers without a fault of its own. */
async function step(hands, name, act) {
  const { site, errors, page } = hands, begun = Date.now();
  errors.length = 0;
  all += 1;
  page.setDefaultTimeout(20_000);
  let fault = '';
  try {
    await act(hands);
    if (errors.length) throw new Error(errors[0]);
    if (await page.getByText('Something went wrong').count()) throw new Error('the page crashed');
    done += 1;
  } catch (error) {
    fault = error.message.split('\n')[0];
  }
  const calls = site.calls(), refused = calls.filter(({ status }) => status === 0 || status >= 400).map(({ method, path, status }) => `${status} ${method} ${path.split('?')[0]}`);
  check(`${name}: no fault of the server`, calls.every(({ status }) => status > 0 && status < 500), refused.join(', '));
  check(name, fault === '', `${fault} [${refused.join(', ').slice(0, 300)}]`);
  if (process.env.VEXIL_PICTURES) await page.screenshot({ path: `${process.env.VEXIL_PICTURES}/unleash-${all}.png` });
  console.log(`${fault ? '   ' : 'ok '} ${name} ${Date.now() - begun} ms ${fault}`);
}

async function flags(alice) {
  await step(alice, 'make a flag', async (hands) => {
    await hands.go(P);
    await hands.press('New feature flag');
    await hands.dialog.getByRole('textbox').first().fill(NAME);
    await hands.press('Create feature flag', hands.dialog);
    await hands.page.waitForURL(`**/features/${NAME}`);
  });
  await step(alice, 'the list of flags has switches', async (hands) => {
    await hands.go(P);
    await hands.row(NAME).waitFor();
    await hands.row(NAME).getByRole('switch').or(hands.row(NAME).locator('input[type=checkbox]')).nth(2).waitFor({ state: 'attached' });
  });
  await step(alice, 'come back to the list of flags without loading anew', async (hands) => {
    await hands.go('/projects');
    await hands.page.locator('a[href^="/projects/default"]').first().click();
    await hands.row(NAME).waitFor();
  });
  await step(alice, 'add a strategy with a constraint and a segment', async (hands) => {
    await hands.go(`${P}/features/${NAME}/strategies/create?environmentId=development&strategyName=flexibleRollout&defaultStrategy=false`);
    await hands.page.getByText('Targeting').first().click();
    await hands.page.getByRole('combobox').last().click();
    await hands.page.getByRole('option').first().click();
    await hands.press('Add constraint');
    await hands.press('Add values');
    await hands.page.keyboard.type('web');
    await hands.page.keyboard.press('Enter');
    await hands.page.keyboard.press('Escape');
    await hands.press('Save strategy');
    await hands.sees('1 strategy added');
    const [strategy] = (await api('GET', `admin/projects/default/features/${NAME}/environments/development`)).strategies;
    equal('it is kept as it was said', [strategy.constraints.map(({ values }) => values), strategy.segments.length], [[['web']], 1]);
  });
  await step(alice, 'turn it on', async (hands) => {
    await hands.go(`${P}/features/${NAME}`);
    await hands.page.locator('input[type=checkbox],[role=switch]').first().click({ force: true });
    await hands.sees('Enabled in development');
  });
  await step(alice, 'try flags out in the playground', async (hands) => {
    await hands.go(`/playground?environments=development&projects=*&context=${encodeURIComponent('{"userId":"a,b","properties":{"country":"NO"}}')}`);
    await hands.sees('Results');
    await hands.row(NAME).waitFor();
  });
  await step(alice, 'ask why', async (hands) => {
    await hands.row(NAME).getByRole('button').last().click();
    await hands.page.locator('table').last().getByRole('button').last().click();
    await hands.sees('Strategies (1)');
  });
  await step(alice, 'see the usage of a flag', async (hands) => {
    await hands.go(`${P}/features/reported/metrics`);
    await hands.page.getByText('development', { exact: true }).first().click();
    await hands.sees('Total exposure', APPLICATION);
  });
}

async function changeRequest(alice, bob) {
  let request = 0;
  await step(alice, 'ask for change requests', async (hands) => {
    await hands.go(`${P}/settings/change-requests`);
    await hands.page.locator('input[type=checkbox]').first().click({ force: true });
    await hands.press('Enable', hands.dialog);
    await hands.sees('Change request status updated');
  });
  await step(bob, 'propose to turn a flag on', async (hands) => {
    await hands.go(`${P}/features/${OTHER}`);
    await hands.page.locator('input[type=checkbox],[role=switch]').first().click({ force: true });
    await hands.press('Add suggestion to draft');
    await hands.sees('Changes added to draft');
  });
  await step(bob, 'send it to review', async (hands) => {
    await hands.press('View changes');
    await hands.press('Submit change request');
    await hands.sees(/in review/i);
    [{ id: request }] = await api('GET', 'admin/projects/default/change-requests');
  });
  await step(bob, 'the author may not approve it', async (hands) => {
    await hands.go(`${P}/change-requests/${request}`);
    await hands.sees(/in review/i);
    const approve = (id) => fetch(`/api/admin/projects/default/change-requests/${id}/state`, { method: 'PUT', headers: { 'Content-Type': 'application/json' }, body: '{"state":"Approved"}' });
    equal('the approval of the author', await hands.page.evaluate(`(${approve})(${request}).then((answer) => answer.status)`), 403);
  });
  await step(alice, 'another person sees it among what waits', async (hands) => {
    await hands.go(`${P}/change-requests`);
    await hands.row(OTHER).getByText(/in review|review required/i).first().waitFor();
  });
  await step(alice, 'another person approves it', async (hands) => {
    await hands.go(`${P}/change-requests/${request}`);
    await hands.press(/^Review changes/);
    await hands.page.getByText('Approve', { exact: true }).last().click();
    await hands.sees('Changes approved');
  });
  await step(alice, 'preview it', async (hands) => {
    await hands.press('Preview changes');
    await hands.press('Try configuration');
    await hands.sees('Results');
    await hands.row(OTHER).waitFor();
  });
  await step(alice, 'the preview says why without a contradiction', async (hands) => {
    await hands.row(OTHER).getByRole('button').last().click();
    await hands.page.locator('table').last().getByRole('button').last().click();
    await hands.sees('Strategies (1)');
    const text = await hands.page.evaluate(() => document.body.innerText.replace(/\s+/g, ' '));
    check('a flag that is on has a strategy that is', !/at least one strategy is True.*Gradual rollout False/.test(text));
  });
  await step(alice, 'apply it', async (hands) => {
    await hands.go(`${P}/change-requests/${request}`);
    await hands.press('Apply or schedule changes');
    await hands.page.getByText('Apply changes', { exact: true }).last().click();
    await hands.sees('Changes applied');
    check('it is on', (await api('GET', `admin/projects/default/features/${OTHER}/environments/development`)).enabled);
  });
  await step(alice, 'ask for change requests no more', async (hands) => {
    await hands.go(`${P}/settings/change-requests`);
    await hands.page.locator('input[type=checkbox]').first().click({ force: true });
    await hands.dialog.getByRole('button').first().click();
    await hands.sees('Change request status updated');
  });
  return request;
}

async function instance(alice) {
  await step(alice, 'archive a flag', async (hands) => {
    await hands.go(`${P}/features/${NAME}`);
    await hands.page.locator('button:has(svg[data-testid=ArchiveOutlinedIcon])').last().click();
    await hands.dialog.getByRole('button', { name: 'Archive' }).last().click();
    await hands.dialog.waitFor({ state: 'detached' });
    await hands.go('/archive');
    await hands.sees(NAME);
  });
  await step(alice, 'revive it', async (hands) => {
    await hands.row(NAME).getByRole('button').first().click();
    await hands.press('Revive feature flag', hands.dialog);
    await hands.sees(/revived|It.s back/i);
  });
  await step(alice, 'look at the segments', async (hands) => {
    await hands.go('/segments');
    await hands.sees('nordic', /\d feature flags?/);
  });
  await step(alice, 'make a segment', async (hands) => {
    await hands.go('/segments/create');
    await hands.page.locator('form input').first().fill('of-the-walk');
    await hands.press('Next');
    await hands.sees('Add context field');
  });
  await step(alice, 'look at the environments', async (hands) => {
    await hands.go('/environments');
    await hands.sees('development', 'production', 'This is the order');
  });
  await step(alice, 'make an environment', async (hands) => {
    await hands.go('/environments/create');
    await hands.page.locator('form input').first().fill('staging');
    await hands.press('Create environment');
    await hands.sees(/Environment created|All done|successfully/i);
    await api('GET', 'admin/environments/staging');
  });
  await step(alice, 'make a project', async (hands) => {
    await hands.go('/projects?create=true');
    await hands.dialog.getByRole('textbox').first().fill('Shop of the walk');
    await hands.press('Create project', hands.dialog);
    await hands.page.waitForURL((url) => !url.href.includes('create=true'));
    check('the project is there', (await api('GET', 'admin/projects')).projects.some(({ name }) => name === 'Shop of the walk'));
  });
  await step(alice, 'make an API token, without a false alarm', async (hands) => {
    await hands.go('/admin/api/create-token');
    await hands.page.locator('form input').first().fill('of-the-walk');
    check('no limit is said to be reached', !(await hands.page.getByText('NaN%').count()));
    await hands.press('Create token');
    await hands.sees('New token created');
  });
  await step(alice, 'look at the API tokens', async (hands) => {
    await hands.go('/admin/api');
    await hands.sees('of-the-walk');
  });
  await step(alice, 'make a user, with a link to hand over', async (hands) => {
    await hands.go('/admin/create-user');
    await hands.page.getByLabel(/Full name/i).fill('Carla Dahl');
    await hands.page.getByLabel(/Email/i).first().fill('carla@example.org');
    await hands.page.locator('form input').last().click();
    await hands.page.getByRole('option').last().click();
    await hands.press('Create user');
    await hands.sees('Team member added');
    check('the link is told', /\/new-user\?token=\S+/.test(await hands.dialog.innerText()));
  });
  await step(alice, 'look at the users', async (hands) => {
    await hands.go('/admin/users');
    await hands.sees('Alice Aune', 'Bob Berg', 'Carla Dahl');
  });
}

async function rest(alice) {
  await step(alice, 'give somebody a role in a project', async (hands) => {
    await hands.go(`${P}/settings/access`);
    await hands.sees(/User access/);
    await hands.press(/^Assign user/);
    await hands.page.getByRole('combobox').first().click();
    await hands.page.getByRole('option', { name: /Carla/ }).click();
    await hands.page.keyboard.press('Escape');
    await hands.page.getByRole('combobox').last().click();
    await hands.page.getByRole('option', { name: /Member/ }).click();
    await hands.page.keyboard.press('Escape');
    await hands.page.locator('button', { hasText: /^Assign user/ }).last().click();
    await hands.row('Carla Dahl').getByText('Member').waitFor();
  });
  await step(alice, 'read the event log', async (hands) => {
    await hands.go('/history');
    await hands.sees('Event log', 'feature-archived');
  });
  await step(alice, 'search the event log', async (hands) => {
    await hands.page.getByPlaceholder(/search/i).first().fill('An application USES it');
    await hands.page.getByText('feature-archived').first().waitFor({ state: 'detached' });
    await hands.sees('feature-created', 'reported');
  });
  await step(alice, 'look at the applications', async (hands) => {
    await hands.go('/applications');
    await hands.sees(APPLICATION);
  });
  await step(alice, 'look at one application', async (hands) => {
    await hands.go(`/applications/${APPLICATION}`);
    await hands.sees('development environment', 'unleash-client-node:6.0.0');
  });
  await step(alice, 'make a context field', async (hands) => {
    await hands.go('/context/create');
    await hands.page.locator('form input').first().fill('shoe-size');
    await hands.press('Create context');
    await hands.sees(/Context field created|successfully/i);
  });
  await step(alice, 'tag a flag', async (hands) => {
    await hands.go(`${P}/features/reported`);
    await hands.press('Add tag');
    await hands.dialog.locator('input[value="simple"]').waitFor();
    await hands.dialog.getByPlaceholder('Select values').fill('billing');
    await hands.page.getByRole('option', { name: 'billing' }).click();
    await hands.press('Save tags');
    await hands.dialog.waitFor({ state: 'detached' });
    await hands.sees('billing');
    const { tags } = await (await hands.context.request.get(`${hands.site.url}/api/admin/features/reported/tags`)).json();
    equal('the flag has the tag', tags.map(({ type, value }) => `${type}:${value}`), ['simple:billing']);
  });
  await step(alice, 'look at the dashboard', async (hands) => {
    await hands.go('/personal');
    await hands.sees('My feature flags', 'Default', NAME);
  });
  await step(alice, 'look at the profile', async (hands) => {
    await hands.go('/profile');
    await hands.sees('alice@example.org', 'Admin');
  });
  await step(alice, 'sign out', async (hands) => {
    await hands.go('/profile');
    await hands.page.getByRole('button', { name: /profile|Alice/i }).first().click();
    await hands.page.getByText('Log out').click();
    await hands.sees(/You are signed out/);
    equal('the session is over', (await hands.context.request.get(`${hands.site.url}/api/admin/user`)).status(), 401);
  });
}

await run('unleash', async (browser) => {
  const site = await front(process.env.UNLEASH_PAGES, SERVER);
  const { people, segment } = await prepare();
  const alice = new Hands(await open(browser), site), bob = new Hands(await open(browser), site);
  await step(alice, 'sign in', (hands) => hands.signIn(people.alice));
  await step(alice, 'close the welcome', async (hands) => {
    await hands.press("Got it, let's get started!");
    await hands.dialog.waitFor({ state: 'detached' });
  });
  await step(alice, 'it stays closed', async (hands) => {
    await hands.go('/personal');
    await hands.sees('My projects');
    equal('nothing lies over the page', await hands.page.getByRole('dialog').count(), 0);
  });
  await step(bob, 'another person signs in', async (hands) => {
    await hands.signIn(people.bob);
    await hands.press("Got it, let's get started!");
  });
  await flags(alice);
  const request = await changeRequest(alice, bob);
  await instance(alice);
  const begun = Date.now();
  const pages = addresses({ flag: 'reported', segment, request, application: APPLICATION });
  await visitAll(alice, site, pages);
  equal('there are 78 pages', pages.length, 78);
  console.log(`${pages.length} pages in ${Date.now() - begun} ms`);
  await rest(alice);
  console.log(`${done} of ${all} steps`);
  site.close();
});
