// Names that mean something to a browser, a shell, a template or a path: on every page they are text, and nothing else.

import { ADMIN, SERVER, api, check, go, open, run, signIn } from './harness.mjs';
import { unbroken } from './layout.mjs';
import { PASSWORD } from './seed.mjs';

/** Each with what makes it hostile. */
const NAMES = [
  '<img src=x onerror=alert(1)>', '"><script>alert(1)</script>', "'><svg onload=alert(1)>", '</style></title></textarea><script>alert(1)</script>', 'javascript:alert(1)', '&lt;b&gt;&amp;', '{{7*7}}${7*7}<%= 7*7 %>',
  '__proto__', 'constructor', 'toString', 'hasOwnProperty', '..', '.', 'a/b', 'a%2Fb', '100%', '?a=b&c#d', 'a b', "O'Brien; rm -rf /", '`id`', '\\u003cscript\\u003e', 'שלום עולם', 'مرحبا بالعالم', '\u202Eevil\u202C', 'e\u0301\u200d\u2060x',
  '👩‍👩‍👧‍👦🏳️‍🌈', 'W'.repeat(100), 'very-long-name-'.repeat(6), 'line\nbreak', '\ttab', 'null', 'undefined', 'NaN', '0', '-1',
];

/** Runs in the page: markup that came from text. */
const strange = () => [...document.querySelectorAll('script:not([type="module"][src^="/ui/files/"]), img, iframe, object, embed, base, [onerror], [onload], [onclick], style, form[action^="javascript"], a[href^="javascript"]')].map((one) => one.outerHTML.slice(0, 120));

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
  for (const [index, name] of NAMES.entries()) {
    const flag = await may(() => api('POST', 'admin/projects/default/features', { name, description: name, type: 'release' }));
    const feature = flag?.name ?? `hostile-${index}`;
    if (!flag) await may(() => api('POST', 'admin/projects/default/features', { name: feature, description: name }));
    made.flags.push(feature);
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
  const { page, errors } = await open(browser);
  const dialogs = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    dialog.dismiss();
  });
  await signIn(page, { username: 'hostile-reader', password: PASSWORD });
  const seen = async (path, told) => {
    await go(page, path);
    const found = await page.evaluate(strange);
    check(`${path}: text stays text`, found.length === 0, found.join(' | '));
    if (told) check(`${path}: the name is there as it is`, (await page.textContent('body')).includes(told.trim()), told);
    await unbroken(page, path);
  };
  await seen('/ui/flags?q=a', null);
  for (const path of ['/ui/segments', '/ui/change-requests', '/ui/events', '/ui/settings/projects', '/ui/settings/tokens', '/ui/settings/users', '/ui/settings/environments', '/ui/new/flag', '/ui/settings/profile']) await seen(path, null);
  for (const [index, flag] of made.flags.entries()) {
    await seen(`/ui/flags/default/${encodeURIComponent(flag)}`, flag);
    if (index < 6) await seen(`/ui/flags/default/${encodeURIComponent(flag)}/development/new`, flag);
  }
  for (const id of made.requests) await seen(`/ui/change-requests/default/${id}`, null);
  for (const id of made.segments.slice(0, 12)) await seen(`/ui/segments/${id}`, null);
  for (const id of made.projects) await seen(`/ui/settings/projects/${encodeURIComponent(id)}`, id);
  for (const name of NAMES) await seen(`/ui/flags?q=${encodeURIComponent(name)}&only=${encodeURIComponent(name)}`, null);
  for (const name of NAMES.slice(0, 12)) await seen(`/ui/change-requests/default/${made.requests[0]}?c.${encodeURIComponent(name)}=${encodeURIComponent(name)}&c.userId=${encodeURIComponent(name)}`, null);
  await seen(`/ui/${encodeURIComponent(NAMES[0])}`, null);
  check('no script of a name ran', dialogs.length === 0, dialogs.join());
  check('nothing is said in the console', errors.length === 0, [...new Set(errors)].slice(0, 5).join(' | '));
  check('the server still answers', (await fetch(`${SERVER}/health`, { headers: { Authorization: ADMIN } })).ok);
});
