// A flag's life in two people's hands, by clicks and by the keyboard alone: made, opened to some, tried out, proposed, seen, approved,
// applied, used by a real SDK, archived.

import { initialize } from 'unleash-client';
import { SERVER, api, check, equal, open, run } from './harness.mjs';
import { keyboard, pointer } from './hands.mjs';
import { known } from './known.mjs';
import { person } from './seed.mjs';

const heading = (page, name) => page.getByRole('heading', { level: 1, name }).waitFor();

async function signIn(page, hand, { username, password }) {
  await heading(page, 'Sign in');
  await hand.fill('User name or email address', username);
  await hand.fill('Password', password);
  await hand.press('Sign in');
}

async function signOut(page, hand, name) {
  await hand.press(name);
  await hand.press('Sign out');
  await heading(page, 'Sign in');
}

/** An SDK that asks for the flag until it is on for somebody, and reports what it saw. */
async function use(flag, token) {
  const sdk = initialize({ url: `${SERVER}/api`, appName: 'walk', customHeaders: { Authorization: token }, refreshInterval: 200, metricsInterval: 300, disableAutoStart: false });
  await new Promise((done, fail) => {
    sdk.on('synchronized', done);
    sdk.on('error', fail);
  });
  const on = () => Array.from({ length: 100 }, (_, index) => sdk.isEnabled(flag, { userId: `user-${index}`, properties: { country: 'NO' } })).filter(Boolean).length;
  const found = on();
  await sdk.destroyWithFlush();
  return found;
}

