// Every page and state in both themes, wide and narrow: accessible, unbroken, silent, and a picture of it.

import { HEIGHT, NARROW, WIDE, accessible, check, each, go, open, picture, run, signIn } from './harness.mjs';
import { reachable, unbroken } from './layout.mjs';
import { pagesOf } from './pages.mjs';
import { known } from './known.mjs';

/** Only these pages, by name, where any are named. */
const only = process.argv.slice(2);

await run('looks', async (browser) => {
  const seeded = await known();
  const pages = Object.entries(pagesOf(seeded)).filter(([name]) => !only.length || only.includes(name));
  const forms = ['light', 'dark'].flatMap((colorScheme) => [WIDE, NARROW].map((width) => ({ colorScheme, width })));
  await each(forms, async ({ colorScheme, width }) => {
    // axe is put into the page by its text, which the policy of the page would refuse
    const { context, page, errors } = await open(browser, { colorScheme, viewport: { width, height: HEIGHT }, bypassCSP: true });
    const about = `${width} ${colorScheme}`;
    await page.goto(`${process.env.VEXIL_URL}/ui/flags`);
    await page.locator('#main h1').waitFor();
    await accessible(page, `sign-in ${about}`);
    await unbroken(page, `sign-in ${about}`);
    await picture(page, `sign-in-${width}-${colorScheme}`);
    await signIn(page, seeded.people.ida);
    for (const [name, [path, prepare]] of pages) {
      await go(page, path);
      await prepare?.(page);
      await page.waitForLoadState('networkidle');
      await accessible(page, `${name} ${about}`);
      await unbroken(page, `${name} ${about}`);
      await reachable(page, `${name} ${about}`);
      await picture(page, `${name}-${width}-${colorScheme}`);
    }
    check(`nothing is said in the console, ${about}`, errors.length === 0, errors.join(' | '));
    await context.close();
  });
});
