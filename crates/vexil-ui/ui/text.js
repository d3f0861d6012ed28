// Every text of the pages, block by block, so that they can be read, reviewed and translated together. A text with parts is
// a function of these parts: numbers come as numbers, the rest as text or elements. Each file for browsers holds only the
// blocks that it uses.

import { code, hidden, joined, strong } from './core/element.js';
import { count, percent, plural } from './core/number.js';

// ---------- everywhere

export const commonText = {
  product: 'Vexil',
  windowTitle: (title) => `${title} · Vexil`,
  loading: 'Loading',
  again: 'Try again',
  back: 'Back',
  close: 'Close',
  unsaved: 'Leave this page? What you have not saved is lost.',
  allFlags: 'All flags',
  youAreHere: 'You are here',
  unset: 'unset',
  more: (number) => `+${count(number)}`,
};

export const errorText = {
  status: (status) => `The server answered ${status}.`,
  unreachable: 'The server cannot be reached.',
  unreachableWrite: 'The server cannot be reached. Nothing was changed.',
  unexpected: 'Something went wrong in this page. Nothing was changed.',
  noModule: 'This page could not be loaded. The server cannot be reached, or it is a newer version by now.',
  noPage: 'There is no page here.',
  notFound: 'Not found',
  notShown: 'This page could not be shown',
};

export const timeText = { now: 'just now' };

export const frameText = {
  main: 'Main',
  menu: 'Menu',
  skip: 'Skip to content',
  places: { flags: 'Flags', 'change-requests': 'Change requests', segments: 'Segments', playground: 'Playground', events: 'Events' },
  signedInAs: 'Signed in as ',
  signOut: 'Sign out',
  signedOut: 'You are signed out.',
  colours: 'Colours',
  themes: { auto: 'System', light: 'Light', dark: 'Dark' },
  times: 'Times',
  zones: { local: 'Local', UTC: 'UTC' },
  keys: 'Keys',
  singleKeys: 'Keys without Ctrl or Alt are on (/, g, ?)',
  keyList: [
    ['/', 'Filter the list'], ['g f', 'Flags'], ['g c', 'Change requests'], ['g s', 'Segments'], ['g p', 'Playground'], ['g e', 'Events'], ['?', 'This help'],
    ['← ↑ ↓ →', 'Move in a matrix or over the minutes of a chart; what is explained follows'], ['Home End', 'First and last of a row; with Ctrl of the matrix'],
    ['Enter', 'From a cell to its explanation'], ['Esc', 'Back to the cell'],
  ],
};

export const signInText = {
  title: 'Sign in',
  username: 'User name or email address',
  password: 'Password',
  token: 'Token',
  tokenHint: 'A personal access token, or an admin token.',
  withToken: 'Sign in with a token',
  withPassword: 'Sign in with a password',
  submit: 'Sign in',
};

// ---------- what flags are

export const stateText = {
  on: 'on', off: 'off', unknown: 'unknown', absent: 'not there', untold: 'not told',
};

export const operatorText = {
  IN: ['is', 'is one of'], NOT_IN: ['is not', 'is none of'],
  STR_CONTAINS: ['contains', 'contains one of'], STR_STARTS_WITH: ['starts with', 'starts with one of'], STR_ENDS_WITH: ['ends with', 'ends with one of'],
  NUM_EQ: ['='], NUM_GT: ['>'], NUM_GTE: ['≥'], NUM_LT: ['<'], NUM_LTE: ['≤'],
  DATE_AFTER: ['is after'], DATE_BEFORE: ['is before'],
  SEMVER_EQ: ['is version'], SEMVER_GT: ['is newer than'], SEMVER_GTE: ['is at least'], SEMVER_LT: ['is older than'], SEMVER_LTE: ['is at most'],
  REGEX: ['matches'], IN_CIDR: ['is in network', 'is in one of the networks'],
};

