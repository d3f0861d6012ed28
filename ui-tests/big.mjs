// Large servers: the list of 10,000 flags, and a change request of 500 flags with 4,096 combinations. How long until a page shows what was
// asked for, and how much memory the browser takes for it.

import fs from 'node:fs';
import { HEIGHT, NARROW, SERVER, WIDE, accessible, api, check, equal, go, open, picture, run, signIn } from './harness.mjs';
import { unbroken } from './layout.mjs';
import { changeRequest, constraint, person, rollout } from './seed.mjs';

/** How many flags the list has, and how many of them the change request touches; fewer where time is short. */
const FLAGS = Number(process.env.VEXIL_BIG_FLAGS ?? 600), CHANGED = Number(process.env.VEXIL_BIG_CHANGED ?? 100);
/** Bounds, in milliseconds and bytes, where somebody asks for them: on a machine that does something else times say nothing. */
const bounds = process.env.VEXIL_BIG_BOUNDS ? { list: 500, change: 1000 } : { list: Infinity, change: Infinity };
const MEMORY = 100 * 1024 * 1024;
/** 4,096 combinations: eight countries, eight plans, eight apps and eight people. */
const FIELDS = { country: 8, plan: 8, app: 8, userId: 8 };
const COMBINATIONS = 4096;
const TIMES = process.env.VEXIL_BIG_BOUNDS ? 5 : 1;

const base = 'admin/projects/default';
const name = (index) => `flag-${String(index).padStart(5, '0')}`;

/** Does `work` for 0 to `number`, a few side by side. */
async function times(number, work) {
  let next = 0;
  await Promise.all(Array.from({ length: 8 }, async () => {
    while (next < number) await work(next++);
  }));
}

/** Runs `open` a few times; gives back the middle of what it measures. */
async function middle(measure) {
  const found = [];
  for (let turn = 0; turn < TIMES; turn++) found.push(await measure());
  return found.toSorted((a, b) => a.ms - b.ms)[found.length >> 1];
}

/** The bytes that the processes of pages have for themselves, by their ids. */
async function processes(browser) {
  const client = await browser.newBrowserCDPSession();
  const { processInfo } = await client.send('SystemInfo.getProcessInfo');
  await client.detach();
  const own = (id) => {
    try {
      return 1024 * [...fs.readFileSync(`/proc/${id}/smaps_rollup`, 'utf8').matchAll(/^Private_(?:Clean|Dirty): +(\d+)/gm)].reduce((all, [, number]) => all + Number(number), 0);
    } catch {
      return 0; // it has ended
    }
  };
  return new Map(processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => [id, own(id)]));
}

/** Opens a page, waits for `shown`, and tells when that was, counted from the start of the navigation, and what the page's memory is then. */
async function measured(browser, state, path, shown) {
  const before = await processes(browser);
  const { context, page, errors } = await open(browser, { storageState: state });
  const client = await context.newCDPSession(page);
  await client.send('Performance.enable');
  // the moment is taken in the page, in the frame in which it stands there
  await page.addInitScript((selector) => {
    const look = () => (document.querySelector(selector) ? requestAnimationFrame(() => performance.mark('shown')) : requestAnimationFrame(look));
    look();
  }, shown);
  await page.goto(SERVER + path);
  await page.waitForFunction(() => performance.getEntriesByName('shown').length > 0);
  const ms = await page.evaluate(() => Math.round(performance.getEntriesByName('shown')[0].startTime));
  await page.waitForLoadState('networkidle');
  await client.send('HeapProfiler.collectGarbage');
  const { metrics } = await client.send('Performance.getMetrics');
  const heap = metrics.find((one) => one.name === 'JSHeapUsedSize').value;
  const bytes = Math.max(...[...await processes(browser)].map(([process, own]) => (before.has(process) ? 0 : own)));
  equal(`${path}: nothing is said in the console`, errors, []);
  const told = { ms, heap, bytes, nodes: metrics.find((one) => one.name === 'Nodes').value, text: await page.locator('#main').innerText() };
  await context.close();
  return told;
}

