// What somebody must see who judges a change request: that approvals went, that a proof is none, other environments, letters that hide, many
// groups; and that nothing but what stands there is approved.

import { HEIGHT, NARROW, WIDE, accessible, api, check, equal, go, open, picture, run, signIn } from './harness.mjs';
import { known } from './known.mjs';
import { unbroken } from './layout.mjs';
import { changeRequest, constraint, flag, person, rollout } from './seed.mjs';

const review = 'In review';
const change = (feature, action, payload) => ({ feature, action, payload });
const where = (name, ...countries) => rollout(name, 100, { constraints: [constraint('country', 'IN', ...countries)] });
const strategies = (name, environment = 'production') => `admin/projects/default/features/${name}/environments/${environment}/strategies`;
const state = (id) => `admin/projects/default/change-requests/${id}/state`;

/** Change requests, each of an author of its own. */
async function requests(people) {
  const made = {};
  const author = (name) => person(`judge-${name.toLowerCase()}`, name, 'Editor');

  const nora = await author('Nora');
  const groups = (name, index) => rollout(name, 1 + index, { constraints: [constraint('country', 'IN', `C${index}`, `D${index}`), constraint('plan', 'NOT_IN', `p${index}`)] });
  const adds = [];
  for (let number = 0; number < 5; number++) {
    const name = `judge-groups-${number}`;
    await flag(name, 'Many groups of users', { production: [groups(name, 0)] });
    for (let index = 1; index < 26; index++) adds.push(change(name, 'addStrategy', groups(name, index)));
  }
  made.groups = await changeRequest(nora, 'production', 'Open it to many groups', adds, [[nora, review]]);

  const olav = await author('Olav');
  await flag('judge-pattern', 'Whom it lets in is not told by values', { production: Array.from({ length: 16 }, (_, index) => rollout('judge-pattern', 30, { constraints: [constraint('email', 'STR_CONTAINS', `w${index}x`)] })) });
  await flag('judge-known', 'This one is told', { production: [where('judge-known', 'NO')] });
  made.open = await changeRequest(olav, 'production', 'Open the pattern, and another flag to Denmark', [change('judge-pattern', 'addStrategy', rollout('judge-pattern', 60, { constraints: [constraint('email', 'STR_ENDS_WITH', '.no')] })), change('judge-known', 'addStrategy', where('judge-known', 'DK')), change('judge-known', 'addStrategy', rollout('judge-known', 10, { constraints: [constraint('country', 'IN', 'IS')] }))], [[olav, review]]);

  const pia = await author('Pi\u200ba');
  made.unseen = await changeRequest(pia, 'production', 'Fix\u00a0a \u202etypo\u202c', [change('judge-known', 'addStrategy', rollout('judge-known', 80, { title: 'a\u200btitle', constraints: [constraint('country', 'IN', 'FI\u200b', 'FI', 'F\u3164I', ' F I ')] }))], [[pia, review]], [[pia, 'one line\nand another\u2060']]);

  const siri = await author('Siri');
  const { id: segment } = await api('POST', 'admin/segments', { name: 'judge-payers', constraints: [constraint('plan', 'IN', 'pro')] });
  await flag('judge-shared', 'On for payers', { development: [rollout('judge-shared', 100, { segments: [segment] })], production: [rollout('judge-shared', 50, { segments: [segment] })] });
  made.elsewhere = await changeRequest(siri, 'development', 'Only something in development', [{ action: 'updateSegment', payload: { id: segment, name: 'judge-payers', constraints: [constraint('plan', 'IN', 'pro', 'free')] } }], [[siri, review]]);

  const tore = await author('Tore');
  await flag('judge-back', 'Somebody edits it meanwhile', { production: [where('judge-back', 'NO')] });
  made.back = await changeRequest(tore, 'production', 'Let Sweden and Denmark in', [change('judge-back', 'addStrategy', where('judge-back', 'SE', 'DK'))], [[tore, review], [people.jonas, 'Approved']]);
  await api('POST', strategies('judge-back'), where('judge-back', 'DK'));
  const refused = await api('PUT', state(made.back), { state: 'Applied' }, people.jonas.token).then(() => null, (error) => error.message);
  check('what became something else is not applied', /409/.test(refused), refused);

  const una = await author('Una');
  await flag('judge-named', 'Its request is called something else after it was approved', { production: [where('judge-named', 'NO')] });
  made.retitled = await changeRequest(una, 'production', 'Let Sweden in', [change('judge-named', 'addStrategy', where('judge-named', 'SE'))], [[una, review], [people.jonas, 'Approved']]);
  for (const title of ['Let no\u200bbody in', 'Nothing to see here']) await api('PUT', `admin/projects/default/change-requests/${made.retitled}/title`, { title }, una.token);
  return made;
}

