// Every page of Unleash's own UI, opened by a person who is signed in: it shows something, nothing in it throws, and the server answers each question.

import { check } from './harness.mjs';

const P = '/projects/default', ADMIN_PAGES = ['', '/users', '/create-user', '/users/1/edit', '/users/inactive', '/users/1/access', '/service-accounts', '/groups', '/roles', '/api', '/api/create-token', '/auth', '/instance', '/instance-privacy', '/network', '/network/traffic', '/maintenance', '/banners', '/cors', '/logins', '/license', '/billing'];
const PROJECT_SETTINGS = ['', '/environments', '/access', '/api-access', '/segments', '/change-requests', '/default-strategy', '/context-fields'];

/** The addresses of all pages; `known` names a flag, a segment, a change request and an application that there are. */
export function addresses({ flag, segment, request, application }) {
  const f = `${P}/features/${flag}`;
  return [
    '/', '/personal', '/projects', P, f, `${f}/metrics`, `${f}/settings`, `${f}/logs`,
    `${f}/strategies/create?environmentId=development&strategyName=flexibleRollout`, `${P}?project-status`, `${P}/archive`,
    ...PROJECT_SETTINGS.map((page) => `${P}/settings${page}`),
    `${P}/logs`, `${P}/applications`, `${P}/change-requests`, `${P}/change-requests/${request}`, '/change-requests', '/search', '/features', '/playground',
    '/insights', '/applications', `/applications/${application}`, '/context', '/context/create', '/context/edit/userId', '/segments', '/segments/create', `/segments/edit/${segment}`,
    '/environments', '/environments/create', '/environments/development', '/tag-types', '/tag-types/create', '/feature-toggle-type', '/strategies', '/strategies/flexibleRollout', '/strategies/create',
    '/integrations', '/integrations/create/webhook', '/history', '/archive', '/release-templates', '/unknown-flags',
    ...ADMIN_PAGES.map((page) => `/admin${page}`),
    '/profile', '/profile/change-password', '/profile/personal-api-tokens', '/login', '/forgotten-password',
  ];
}

/** A page has come when it shows something and has nothing left to ask. */
const QUIET = 250, LONGEST = 10_000;

async function settled(page, site) {
  const begun = Date.now();
  for (let text = ''; Date.now() - begun < LONGEST;) {
    const now = await page.evaluate(() => document.querySelector('main')?.innerText ?? document.body.innerText);
    if (site.isQuiet(QUIET) && now === text && now.length > 40) return;
    text = now;
    await page.waitForTimeout(100);
  }
}

/** Follows a link, as the pages do it themselves: without loading everything anew. */
async function follow(page, site, address) {
  await page.evaluate((to) => {
    history.pushState({}, '', to);
    dispatchEvent(new PopStateEvent('popstate', { state: {} }));
  }, address);
  await page.waitForTimeout(50);
  await settled(page, site);
}

/** Opens all of them, one after the other. */
export async function visitAll({ page, errors }, site, all) {
  await page.goto(site.url);
  await settled(page, site);
  for (const address of all) {
    errors.length = 0;
    await follow(page, site, address);
    // now and then a part that is loaded late leaves a page empty; whoever loads it anew sees it
    if ((await page.evaluate(() => document.body.innerText.length)) < 40) {
      await page.goto(site.url + address);
      await settled(page, site);
    }
    const text = await page.evaluate(() => document.body.innerText);
    check(`${address} shows something`, text.length > 40 && !/something went wrong|an error occurred/i.test(text), text.slice(0, 200));
    const faults = site.calls().filter(({ status }) => status === 0 || status === 400 || status >= 500);
    check(`${address}: what it asks is understood and answered`, faults.length === 0, JSON.stringify(faults.slice(0, 5)));
    check(`${address}: nothing throws`, errors.length === 0, errors.join(' | ').slice(0, 300));
    if (process.env.VEXIL_PICTURES) await page.screenshot({ path: `${process.env.VEXIL_PICTURES}/unleash${address.replace(/\W+/g, '-')}.png` });
  }
}