async function walk(browser, seeded, handOf) {
  const { tokens } = seeded;
  const { context, page, errors } = await open(browser);
  const hand = handOf(page);
  const flag = `walk-by-${hand.name}`;
  const told = (what) => `${hand.name}: ${what}`;
  const ada = await person(`ada-${hand.name}`, `Ada ${hand.name}`, 'Editor'), bo = await person(`bo-${hand.name}`, `Bo ${hand.name}`, 'Editor');

  await page.goto(`${SERVER}/`);
  await signIn(page, hand, ada);
  await heading(page, 'Flags');

  // a flag, and a strategy in development with a condition, a segment and a share
  await hand.follow('New flag');
  await heading(page, 'New flag');
  await hand.fill('Name', flag);
  await hand.fill('Description', 'Walked through');
  await hand.press('Create the flag');
  await heading(page, flag);

  // a favourite stands first in the list, of which the name alone would make it one of the last; the list takes the star off again
  const star = (pressed) => page.getByRole('button', { name: `Favourite ${flag}`, exact: true, pressed });
  const first = () => page.locator('.flags tbody .name').first().textContent();
  await star(false).waitFor();
  await hand.press(`Favourite ${flag}`);
  await star(true).waitFor();
  await hand.follow('Flags');
  await heading(page, 'Flags');
  await star(true).waitFor();
  equal(told('a favourite stands first'), await first(), flag);
  await hand.press(`Favourite ${flag}`);
  await star(false).waitFor();
  await page.reload();
  await star(false).waitFor();
  check(told('what is no favourite any more stands where its name puts it'), (await first()) !== flag, await first());
  await page.goto(`${SERVER}/ui/flags/default/${flag}`);
  await heading(page, flag);
  await hand.follow('Add a strategy');
  await heading(page, 'New strategy');
  await hand.fill('Title', 'Half of Norway');
  await hand.fill('Share of those who meet the conditions', '50');
  await hand.press('Add a condition');
  await hand.fill('Context field', 'country');
  await hand.add('Add values to country', 'NO');
  await hand.press('Add a segment');
  await hand.choose('Choose a segment', 'beta-testers');
  await hand.press('Save');
  await heading(page, flag);
  await page.getByText('Half of Norway').first().waitFor();
  const [strategy] = (await api('GET', `admin/projects/default/features/${flag}/environments/development`)).strategies;
  equal(told('the strategy is as it was said'), [strategy.parameters.rollout, strategy.constraints.map((one) => [one.contextName, one.operator, one.values]), strategy.segments.length], ['50', [['country', 'IN', ['NO']]], 1]);

  // on, after a look at what that does
  await hand.press('Turn on in development');
  await page.locator('dialog .sentence').waitFor();
  await hand.press('Turn on');
  await page.getByRole('button', { name: 'Turn off in development' }).waitFor();
  check(told('it is on in development'), (await api('GET', `admin/projects/default/features/${flag}/environments/development`)).enabled);

  // tried out in the playground, for people of whom some are in
  await hand.follow('Playground');
  await heading(page, 'Playground');
  await page.locator('.grid td').first().waitFor();
  await hand.choose('Environment', 'development');
  await hand.add('Add values to userId', 'carol,dave,erin,frank');
  await page.locator(`.grid td[data-flag="${flag}"] .state.on`).first().waitFor();
  await hand.cell('on');
  await page.locator('.why h3', { hasText: 'is on' }).waitFor();
  check(told('the playground says why'), /bucket \d+/.test(await page.locator('.why').textContent()));

  // production is reviewed: what is done there is gathered in a draft
  await page.goto(`${SERVER}/ui/flags/default/${flag}/production/new`);
  await heading(page, 'New strategy');
  await hand.fill('Share of those who meet the conditions', '40');
  await hand.press('Add a condition');
  await hand.fill('Context field', 'country');
  await hand.add('Add values to country', 'NO');
  await hand.press('Add to your draft');
  await heading(page, flag);
  await hand.press('Turn on in production');
  await page.locator('dialog .sentence').waitFor();
  await hand.press('Add to your draft');
  await page.getByText('Your change is in').waitFor();
  const [request] = await api('GET', `admin/projects/default/change-requests/pending/${flag}`);
  await page.goto(`${SERVER}/ui/change-requests/default/${request.id}`);
  await page.locator('.grid td[aria-selected="true"]').waitFor();
  await hand.press('Send to review');
  await page.locator('dialog[open] form').waitFor();
  await hand.press('Send to review');
  await page.locator('.progress .now', { hasText: 'In review' }).waitFor();

  // the difference and why
  await hand.cell('on');
  await page.locator('.why h3', { hasText: flag }).waitFor();
  check(told('the explanation says why'), /bucket \d+/.test(await page.locator('.why').textContent()));

  // a second person approves and applies
  await signOut(page, hand, ada.name);
  await signIn(page, hand, bo);
  await heading(page, 'Flags');
  await hand.follow('Change requests');
  await hand.follow(`Change request ${request.id}`);
  await page.locator('.sentence').waitFor();
  await hand.press('Approve');
  await page.locator('dialog .sentence').waitFor();
  await hand.press('Approve');
  await page.locator('.progress .now', { hasText: 'Approved' }).waitFor();
  await hand.press('Apply');
  await page.locator('dialog .sentence').waitFor();
  await hand.press('Apply');
  await page.locator('.progress .now', { hasText: 'Applied' }).waitFor();
  check(told('it is on in production'), (await api('GET', `admin/projects/default/features/${flag}/environments/production`)).enabled);

  // usage by a real SDK moves the bars
  await page.goto(`${SERVER}/ui/flags/default/${flag}`);
  await heading(page, flag);
  const on = await use(flag, tokens.production);
  check(told('the SDK lets in about as many as were said'), on > 20 && on < 60, String(on));
  await page.locator('.environment', { hasText: 'production' }).locator('.figures').waitFor({ timeout: 25_000 });
  const figures = await page.locator('.environment', { hasText: 'production' }).locator('.figures').textContent();
  check(told('the bars moved without a reload'), figures.includes(`${on} % on`), figures);

  // the end
  await hand.press('Archive');
  await page.locator('dialog .sentence').waitFor();
  await hand.press('Add to your draft');
  await page.getByText('Your change is in').waitFor();
  check(told('archiving is proposed where changes are reviewed'), true);
  await signOut(page, hand, bo.name);
  check(told('nothing is said in the console'), errors.length === 0, errors.join(' | '));
  await context.close();
}

await run('walk', async (browser) => {
  const seeded = await known();
  for (const hand of [pointer, keyboard]) await walk(browser, seeded, hand);
});
