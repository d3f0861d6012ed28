// Which page shows which path below `/ui/`. The server reads these lines too, to name the file of the page in the shell.

export const ROUTES = [
  ['flags', 'flags'],
  ['new/flag', 'new-flag'],
  ['flags/:project/:flag', 'flag'],
  ['flags/:project/:flag/:environment/:strategy', 'strategy'],
  ['change-requests', 'requests'],
  ['change-requests/:project/:id', 'request'],
  ['segments', 'segments'],
  ['playground', 'playground'],
  ['segments/:id', 'segment'],
  ['events', 'events'],
  ['settings/profile', 'profile'],
  ['settings/projects', 'projects'],
  ['settings/projects/:project', 'project'],
  ['settings/environments', 'environments'],
  ['settings/tokens', 'tokens'],
  ['settings/users', 'users'],
];

/** The page of a path and the parameters in it; null where there is none. */
export function routeOf(path) {
  const given = path.split('/');
  for (const [pattern, page] of ROUTES) {
    const wanted = pattern.split('/');
    if (wanted.length !== given.length) continue;
    if (!wanted.every((part, index) => (part.startsWith(':') ? given[index] !== '' : part === given[index]))) continue;
    const params = wanted.flatMap((part, index) => (part.startsWith(':') ? [[part.slice(1), decodeURIComponent(given[index])]] : []));
    return { page, params: Object.fromEntries(params) };
  }
  return null;
}
