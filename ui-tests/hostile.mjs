// Names that mean something to a browser, a shell, a template or a path: on every page they are text, and nothing else.

import { pathToFileURL } from 'node:url';

import { ADMIN, SERVER, api, check, each, go, open, run, signIn } from './harness.mjs';
import { unbroken } from './layout.mjs';
import { PASSWORD } from './seed.mjs';

const { seen } = await import(pathToFileURL(`${process.env.VEXIL_UI_SOURCES}/core/element.js`).href);

/** Each with what makes it hostile. */
const NAMES = [
  '<img src=x onerror=alert(1)>', '"><script>alert(1)</script>', "'><svg onload=alert(1)>", '</style></title></textarea><script>alert(1)</script>', 'javascript:alert(1)', '&lt;b&gt;&amp;', '{{7*7}}${7*7}<%= 7*7 %>',
  '__proto__', 'constructor', 'toString', 'hasOwnProperty', '..', '.', 'a/b', 'a%2Fb', '100%', '?a=b&c#d', 'a b', "O'Brien; rm -rf /", '`id`', '\\u003cscript\\u003e', 'שלום עולם', 'مرحبا بالعالم', '\u202Eevil\u202C', 'a\u00a0b\u2003c', 'x\u200b', 'x\u3164\u2800', '\u0007bell', 'e\u0301\u200d\u2060x',
  '👩‍👩‍👧‍👦🏳️‍🌈', 'W'.repeat(100), 'very-long-name-'.repeat(6), 'line\nbreak', '\ttab', 'null', 'undefined', 'NaN', '0', '-1',
];

/** Runs in the page: markup that came from text. */
const strange = () => [...document.querySelectorAll('script:not([type="module"][src^="/ui/files/"]), img, iframe, object, embed, base, [onerror], [onload], [onclick], style, form[action^="javascript"], a[href^="javascript"]')].map((one) => one.outerHTML.slice(0, 120));

/** Runs in the page: texts with letters that cannot be seen, but for the ends of lines where a text has lines. */
const unseen = () => {
  const hides = (text) => /(?! )[\p{C}\p{Z}\p{DI}\u2800]/u.test(text);
  const found = [document.title].filter(hides);
  const texts = document.createTreeWalker(document.querySelector('#main'), NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const { parentElement: parent, textContent: text } = node;
    if (!parent.closest('textarea') && hides(parent.closest('pre, .text') ? text.replaceAll('\n', ' ') : text)) found.push(text);
  }
  for (const one of document.querySelectorAll('#main *')) for (const name of ['aria-label', 'title', 'placeholder', 'alt']) if (hides(one.getAttribute(name) ?? '')) found.push(`${name}: ${one.getAttribute(name)}`);
  return found.map((text) => JSON.stringify(text.slice(0, 60)));
};