export const strategyText = {
  nothing: 'nothing',
  anyCase: ' in any case',
  not: (words) => ['not (', words, ')'],
  everyone: ['For ', 'everyone'],
  share: (part) => ['For ', strong(percent(part))],
  ofRequests: ' of requests, at random',
  ofUsers: () => [' of users, by ', code('userId'), ' or ', code('sessionId')],
  ofField: (field) => [' of users, by ', code(field)],
  users: (list) => ['For users ', list],
  addresses: (list) => ['For addresses ', list],
  hosts: (list) => ['For hosts ', list],
  custom: (name) => ['Where the application’s own strategy ', code(name)],
  saysYes: (given) => [' says yes', given.length > 0 && [' (', joined(given), ')']],
  where: ', where ',
  and: ' and ',
  segment: (name) => ['in segment ', strong(name)],
  variants: '; variants ',
  comma: ', ',
  variantShare: (part) => ` ${percent(part)}`,
  disabled: ['; ', 'disabled'],
  end: '.',
};

export const kindText = { release: 'Release', experiment: 'Experiment', operational: 'Operational', 'kill-switch': 'Kill switch', permission: 'Permission' };

// ---------- flags

export const flagsText = {
  title: 'Flags',
  count: (number) => plural(number, ['flag', 'flags']),
  range: (first, last, total) => `${count(first)} to ${count(last)} of ${plural(total, ['flag', 'flags'])}`,
  filter: 'Filter flags',
  filterHint: 'Filter by name or description',
  which: 'Which flags',
  only: { all: 'All', stale: 'Stale', archived: 'Archived' },
  flag: 'Flag',
  type: 'Type',
  lastHour: 'last 60 min',
  stale: 'stale',
  archived: 'archived',
  notUsed: 'not used',
  noReports: 'no reports',
  onOf: (total) => ` on, of ${plural(total, ['evaluation', 'evaluations'])} in the last hour`,
  pending: (id) => [`#${id}`, hidden(' would change this')],
  noMatch: 'No flag matches.',
  none: 'There are no flags yet.',
  noneStale: 'No flag is marked as stale.',
  noneArchived: 'No flag is archived.',
  pages: 'Pages',
  previous: 'Previous',
  next: 'Next',
};

export const flagText = {
  noDescription: 'No description.',
  created: (time) => ['created ', time],
  neededBy: (flags) => ['needed by ', joined(flags)],
  needs: (flag, off, variants) => ['only where ', flag, off ? ' is off' : ' is on', variants.length > 0 && [' with ', joined(variants, ', ', ' or ')]],
  wouldChange: (title, environment) => [strong(title), ` would change it in ${environment}. See what for whom.`],
  untitled: (id) => `Change request ${id}`,
  noStrategyOn: 'On for everyone: there is no strategy.',
  noStrategyOff: 'No strategy. It is off for everyone.',
  whereAny: 'On where any of these holds',
  whereOne: 'On where this holds',
  wouldBe: 'Switched off. It would be on where',
  or: 'or',
  ownVariants: (words) => ['Variants of the flag: ', words, '.'],
};

export const usageText = {
  title: 'Last 60 minutes',
  evaluations: 'evaluations',
  on: 'on',
  silentMinutes: (number) => (number === 1 ? 'minute without a report' : 'minutes without a report'),
  none: 'No application reported this flag in the last hour.',
  lastSeen: (time) => ['Last seen ', time, '.'],
  never: 'Never seen here. An SDK with a token of this environment reports by itself once a minute.',
  chart: (environment) => `Minutes of the last hour in ${environment}`,
  legendOn: 'on, above the line',
  legendOff: 'off, below it',
  legendGap: 'no report',
  minute: (time, words) => `${time} · ${words}`,
  minuteOn: (number) => `${count(number)} on`,
  minuteOff: (number) => `${count(number)} off`,
  shareOn: (words) => `${words} on`,
  variant: (name, number) => `${name} ${count(number)}`,
  now: 'now',
  variants: 'Variants',
  setTo: (part) => `set to ${percent(part)}`,
  applications: 'Applications',
  table: 'Minute by minute, as a table',
  tableOf: (environment) => `Usage by minute in ${environment}`,
  columns: ['Minute', 'On', 'Off', 'Share on'],
};
