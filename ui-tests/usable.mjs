// Every page and state as those use it who wait for it, enlarge it, or have no mouse: with scripts that take a second, at 400 % zoom, by
// the Tab key alone.

import { HEIGHT, SERVER, WIDE, accessible, check, each, equal, go, open, run, signIn } from './harness.mjs';
import { known } from './known.mjs';
import { reachable, unbroken } from './layout.mjs';
import { pagesOf } from './pages.mjs';

/** Only these pages, by name, where any are named. */
const only = process.argv.slice(2);
/** How late each script comes, in milliseconds. */
const LATE = 1000;
/** 1,280 by 900 at 400 %. */
const ZOOMED = { width: WIDE / 4, height: HEIGHT / 4 };
/** More steps of the Tab key than any page needs. */
const MOST_TABS = 700;

/** Runs in the page: everything that a pointer could use, told apart by a number, but for what is one stop together with others. */
function controls() {
  const scope = document.querySelector('dialog[open]') ?? document.querySelector('[popover]:popover-open') ?? document.querySelector('#main');
  const all = [...scope.querySelectorAll('a[href], button, input, select, textarea, summary, [role="slider"]')];
  // a slider says the same as the number beside it
  const usable = all.filter((one) => !(one.type === 'range' && one.tabIndex < 0) && !one.disabled && one.checkVisibility({ visibilityProperty: true }) && !one.closest('.grid'));
  const radios = new Set();
  return usable.filter((one) => one.type !== 'radio' || (!radios.has(one.name) && radios.add(one.name))).map((one, index) => {
    one.dataset.stop = String(index);
    return `${one.tagName.toLowerCase()} “${(one.getAttribute('aria-label') ?? one.textContent ?? '').trim().slice(0, 40)}”`;
  }).concat(scope.querySelector('.grid') ? ['grid'] : []);
}

/** Runs in the page: what has the focus now, and whether that can be seen and is not covered by the head. */
function stop() {
  const one = document.activeElement;
  if (!one || one === document.body) return { at: null };
  const { outlineStyle, outlineWidth } = getComputedStyle(one);
  const box = one.getBoundingClientRect(), head = document.querySelector('#top').getBoundingClientRect();
  const covered = one.closest('#main') !== null && box.bottom <= head.bottom - 1;
  return { at: one.closest('.grid') ? 'grid' : one.dataset.stop ?? '', seen: outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1, covered, told: one.outerHTML.slice(0, 80) };
}

/** Goes through the page by Tab; gives back what was not reached, and what was reached with a focus that cannot be seen or is covered. */
async function walked(page) {
  const wanted = await page.evaluate(controls);
  const missing = new Set(wanted.map((one, index) => (one === 'grid' ? 'grid' : String(index))));
  const unseen = [], covered = [];
  await page.evaluate(() => {
    const inner = document.querySelector('dialog[open]') || document.querySelector('[popover]:popover-open');
    if (!inner) /** @type {any} */ (document.activeElement)?.blur();
  });
  for (let tabs = 0; tabs < MOST_TABS && missing.size; tabs++) {
    await page.keyboard.press('Tab');
    const { at, seen, covered: under, told } = await page.evaluate(stop);
    if (!missing.delete(at)) continue;
    if (!seen) unseen.push(told);
    if (under) covered.push(told);
  }
  return { missing: [...missing].map((one) => wanted[Number(one)] ?? one), unseen, covered };
}

/** Every control is reached by Tab, each with a visible focus that nothing covers. What a page draws anew meanwhile is gone through again. */
async function tabbed(page, name) {
  let { missing, unseen, covered } = await walked(page);
  for (let again = 0; again < 2 && missing.length; again++) {
    await page.waitForLoadState('networkidle');
    ({ missing, unseen, covered } = await walked(page));
  }
  check(`${name}: Tab reaches every control`, missing.length === 0, missing.slice(0, 5).join(' | '));
  check(`${name}: the focus is seen on every control`, unseen.length === 0, unseen.slice(0, 3).join(' | '));
  check(`${name}: nothing covers what has the focus`, covered.length === 0, covered.slice(0, 3).join(' | '));
}

await run('usable', async (browser) => {
  const seeded = await known();
  const pages = Object.entries(pagesOf(seeded)).filter(([name]) => !only.length || only.includes(name));
  const first = await open(browser);
  await signIn(first.page, seeded.people.ida);
  const storageState = await first.context.storageState();
  await first.context.close();

  await each(pages, async ([name, [path, prepare]]) => {
    const { context, page, errors } = await open(browser, { storageState });
    await context.route('**/ui/files/**', async (route) => {
      await new Promise((done) => { setTimeout(done, LATE); });
      await route.continue();
    });
    await page.goto(SERVER + path);
    await page.locator('#main h1').first().waitFor();
    await page.waitForLoadState('networkidle');
    await prepare?.(page);
    await page.waitForLoadState('networkidle');
    await page.waitForFunction(() => ![...document.querySelectorAll('#main .loading')].some((one) => one.checkVisibility() && !one.closest('.why')), null, { timeout: 15 * LATE }).catch(() => {});
    const left = await page.locator('#main .loading').evaluateAll((found) => found.filter((one) => one.checkVisibility() && !one.closest('.why')).length);
    equal(`${name} with slow scripts: nothing is left to come`, left, 0);
    await tabbed(page, `${name} without a mouse`);
    check(`${name} with slow scripts, without a mouse: nothing is said in the console`, errors.length === 0, errors.join(' | '));
    await context.close();
  });

  await each(pages, async ([name, [path, prepare]]) => {
    // axe is put into the page by its text, which the policy of the page would refuse
    const { context, page, errors } = await open(browser, { storageState, viewport: ZOOMED, bypassCSP: true });
    await go(page, path);
    await prepare?.(page);
    await page.waitForLoadState('networkidle');
    await accessible(page, `${name} at 400 %`);
    await unbroken(page, `${name} at 400 %`);
    await reachable(page, `${name} at 400 %`);
    check(`${name} at 400 %: nothing is said in the console`, errors.length === 0, errors.join(' | '));
    await context.close();
  });
});