await run('hostile', async (browser) => {
  const made = { flags: [], requests: [], segments: [], projects: [] };
  const may = async (work) => {
    try {
      return await work();
    } catch (error) {
      if (!/: 4\d\d /.test(error.message)) throw error; // some names are refused, and that is right
      return null;
    }
  };
  const { secret } = await api('POST', 'admin/api-tokens', { tokenName: 'hostile-reports', type: 'client', environment: 'development', projects: ['default'] });
  const now = Math.floor(Date.now() / 1000);
  for (const [index, name] of NAMES.entries()) {
    const flag = await may(() => api('POST', 'admin/projects/default/features', { name, description: name, type: 'release' }));
    const feature = flag?.name ?? `hostile-${index}`;
    if (!flag) await may(() => api('POST', 'admin/projects/default/features', { name: feature, description: name }));
    made.flags.push(feature);
    const toggles = { [feature]: { yes: 3, no: 1, variants: { [name]: 2, on: 1 } } };
    await may(() => api('POST', 'client/metrics', { appName: name, instanceId: name, bucket: { start: now - 60, stop: now, toggles } }, secret));
    const segment = await may(() => api('POST', 'admin/segments', { name: `${name} ${index}`, description: name, constraints: [{ contextName: name.trim() || 'x', operator: 'IN', values: [name, 'other'] }] }));
    if (segment) made.segments.push(segment.id);
    const strategy = { name: 'flexibleRollout', title: name.slice(0, 100), parameters: { rollout: '50', stickiness: 'userId', groupId: name }, constraints: [{ contextName: 'country', operator: 'IN', values: [name] }], segments: segment ? [segment.id] : [], variants: [{ name: name.trim() || 'x', weight: 1000, weightType: 'variable', stickiness: 'userId' }] };
    await may(() => api('POST', `admin/projects/default/features/${encodeURIComponent(feature)}/environments/development/strategies`, strategy));
    const project = await may(() => api('POST', 'admin/projects', { id: name, name }));
    if (project) made.projects.push(project.id);
    await may(() => api('POST', 'admin/user-admin', { username: `${name}${index}`, name, rootRole: 'Viewer' }));
    await may(() => api('POST', 'admin/api-tokens', { tokenName: name, type: 'client', environment: 'development', projects: ['default'] }));
    const opened = await may(() => api('POST', 'admin/projects/default/environments/production/change-requests', [{ feature, action: 'addStrategy', payload: strategy }]));
    const request = Array.isArray(opened) ? opened[0] : opened;
    if (!request) continue;
    made.requests.push(request.id);
    await may(() => api('PUT', `admin/projects/default/change-requests/${request.id}/title`, { title: name }));
    await may(() => api('POST', `admin/projects/default/change-requests/${request.id}/comments`, { text: name }));
    await may(() => api('PUT', `admin/projects/default/change-requests/${request.id}/state`, { state: 'In review', comment: name }));
  }
  check('many names were let in', made.flags.length > 20 && made.segments.length > 20 && made.requests.length > 5, JSON.stringify(made).slice(0, 300));

  await api('POST', 'admin/user-admin', { username: 'hostile-reader', name: NAMES[1], rootRole: 'Admin', password: PASSWORD });
  const first = await open(browser);
  await signIn(first.page, { username: 'hostile-reader', password: PASSWORD });
  const storageState = await first.context.storageState();
  await first.context.close();
  const flag = (name) => `/ui/flags/default/${encodeURIComponent(name)}`;
  const request = (id) => `/ui/change-requests/default/${id}`;
  const paths = [
    ...['flags?q=a', 'segments', 'change-requests', 'events', 'settings/projects', 'settings/tokens', 'settings/users', 'settings/environments', 'new/flag', 'settings/profile'].map((path) => [`/ui/${path}`]),
    ...made.flags.map((name) => [flag(name), name]),
    ...made.flags.slice(0, 6).map((name) => [`${flag(name)}/development/new`, name]),
    ...made.requests.map((id) => [request(id)]),
    ...made.segments.slice(0, 12).map((id) => [`/ui/segments/${id}`]),
    ...made.projects.map((id) => [`/ui/settings/projects/${encodeURIComponent(id)}`, id]),
    ...NAMES.map((name) => [`/ui/flags?q=${encodeURIComponent(name)}&only=${encodeURIComponent(name)}`]),
    ...NAMES.slice(0, 12).map((name) => [`${request(made.requests[0])}?c.${encodeURIComponent(name)}=${encodeURIComponent(name)}&c.userId=${encodeURIComponent(name)}`]),
    [`/ui/${encodeURIComponent(NAMES[0])}`],
  ];
  const dialogs = [], errors = [];
  await each(paths, async ([path, told]) => {
    const { context, page, errors: said } = await open(browser, { storageState });
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      dialog.dismiss();
    });
    await go(page, path);
    const found = await page.evaluate(strange);
    check(`${path}: text stays text`, found.length === 0, found.join(' | '));
    if (told) check(`${path}: the name is there as it is`, (await page.textContent('body')).includes(seen(told.trim())), told);
    const hidden = await page.evaluate(unseen);
    check(`${path}: every letter can be seen`, hidden.length === 0, hidden.slice(0, 4).join(' | '));
    await unbroken(page, path);
    errors.push(...said);
    await context.close();
  });
  check('no script of a name ran', dialogs.length === 0, dialogs.join());
  check('nothing is said in the console', errors.length === 0, [...new Set(errors)].slice(0, 5).join(' | '));
  check('the server still answers', (await fetch(`${SERVER}/health`, { headers: { Authorization: ADMIN } })).ok);
});
