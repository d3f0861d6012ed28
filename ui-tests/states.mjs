// Every state that a page can be in, reached as a person would meet it: loading, empty, not found, refused, forbidden, gone,
// conflict, too much, connection lost, slow, large, long, from right to left.

import { SERVER, accessible, api, check, go, open, picture, run, signIn } from './harness.mjs';
import { known } from './known.mjs';
import { unbroken } from './layout.mjs';
import { changeRequest, constraint, person, rollout } from './seed.mjs';

const json = (body, status = 200) => (route) => route.fulfill({ status, contentType: 'application/json', body: JSON.stringify(body) });
const text = async (page) => (await page.textContent('#main')).replace(/\s+/g, ' ');

await run('states', async (browser) => {
  const { people, requests } = await known();
  const review = `/ui/change-requests/default/${requests.review}`;

  /** A page of its own, signed in as somebody. */
  const as = async (who, options) => {
    const opened = await open(browser, { bypassCSP: true, ...options });
    await signIn(opened.page, who);
    return opened;
  };
  const holds = async (page, name) => {
    await accessible(page, name);
    await unbroken(page, name);
    await picture(page, `state-${name}`);
  };

  // loading, and scripts that take a second
  {
    const { context, page, errors } = await as(people.ida);
    await context.route('**/api/admin/search/features*', async (route) => {
      await new Promise((done) => { setTimeout(done, 900); });
      await route.continue();
    });
    await page.goto(`${SERVER}/ui/flags`);
    await page.locator('.loading').waitFor();
    check('loading: lines stand where the page will', await page.locator('.loading').isVisible());
    await page.getByRole('link', { name: 'checkout-redesign' }).waitFor();
    check('loading: they are gone when it is there', await page.locator('.loading').count() === 0);
    await context.route('**/ui/files/**', async (route) => {
      await new Promise((done) => { setTimeout(done, 1000); });
      await route.continue();
    });
    await page.goto(SERVER + review);
    await page.locator('.grid td[aria-selected="true"]').waitFor();
    check('scripts that take a second: the page works', (await text(page)).includes('What it would do'));
    check('loading: nothing is said in the console', errors.length === 0, errors.join(' | '));
    await context.close();
  }

  // empty
  {
    const { context, page } = await as(people.ida);
    for (const [path, pattern, body, words] of [
      ['/ui/flags', '**/search/features*', { features: [], total: 0 }, 'There are no flags yet.'],
      ['/ui/change-requests', '**/search/change-requests*', { changeRequests: [], total: 0 }, 'No change request is open.'],
      ['/ui/segments', '**/api/admin/segments', { segments: [] }, 'There are no segments yet.'],
      ['/ui/events', '**/search/events*', { events: [], total: 0 }, 'Nothing has happened yet.'],
      ['/ui/settings/tokens', '**/api/admin/api-tokens', { tokens: [] }, 'There are no tokens yet.'],
    ]) {
      await page.route(pattern, json(body));
      await go(page, path);
      check(`empty ${path}: it is said`, (await text(page)).includes(words));
      await holds(page, `empty${path.replaceAll('/', '-')}`);
      await page.unroute(pattern);
    }
    await context.close();
  }

  // what refuses a change request is said once and for all: nothing loads for ever, and asking again is not offered
  {
    const { context, page } = await as(people.ida);
    const details = [{ path: '/changes/1', message: 'Change 1 (updateEnabled of flag `quiet`): the flag is archived' }, { path: '/body/never', message: 'The `/body/never` property `plan` says no value.' }];
    const refused = json({ id: 'x', name: 'BadDataError', message: 'It cannot be applied. Refer to the `details` list for the reasons.', details }, 400);
    for (const pattern of ['**/diff*', '**/proof*']) await page.route(pattern, refused);
    await page.goto(SERVER + review);
    await page.locator('.note.bad').nth(1).waitFor();
    const said = await text(page);
    check('refused: in words of people', said.includes('never: `plan` says no value.') && !said.includes('details` list') && !said.includes('/body'), said.slice(0, 600));
    check('refused: nothing loads for ever', await page.locator('.loading:visible').count() === 0);
    check('refused: what is answered the same is not asked again', await page.getByRole('button', { name: 'Try again' }).count() === 0);
    await holds(page, 'refused-request');
    await context.close();
  }

  // the server is gone when something is pressed that has to be fetched first; and a browser that lets no page copy
  {
    const { context, page } = await as(people.ida);
    await page.goto(SERVER + review);
    await page.locator('.grid td[aria-selected="true"]').waitFor();
    await page.route('**/ui/files/**', (route) => route.abort());
    for (const name of ['Approve', 'Reject', 'Cancel the request', 'Copy link']) {
      await page.getByRole('button', { name, exact: true }).first().click();
      await page.locator('dialog[open] .note.bad').waitFor();
      check(`gone: ${name} says so`, (await page.locator('dialog[open]').textContent()).includes('The server cannot be reached'));
      await page.getByRole('button', { name: 'Back', exact: true }).click();
    }
    await holds(page, 'server-gone');
    await page.unroute('**/ui/files/**');
    await page.goto(`${SERVER}${review}?again=`);
    await page.locator('.grid td[aria-selected="true"]').waitFor();
    await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.locator('dialog[open] .note.bad').waitFor();
    check('no clipboard: the text can be taken from the dialog', (await page.locator('dialog[open]').textContent()).includes(`${SERVER}/ui/change-requests`));
    await holds(page, 'no-clipboard');
    await context.close();
  }

  // an error, with the way out
  {
    const { context, page } = await as(people.ida);
    await page.route('**/search/features*', json({ id: 'x', name: 'UnknownError', message: 'Something went wrong in the server.', details: [{ message: 'The database is asleep.' }] }, 500));
    await go(page, '/ui/flags');
    check('error: the server’s words and every detail', (await text(page)).includes('Something went wrong in the server.') && (await text(page)).includes('The database is asleep.'));
    await holds(page, 'error');
    await page.unroute('**/search/features*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('link', { name: 'checkout-redesign' }).waitFor();
    check('error: trying again helps', true);

    // the connection is lost while something is written
    await go(page, '/ui/new/flag');
    await page.getByLabel('Name', { exact: true }).fill('while-offline');
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Create the flag' }).click();
    await page.getByText('The server cannot be reached. Nothing was changed.').waitFor();
    check('connection lost: what was typed is still there', await page.getByLabel('Name', { exact: true }).inputValue() === 'while-offline');
    await context.setOffline(false);
    await page.getByRole('button', { name: 'Create the flag' }).click();
    await page.getByRole('heading', { level: 1, name: 'while-offline' }).waitFor();
    check('connection lost: it works once it is back', true);

    // conflict: the name is taken by now
    await go(page, '/ui/new/flag');
    await page.getByLabel('Name', { exact: true }).fill('while-offline');
    await page.getByRole('button', { name: 'Create the flag' }).click();
    await page.locator('.note.bad').waitFor();
    check('conflict: it is said and what was typed stays', await page.getByLabel('Name', { exact: true }).inputValue() === 'while-offline');
    await holds(page, 'conflict');

    // a fault beside its field
    await page.getByLabel('Name', { exact: true }).fill('..');
    await page.getByRole('button', { name: 'Create the flag' }).click();
    await page.locator('.fault:not([hidden]), .note.bad').first().waitFor();
    await holds(page, 'fault');

    // gone: somebody else removed it meanwhile
    await api('DELETE', 'admin/projects/default/features/while-offline');
    await api('DELETE', 'admin/archive/while-offline');
    await go(page, '/ui/flags/default/while-offline');
    check('gone: it is said, with a way on', (await text(page)).includes('Not found') && await page.getByRole('link', { name: 'All flags' }).isVisible());
    await holds(page, 'gone');

    // a module of a version that is gone
    await page.route('**/ui/files/**/segments.js', (route) => route.fulfill({ status: 404 }));
    await page.getByRole('link', { name: 'Segments' }).first().click();
    await page.getByText('it is a newer version by now').waitFor();
    await page.unroute('**/ui/files/**/segments.js');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('link', { name: 'beta-testers' }).waitFor();
    check('newer version: loading the page anew helps', true);

    // unsaved changes are not lost by a wrong key
    await go(page, '/ui/flags/default/quiet/development/new');
    await page.getByLabel('Title').fill('half done');
    page.once('dialog', (dialog) => dialog.dismiss());
    await page.getByRole('link', { name: 'Segments' }).first().click();
    check('unsaved: who stays has lost nothing', await page.getByLabel('Title').inputValue() === 'half done');
    page.once('dialog', (dialog) => dialog.accept());
    await page.getByRole('link', { name: 'Segments' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Segments' }).waitFor();
    await context.close();
  }

  // too many combinations
  {
    const { context, page } = await as(people.ida);
    const values = (field, number) => Array.from({ length: number }, (_, index) => `c.${field}=v${index}`).join('&');
    // the server of these tests allows 5,000 evaluations
    await go(page, `${review}?${values('userId', 2500)}`);
    await page.locator('.outcome .note.bad').waitFor();
    check('too many: it says how many, and what helps', /combination|evaluation/.test(await page.locator('.outcome .note.bad').textContent()), await page.locator('.outcome .note.bad').textContent());
    await holds(page, 'too-many');
    await go(page, `${review}?c.country=NO&c.country=SE&${values('country', 28)}&${values('userId', 300)}`);
    await page.locator('.grid td[aria-selected="true"]').waitFor();
    check('9,000 combinations are grouped', await page.locator('.grid tr').count() < 100);
    await holds(page, 'many');
    await context.close();
  }

  // who may not
  {
    const { context, page } = await as(people.vera);
    await go(page, '/ui/settings/tokens');
    check('forbidden: the permission that is missing is named', (await text(page)).includes('permission'));
    await holds(page, 'forbidden');
    await go(page, '/ui/flags');
    check('a viewer is offered no new flag', await page.getByRole('link', { name: 'New flag' }).count() === 0);
    await go(page, '/ui/flags/default/quiet/development/new');
    check('a viewer is told that a change is a proposal', (await text(page)).includes('You can propose it in a change request.') && await page.getByRole('button', { name: 'Save' }).count() === 0);
    await holds(page, 'viewer');
    await go(page, review);
    const approve = page.getByRole('button', { name: 'Approve', exact: true });
    check('a viewer cannot approve, and is told why', await approve.count() === 0 || await approve.isDisabled());
    await context.close();
  }

  // where changes are reviewed, an edit becomes a part of the draft
  {
    const { context, page } = await as(people.maria);
    await go(page, '/ui/flags/default/quiet/production/new');
    check('reviewed: the page says so', (await text(page)).includes('are reviewed: they need 1 approval'));
    check('reviewed: nothing can be saved at once', await page.getByRole('button', { name: 'Save', exact: true }).count() === 0);
    await page.getByRole('button', { name: 'Add to your draft' }).click();
    await page.getByText('Your change is in').waitFor();
    check('reviewed: the flag is as it was', (await api('GET', 'admin/projects/default/features/quiet/environments/production')).strategies.length === 0);
    await holds(page, 'drafted');
    await context.close();
  }

  // long lists
  {
    const many = Array.from({ length: 1000 }, (_, index) => `value-${index}`);
    const made = await api('POST', 'admin/segments', { name: 'a-thousand', constraints: [{ contextName: 'userId', operator: 'IN', values: many }] });
    const { context, page } = await as(people.ida);
    await go(page, `/ui/segments/${made.id}`);
    check('1,000 values: a few are shown and the rest counted', (await text(page)).includes('+992'));
    await holds(page, 'thousand');
    await page.getByRole('button', { name: 'Show 992 more values of userId' }).click();
    check('1,000 values: all of them can be seen', await page.locator('.chip').count() >= 1000);
    await unbroken(page, 'thousand-open');
    await context.close();
  }

  // another request changes a flag for the same users
  {
    const nils = await person('nils', 'Nils Dahl', 'Editor');
    const swedes = rollout('checkout-redesign', 80, { title: 'Most of Sweden', constraints: [constraint('country', 'IN', 'SE')] });
    const other = await changeRequest(nils, 'production', 'The new checkout for Sweden', [{ feature: 'checkout-redesign', action: 'addStrategy', payload: swedes }], [[nils, 'In review']]);
    const there = `/ui/change-requests/default/${other}`;
    const { context, page, errors } = await as(people.ida);
    const met = page.locator('.note', { hasText: 'Other change requests change the same flags' });
    await go(page, review);
    await met.waitFor();
    const words = (await met.innerText()).replace(/\s+/g, ' ');
    for (const flag of ['checkout-redesign', 'express-delivery']) {
      check(`same users: who, and where for ${flag}, which may follow another flag`, new RegExp(`The new checkout for Sweden: ${flag} in production too, where [^:]*country is SE,`).test(words), words);
    }
    check('same users: of no other request and no other flag', await met.getByRole('listitem').count() === 2, words);
    await holds(page, 'same-users');
    await met.getByRole('link', { name: 'The new checkout for Sweden' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'The new checkout for Sweden' }).waitFor();
    check('same users: the link leads to the other, which tells of the first', page.url().endsWith(there) && (await met.innerText()).includes('Widen the new checkout to half of Norway and Sweden'));

    await page.route(`**/change-requests/${requests.review}`, async (route) => {
      const answer = await route.fetch(), body = await answer.json();
      const [one] = body.effectConflicts.found;
      await route.fulfill({ response: answer, json: { ...body, effectConflicts: { found: [{ ...one, context: null, words: null }], unread: 3 }, schedulesUnread: 2 } });
    });
    // on the way there it is asked for; a page that is loaded anew has its answer in it
    await met.getByRole('link', { name: 'Widen the new checkout' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Widen the new checkout' }).waitFor();
    await met.waitFor();
    const untold = (await met.innerText()).replace(/\s+/g, ' ');
    check('same users: what could not be told is said', untold.includes('whether for the same users could not be told') && untold.includes('3 other change requests are not compared with it, or not with all flags.') && untold.includes('Whether it would break 2 scheduled change requests was not looked at.'), untold);
    await holds(page, 'same-users-untold');
    await page.unroute(`**/change-requests/${requests.review}`);

    await api('PUT', `admin/projects/default/change-requests/${other}/state`, { state: 'Cancelled' }, nils.token);
    await go(page, review);
    check('same users: nothing is said once the other is given up', await met.count() === 0);
    check('same users: nothing is said in the console', errors.length === 0, errors.join(' | '));
    await context.close();
  }

  // names that are long or read from right to left, at 400 % zoom, which leaves 320 by 225 pixels
  {
    const long = 'a-name-that-somebody-made-longer-and-longer-until-nobody-could-read-it-in-one-go-any-more-at-all', rtl = 'תשלום-חדש-עם-שם-ארוך';
    for (const name of [long, rtl]) await api('POST', 'admin/projects/default/features', { name, description: `${name} `.repeat(4) }).catch(() => null);
    const { context, page } = await as(people.ida, { viewport: { width: 320, height: 225 } });
    for (const path of ['/ui/flags', `/ui/flags/default/${long}`, '/ui/flags?q=%D7%AA']) {
      await go(page, path);
      await page.waitForLoadState('networkidle');
      await holds(page, `zoomed${path.split('?')[0].replaceAll('/', '-').slice(0, 40)}`);
    }
    await context.close();
  }

  // signed out elsewhere
  {
    const { context, page } = await as(people.jonas);
    await go(page, '/ui/segments');
    await context.clearCookies();
    await page.getByRole('link', { name: 'Change requests' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    check('signed out: the way leads back', page.url().endsWith('/ui/change-requests'), page.url());
    await page.getByLabel('User name or email address').fill(people.jonas.username);
    await page.getByLabel('Password').fill(people.jonas.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Change requests' }).waitFor();
    await context.close();
  }

  // a wrong password, and a token instead
  {
    const { context, page } = await open(browser, { bypassCSP: true });
    await page.goto(`${SERVER}/ui/flags`);
    await page.getByLabel('User name or email address').fill('nobody');
    await page.getByLabel('Password').fill('nothing');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('alert').waitFor();
    await holds(page, 'wrong-password');
    await page.getByRole('button', { name: 'Sign in with a token' }).click();
    await page.getByLabel('Token').fill(people.jonas.token);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Flags' }).waitFor();
    check('a token signs in as well, and is in no place that scripts can read', await page.evaluate(() => JSON.stringify([localStorage, sessionStorage, document.cookie])).then((kept) => !kept.includes('user:')));
    await context.close();
  }
});
