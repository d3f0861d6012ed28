// Two ways to use a page: with the pointer, and with the keyboard alone. Both do the same things by the same names.

/** By the pointer: clicks, and typing where was clicked. */
export function pointer(page) {
  /** A dialog that is open covers everything else. */
  const scope = async () => ((await page.locator('dialog[open]').count()) ? page.locator('dialog[open]') : page);
  const named = async (role, name) => (await scope()).getByRole(role, { name, exact: true }).first();
  const labelled = async (label) => (await scope()).getByLabel(label, { exact: true }).first();
  return {
    name: 'clicks',
    press: async (name) => (await named('button', name)).click(),
    follow: async (name) => (await named('link', name)).click(),
    fill: async (label, text) => (await labelled(label)).fill(text),
    async add(label, text) {
      await (await labelled(label)).click();
      await page.keyboard.type(text);
      await page.keyboard.press('Enter');
    },
    choose: async (label, option) => { await (await labelled(label)).selectOption({ label: option }); },
    async cell(text) {
      await page.locator('.grid td', { hasText: text }).first().click();
    },
  };
}

/** Runs in the page: what is focused, by the name that a reader hears, and its kind. */
function focused() {
  const one = document.activeElement;
  if (!one || one === document.body) return { name: '', kind: 'body' };
  const labels = [...(one.labels ?? [])].map((label) => label.textContent.trim()).join(' ');
  const name = (one.getAttribute('aria-label') ?? (labels || one.textContent || one.getAttribute('placeholder') || '')).trim();
  return { name, kind: one.tagName.toLowerCase(), type: one.getAttribute('type') ?? '' };
}

/** By the keyboard: Tab until it is reached, then the key for it. */
export function keyboard(page, most = 400) {
  const kinds = { button: ['button', 'summary'], link: ['a'], field: ['input', 'textarea'], select: ['select'] };
  async function reach(kind, name) {
    const fits = (at) => kinds[kind].includes(at.kind) && at.name === name;
    if (fits(await page.evaluate(focused))) return;
    for (let tabs = 0; tabs < most; tabs++) {
      await page.keyboard.press('Tab');
      if (fits(await page.evaluate(focused))) return;
    }
    throw new Error(`Tab does not reach the ${kind} “${name}” in ${most} steps`);
  }
  /** Waits until it is there, as a person looks before reaching for it. */
  const seen = (role, name) => page.getByRole(role, { name, exact: true }).first().waitFor();
  return {
    name: 'keyboard',
    async press(name) {
      await seen('button', name);
      await reach('button', name);
      await page.keyboard.press('Enter');
    },
    async follow(name) {
      await seen('link', name);
      await reach('link', name);
      await page.keyboard.press('Enter');
    },
    async fill(label, text) {
      await page.getByLabel(label, { exact: true }).first().waitFor();
      await reach('field', label);
      await page.keyboard.press('Control+A');
      await page.keyboard.type(text);
    },
    async add(label, text) {
      await page.getByLabel(label, { exact: true }).first().waitFor();
      await reach('field', label);
      await page.keyboard.type(text);
      await page.keyboard.press('Enter');
    },
    async choose(label, option) {
      await page.getByLabel(label, { exact: true }).first().waitFor();
      await reach('select', label);
      await page.keyboard.type(option);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Shift+Tab');
    },
    async cell(text) {
      await page.locator('.grid td', { hasText: text }).first().waitFor();
      for (let tabs = 0; tabs < most; tabs++) {
        const at = await page.evaluate(focused);
        if (at.kind === 'td') break;
        await page.keyboard.press('Tab');
      }
      for (let steps = 0; steps < 60; steps++) {
        const at = await page.evaluate(focused);
        if (at.kind === 'td' && at.name.replace(/\s+/g, ' ').includes(text)) return page.keyboard.press('Enter');
        await page.keyboard.press(steps % 10 === 9 ? 'ArrowRight' : 'ArrowDown');
      }
      throw new Error(`arrows do not reach the cell “${text}”`);
    },
  };
}
