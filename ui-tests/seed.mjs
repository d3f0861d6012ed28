// Fills an empty server with a shop's flags, people, change requests in every state, and an hour of usage, through the API alone.

import { api } from './harness.mjs';

export const PASSWORD = 'Correct-Horse-7-Battery';
const base = 'admin/projects/default';

export const constraint = (contextName, operator, ...values) => ({ contextName, operator, ...(/^(NUM|DATE|SEMVER|REGEX)/.test(operator) ? { value: values[0] } : { values }) });

export function rollout(flag, percent, { title = '', constraints = [], segments = [], variants = [], stickiness = 'userId' } = {}) {
  const shares = variants.map(([name, weight], index) => ({ name, weight, weightType: index === variants.length - 1 ? 'variable' : 'fix', stickiness }));
  return { name: 'flexibleRollout', title, parameters: { rollout: String(percent), stickiness, groupId: flag }, constraints, segments, variants: shares };
}

/** Creates a flag; `places` maps an environment to the strategies there, which turn it on. */
export async function flag(name, description, places = {}, type = 'release') {
  await api('POST', `${base}/features`, { name, description, type });
  const made = {};
  for (const [environment, strategies] of Object.entries(places)) {
    const place = `${base}/features/${encodeURIComponent(name)}/environments/${environment}`;
    made[environment] = [];
    for (const strategy of strategies) made[environment].push(await api('POST', `${place}/strategies`, strategy));
    if (strategies.length) await api('POST', `${place}/on`, {});
  }
  return made;
}

/** A user with a password and a personal token, who may review. */
export async function person(username, name, role, reviews = true) {
  const user = await api('POST', 'admin/user-admin', { username, name, rootRole: role, email: `${username}@example.org`, password: PASSWORD });
  if (reviews) await api('PUT', `${base}/access/users/${user.id}`, { permissions: ['APPROVE_CHANGE_REQUEST', 'APPLY_CHANGE_REQUEST'].map((permission) => ({ permission })) });
  const ends = new Date(Date.now() + 30 * 86_400_000).toISOString();
  const { secret } = await api('POST', `admin/user-admin/${user.id}/tokens`, { description: 'seed', expiresAt: ends });
  return { ...user, username, password: PASSWORD, token: secret };
}

/** A change request of a person, moved through states by others, with comments. */
export async function changeRequest(who, environment, title, changes, states = [], comments = []) {
  const made = await api('POST', `${base}/environments/${environment}/change-requests`, changes, who.token);
  const { id } = Array.isArray(made) ? made[0] : made;
  await api('PUT', `${base}/change-requests/${id}/title`, { title }, who.token);
  for (const [by, state] of states) await api('PUT', `${base}/change-requests/${id}/state`, typeof state === 'string' ? { state } : state, by.token);
  for (const [by, text] of comments) await api('POST', `${base}/change-requests/${id}/comments`, { text }, by.token);
  return id;
}

/** Reports of an hour, minute by minute: a wave, a dip, and minutes in which nobody reported. */
async function usage(tokens) {
  const plan = [
    ['checkout-redesign', 'production', 'shop-web', 420, 0.11, { blue: 0.5, green: 0.5 }], ['checkout-redesign', 'production', 'shop-ios', 160, 0.09, { blue: 0.52, green: 0.48 }],
    ['checkout-redesign', 'development', 'shop-web', 24, 0.96, { blue: 0.5, green: 0.5 }], ['express-delivery', 'production', 'shop-web', 130, 0.08, {}], ['dark-mode', 'production', 'shop-ios', 300, 1, {}],
    ['search-v2', 'production', 'shop-web', 350, 0.04, {}], ['winter-prices', 'production', 'checkout-service', 220, 1, {}], ['fraud-check', 'production', 'checkout-service', 60, 0.3, {}],
  ];
  const now = Math.floor(Date.now() / 1000);
  for (let back = 59; back >= 0; back--) {
    const reports = new Map();
    for (const [name, environment, application, rate, share, variants] of plan) {
      if (environment === 'development' && back >= 21 && back <= 27) continue;
      const wave = (1 + 0.35 * Math.sin(back / 9)) * (environment === 'production' && back >= 33 && back <= 36 ? 0.35 : 1);
      const total = Math.round(rate * wave), yes = Math.round(total * share);
      const toggles = reports.get(`${environment} ${application}`) ?? {};
      toggles[name] = { yes, no: total - yes, variants: Object.fromEntries(Object.entries(variants).map(([variant, part]) => [variant, Math.round(yes * part)])) };
      reports.set(`${environment} ${application}`, toggles);
    }
    for (const [key, toggles] of reports) {
      const [environment, appName] = key.split(' ');
      await api('POST', 'client/metrics', { appName, instanceId: 'seed', bucket: { start: now - back * 60 - 60, stop: now - back * 60, toggles } }, tokens[environment]);
    }
  }
}