/** What a page must say, by the request. */
const SAYS = {
  groups: async (page) => {
    check('groups: few lines at first', await page.locator('.effect-table tbody tr').count() <= 7);
    check('groups: few changes of each flag at first', await page.locator('.changed').first().locator('li').count() <= 9);
    check('groups: it says how many more there are', /Show \d+ more/.test(await page.locator('.does').first().innerText()));
  },
  open: async (page) => {
    check('open: the flags that are told are not all', /^At least 1 of/.test(await page.locator('.sentence').first().innerText()), await page.locator('.sentence').first().innerText());
    check('open: it says that others may change', /Others may change.*judge-pattern/s.test(await page.locator('.bound.open').first().innerText()));
    check('open: nobody signs it as decided', /all the same.*not decided/s.test(await page.locator('.signature').innerText()));
  },
  unseen: async (page) => {
    equal('unseen: the title', await page.locator('h1').innerText(), 'Fix\\u{a0}a \\u{202e}typo\\u{202c}');
    const text = await page.locator('#main').innerText();
    for (const told of ['pi\\u{200b}a', 'a\\u{200b}title', 'FI\\u{200b}', 'F\\u{3164}I', 'another\\u{2060}']) check(`unseen: ${told}`, text.includes(told));
  },
  elsewhere: async (page) => {
    const table = await page.locator('.effect-table').innerText();
    for (const environment of ['development', 'production']) check(`elsewhere: ${environment} is told of`, table.includes(`judge-shared in ${environment}`), table);
  },
  back: async (page) => {
    const note = await page.locator('.setback').innerText();
    check('back: when, why and whose approval', /Approvals were withdrawn .*: what it would do has become something else\.[\s\S]*jonas.* had approved it/.test(note), note);
    check('back: what was approved, and what it would do now', /then\s.*judge-back off -> on.*DK or SE[\s\S]*now\s.*judge-back off -> on.*SE/.test(note), note);
    check('back: no approval counts', (await page.locator('.facts').innerText()).includes('0 of 1 approval'));
  },
  retitled: async (page) => {
    equal('retitled: the title', await page.locator('h1').innerText(), 'Nothing to see here');
    const said = await page.locator('.conversation').innerText();
    check('retitled: that it was approved by another title, and by which', /jonas.* approved[\s\S]*una.* changed the title, which was Let Sweden in[\s\S]*una.* changed the title, which was Let no\\u\{200b\}body in/.test(said), said);
  },
};

/** Somebody reads a request, and what is asked or what it would do becomes something else before the button is pressed. */
async function signing(browser, storageState, author, id, moved, button) {
  const { page, context } = await open(browser, { storageState });
  await go(page, `/ui/change-requests/default/${id}`);
  await page.locator('.signature button:enabled').waitFor();
  await moved();
  await api('POST', `admin/projects/default/change-requests/${id}/comments`, { text: 'A word that draws the page anew' }, author.token);
  await page.getByText('Somebody has changed this meanwhile').waitFor();
  await button(page);
  await page.getByText('read it again').first().waitFor();
  const { state: now, approvals } = await api('GET', `admin/projects/default/change-requests/${id}`);
  equal(`${id}: what nobody read is not approved`, [now, approvals.length], [review, 0]);
  await context.close();
}

await run('judge', async (browser) => {
  const { people } = await known();
  const made = await requests(people);
  const first = await open(browser);
  await signIn(first.page, people.jonas);
  const storageState = await first.context.storageState();
  await first.context.close();
  for (const colorScheme of ['light', 'dark']) for (const width of [WIDE, NARROW]) {
    const { page, context, errors } = await open(browser, { storageState, colorScheme: /** @type {any} */ (colorScheme), viewport: { width, height: HEIGHT }, bypassCSP: true });
    for (const [name, says] of Object.entries(SAYS)) {
      await go(page, `/ui/change-requests/default/${made[name]}`);
      await page.locator('.bound').first().waitFor();
      await says(page);
      const told = `judge-${name}-${colorScheme}-${width}`;
      await accessible(page, told);
      await unbroken(page, told);
      await picture(page, told);
    }
    equal(`${colorScheme} ${width}: nothing is said in the console`, errors, []);
    await context.close();
  }

  const exactly = (page) => page.getByRole('button', { name: 'Approve exactly this' }).click();
  const asked = async (page) => {
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    await page.locator('dialog[open] button[type="submit"]').click();
  };
  const buttons = { exactly, asked };
  for (const [name, button] of Object.entries(buttons)) {
    const author = await person(`judge-sly-${name}`, 'Sly', 'Editor');
    const own = `judge-sly-${name}`;
    await flag(own, 'Somebody edits it', { production: [where(own, 'NO')] });
    const id = await changeRequest(author, 'production', 'Sweden', [change(own, 'addStrategy', where(own, 'SE', 'DK'))], [[author, review]]);
    await signing(browser, storageState, author, id, () => api('POST', strategies(own), where(own, 'DK')), button);
    await signing(browser, storageState, author, id, () => api('POST', 'admin/projects/default/environments/production/change-requests', [change('quiet', 'addStrategy', where('quiet', 'XX'))], author.token), button);
  }
});