await run('big', async (browser) => {
  const ida = await person('big-ida', 'Ida Moe', 'Admin');
  await times(FLAGS, async (index) => {
    await api('POST', `${base}/features`, { name: name(index), description: `The flag of number ${index}` });
    if (index >= CHANGED) return;
    await api('POST', `${base}/features/${name(index)}/environments/production/strategies`, rollout(name(index), 20 + (index % 50), { constraints: [constraint('country', 'IN', 'c1', 'c2')] }));
    await api('POST', `${base}/features/${name(index)}/environments/production/on`, {});
  });
  const id = await changeRequest(ida, 'production', `Open ${CHANGED} flags`, Array.from({ length: CHANGED }, (_, index) => ({
    feature: name(index), action: 'addStrategy', payload: rollout(name(index), 40 + (index % 50), { constraints: [constraint('plan', 'IN', 'p1', 'p2', 'p3'), constraint('app', 'IN', 'a1', 'a2')] }),
  })));
  const { context, page } = await open(browser);
  await signIn(page, ida);
  const state = await context.storageState();
  await context.close();
  const mib = (bytes) => (bytes / 1024 / 1024).toFixed(1);

  const list = await middle(() => measured(browser, state, '/ui/flags', '.list.flags tbody tr'));
  console.log(`${FLAGS} flags: the list after ${list.ms} ms, ${mib(list.bytes)} MiB (${mib(list.heap)} of scripts), ${list.nodes} nodes`);
  check(`${FLAGS} flags: the list within ${bounds.list} ms`, list.ms <= bounds.list, String(list.ms));
  check('the list counts all of them', list.text.includes(new Intl.NumberFormat('en').format(FLAGS)), list.text.slice(0, 200));
  const found = await middle(() => measured(browser, state, `/ui/flags?q=${name(FLAGS - 1)}`, '.list.flags tbody tr'));
  console.log(`${FLAGS} flags: one of them by its name after ${found.ms} ms`);
  check(`one of ${FLAGS} flags by its name within ${bounds.list} ms`, found.ms <= bounds.list, String(found.ms));

  const values = Object.entries(FIELDS).flatMap(([field, number]) => Array.from({ length: number }, (_, index) => `c.${field}=${field[0]}${index}`)).join('&');
  const change = await middle(() => measured(browser, state, `/ui/change-requests/default/${id}?${values}`, '.grid td[aria-selected="true"]'));
  console.log(`${CHANGED} flags × ${COMBINATIONS} combinations: the matrix after ${change.ms} ms, ${mib(change.bytes)} MiB (${mib(change.heap)} of scripts), ${change.nodes} nodes`);
  check(`${CHANGED} flags × ${COMBINATIONS} combinations: all are tried`, change.text.includes(new Intl.NumberFormat('en').format(COMBINATIONS)), change.text.slice(0, 300));
  check(`${CHANGED} flags × ${COMBINATIONS} combinations: the matrix within ${bounds.change} ms`, change.ms <= bounds.change, String(change.ms));
  check(`${CHANGED} flags × ${COMBINATIONS} combinations: at most 100 MiB of the page’s process`, change.bytes > 0 && change.bytes <= MEMORY, mib(change.bytes));

  // what is folded at first, in each theme and width, and unfolded by hand
  for (const colorScheme of ['light', 'dark']) for (const width of [WIDE, NARROW]) {
    const about = `${CHANGED} flags ${width} ${colorScheme}`;
    const { context, page, errors } = await open(browser, { storageState: state, colorScheme, viewport: { width, height: HEIGHT }, bypassCSP: true });
    await go(page, `/ui/change-requests/default/${id}?${values}`);
    await page.locator('.grid td[aria-selected="true"]').waitFor();
    await unbroken(page, `${about}, folded`);
    await accessible(page, `${about}, folded`);
    await picture(page, `folded-${width}-${colorScheme}`);
    // two lines of a flag say whom it hits, and one how its share moves
    for (const [what, lines, button, all] of /** @type {const} */ ([['whom', '.effect-table tbody tr', '.effect-table ~ button', 2 * CHANGED], ['shares', '.exact li', '.exact > button', CHANGED]])) {
      const shown = await page.locator(lines).count();
      const words = await page.locator(button).innerText();
      equal(`${about}: the button for ${what} says how many it shows`, Number(words.replace(/\D/g, '')) + shown, all);
      await page.locator(button).press('Enter');
      equal(`${about}: all ${what} are there`, await page.locator(lines).count(), all);
      check(`${about}: the focus is at the first of the others`, await page.locator(lines).nth(shown).evaluate((one) => one === document.activeElement));
      equal(`${about}: nothing else of ${what} is folded`, await page.locator(button).count(), 0);
    }
    const flags = () => page.locator('.grid .flag').count();
    const before = await flags();
    await page.locator('.more-flags button').press('Enter');
    const after = await flags();
    check(`${about}: more flags are drawn when somebody asks`, before < after && after <= CHANGED, `${before}, then ${after}`);
    await unbroken(page, `${about}, unfolded`);
    equal(`${about}: nothing is said in the console`, errors, []);
    await context.close();
  }
});