/** Fills the server; gives back the people, the tokens, and the change requests by what they are. */
export async function seed() {
  const maria = await person('maria', 'Maria Lind', 'Editor'), jonas = await person('jonas', 'Jonas Berg', 'Editor'), ida = await person('ida', 'Ida Moe', 'Admin');
  const vera = await person('vera', 'Vera Holm', 'Viewer', false);
  const { id: beta } = await api('POST', 'admin/segments', { name: 'beta-testers', description: 'Customers on the beta plan, and our own people', constraints: [constraint('plan', 'IN', 'beta', 'staff')] });
  const colours = [['blue', 500], ['green', 500]];
  const checkout = await flag('checkout-redesign', 'The new checkout pages', {
    production: [rollout('checkout-redesign', 20, { title: 'Norway first', constraints: [constraint('country', 'IN', 'NO')], variants: colours })], development: [rollout('checkout-redesign', 100, { variants: colours })],
  });
  await flag('dark-mode', 'Dark colours', { production: [rollout('dark-mode', 100)], development: [rollout('dark-mode', 100)] });
  await flag('search-v2', 'The new search', { production: [rollout('search-v2', 25, { title: 'A quarter of the beta testers', segments: [beta] })], development: [rollout('search-v2', 100)] });
  const prices = await flag('winter-prices', 'Winter price list', { production: [rollout('winter-prices', 100)] }, 'kill-switch');
  await flag('express-delivery', 'Same-day delivery in the new checkout', { production: [rollout('express-delivery', 60, { title: 'Some of those in the new checkout' })] });
  await api('POST', `${base}/features/express-delivery/dependencies`, { feature: 'checkout-redesign' });
  await flag('app-banner', 'Asks people to rate the app', { production: [rollout('app-banner', 100, { title: 'New apps, after the launch', constraints: [constraint('appVersion', 'SEMVER_GT', '2.3.0'), constraint('currentTime', 'DATE_AFTER', '2026-12-01T08:00:00Z')] })] }, 'experiment');
  await api('POST', 'admin/strategies', { name: 'riskScore', description: 'Decided by the risk model of the application', parameters: [{ name: 'above', type: 'number', required: true }] });
  await flag('fraud-check', 'Asks for a second factor when a purchase looks odd', { production: [{ name: 'riskScore', parameters: { above: '80' }, constraints: [constraint('country', 'NOT_IN', 'NO')], segments: [] }] }, 'operational');
  await flag('legacy-invoices', 'Invoices of the old system', { development: [rollout('legacy-invoices', 100)] });
  await api('POST', `${base}/stale`, { features: ['legacy-invoices'], stale: true });
  await flag('quiet', 'Nobody asks for it');
  await flag('gone', 'It was tried and given up', {});
  await api('DELETE', `${base}/features/gone`);

  const tokens = {};
  for (const environment of ['development', 'production']) tokens[environment] = (await api('POST', 'admin/api-tokens', { tokenName: `sdk-${environment}`, type: 'client', environment, projects: ['default'] })).secret;
  await api('PUT', `${base}/environments/production/change-requests/config`, { changeRequestsEnabled: true, requiredApprovals: 1 });

  const review = 'In review', requests = {};
  const change = (feature, action, payload) => ({ feature, action, payload });
  requests.cancelled = await changeRequest(maria, 'production', 'Dark mode for half', [change('dark-mode', 'updateEnabled', { enabled: false })], [[maria, review], [maria, 'Cancelled']]);
  requests.applied = await changeRequest(maria, 'production', 'Give the price list’s strategy a name', [change('winter-prices', 'updateStrategy', { ...rollout('winter-prices', 100, { title: 'Winter price list, everyone' }), id: prices.production[0].id })], [[maria, review], [jonas, 'Approved'], [jonas, 'Applied']]);
  requests.rejected = await changeRequest(jonas, 'production', 'Search for everyone', [change('search-v2', 'addStrategy', rollout('search-v2', 100))], [[jonas, review], [maria, { state: 'Rejected', comment: 'The index is not ready for this much traffic.' }]]);
  const later = new Date(Date.now() + 2 * 86_400_000).toISOString();
  requests.scheduled = await changeRequest(ida, 'production', 'Rate-the-app banner on launch day', [change('app-banner', 'addStrategy', rollout('app-banner', 10, { title: 'A tenth of everyone' }))], [[ida, review], [maria, 'Approved'], [ida, { state: 'Scheduled', scheduledAt: later }]]);
  requests.review = await changeRequest(maria, 'production', 'Widen the new checkout to half of Norway and Sweden',
    [change('checkout-redesign', 'updateStrategy', { ...rollout('checkout-redesign', 50, { title: 'Norway and Sweden', constraints: [constraint('country', 'IN', 'NO', 'SE')], variants: [['blue', 300], ['green', 700]] }), id: checkout.production[0].id })],
    [[maria, review]], [[jonas, 'Does this touch express delivery as well?'], [maria, 'Yes: it needs the new checkout, so it grows with it.']]);
  requests.several = await changeRequest(jonas, 'production', 'Retire the winter price list, open search to new apps', [
    change('winter-prices', 'updateEnabled', { enabled: false }), change('search-v2', 'addStrategy', rollout('search-v2', 100, { title: 'Apps from 3.0', constraints: [constraint('appVersion', 'SEMVER_GTE', '3.0.0')] })),
    change('fraud-check', 'addStrategy', rollout('fraud-check', 10, { title: 'A tenth of everyone, whatever the score' })),
  ], [[jonas, review], [ida, 'Approved']]);
  requests.nothing = await changeRequest(ida, 'production', 'Tidy up the dark mode strategy', [change('dark-mode', 'updateEnabled', { enabled: true })]);
  await usage(tokens);
  return { people: { maria, jonas, ida, vera }, tokens, requests, beta };
}
