// A browser for the tests: contexts that are signed in through the page, checks that count, and what every page must hold.

import fs from 'node:fs';
import net from 'node:net';
import { createRequire } from 'node:module';
import { chromium } from 'playwright-core';

const require = createRequire(import.meta.url);
const axe = fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** Where the server is, and who may administer it. */
export const SERVER = process.env.VEXIL_URL;
export const ADMIN = process.env.VEXIL_ADMIN_TOKEN;
/** Where pictures are kept; none are taken without it. */
const PICTURES = process.env.VEXIL_PICTURES;
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** Answers that a test provokes, as the console tells of them. */
const PROVOKED = /status of (400|401|403|404|409|429|503)|net::ERR_(FAILED|INTERNET_DISCONNECTED|CONNECTION)/;

export const WIDE = 1280;
export const NARROW = 390;
export const HEIGHT = 900;

// ---------- checks

let passed = 0;
const failures = [];

/** Counts a check, and says what failed. */
export function check(name, holds, told = '') {
  if (holds) {
    passed += 1;
    return;
  }
  failures.push(name);
  console.log(`FAILED ${name}${told ? `: ${told}` : ''}`);
}

export function equal(name, found, wanted) {
  const [one, other] = [found, wanted].map((value) => JSON.stringify(value));
  check(name, one === other, `${one}, wanted ${other}`);
}

/** Runs one file of checks, and ends the process with what became of them. */
export async function run(title, tests) {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: FLAGS });
  try {
    await tests(browser);
  } catch (error) {
    check(`${title} came to its end`, false, error.stack);
  } finally {
    await browser.close();
  }
  console.log(`${title}: ${passed} passed, ${failures.length} failed`);
  process.exitCode = failures.length ? 1 : 0;
}

// ---------- the server

/** Asks the API, as an admin unless somebody else is named. */
export async function api(method, path, body, token = ADMIN) {
  const headers = { Authorization: token, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) };
  const answer = await fetch(`${SERVER}/api/${path}`, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 400)}`);
  return text ? JSON.parse(text) : null;
}

/** A port that nobody listens at. */
export const freePort = () => new Promise((done) => {
  const probe = net.createServer().listen(0, '127.0.0.1', () => {
    const { port } = /** @type {net.AddressInfo} */ (probe.address());
    probe.close(() => done(port));
  });
});

// ---------- pages

/** A page in a context of its own, and what went wrong in it. */
export async function open(browser, options = {}) {
  const context = await browser.newContext({ viewport: { width: WIDE, height: HEIGHT }, reducedMotion: 'reduce', timezoneId: 'Europe/Oslo', locale: 'en', ...options });
  const page = await context.newPage();
  const errors = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => message.type() === 'error' && !PROVOKED.test(message.text()) && errors.push(message.text()));
  return { context, page, errors };
}

/** Signs in through the page. */
export async function signIn(page, { username, password }) {
  await page.goto(`${SERVER}/ui/flags`);
  await page.getByLabel('User name or email address').fill(username);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Flags' }).waitFor();
}

/** Goes to a page and waits until it stands still. */
export async function go(page, path) {
  await page.goto(SERVER + path, { waitUntil: 'networkidle' });
  await page.locator('#main h1').first().waitFor();
}

/** Every element that violates WCAG 2.2 AA, or what axe calls best practice, with the rule. */
export async function axeFindings(page) {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe);
  const { violations } = await page.evaluate((rules) => globalThis.axe.run(document, { runOnly: rules }), RULES);
  return violations.flatMap((one) => one.nodes.map((node) => `${one.id} ${node.html.slice(0, 140)}`));
}

export async function accessible(page, name) {
  const found = await axeFindings(page);
  check(`${name}: axe finds nothing`, found.length === 0, found.slice(0, 6).join(' | '));
}

export async function picture(page, name) {
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/${name}.png`, fullPage: true });
}

/** How many pages are looked at side by side. */
const AT_ONCE = 4;

/** Does `work` with each of a list, a few side by side. */
export async function each(list, work) {
  const left = [...list];
  await Promise.all(Array.from({ length: AT_ONCE }, async () => {
    for (let one = left.shift(); one; one = left.shift()) await work(one);
  }));
}
