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
  cancel: 'Cancel',
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
  new: 'New flag',
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
  and: ' and ',
  isInDraft: (title) => ['Your change is in ', strong(title), '. Look at it and send it to review.'],
  reviewed: 'reviewed',
  turnOn: 'Turn on',
  turnOff: 'Turn off',
  turnOnIn: (environment) => `Turn on in ${environment}`,
  turnOffIn: (environment) => `Turn off in ${environment}`,
  onQuestion: (flag, environment) => ['Turn ', code(flag), ` on in ${environment}?`],
  offQuestion: (flag, environment) => ['Turn ', code(flag), ` off in ${environment}?`],
  addStrategy: 'Add a strategy',
  numbered: (number) => `strategy ${number}`,
  edit: 'Edit',
  remove: 'Remove',
  removeQuestion: (name) => ['Remove ', strong(name), '?'],
  moveUp: 'Move up',
  moveDown: 'Move down',
  moveQuestion: (name) => ['Move ', strong(name), '?'],
  history: 'History',
  noHistory: 'Nothing has happened to it.',
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

// ---------- the preview

export const inputText = {
  title: 'Tried with',
  suggested: 'values that tell the outcomes of this change apart',
  suggest: 'Suggest values from the change',
  remove: (value, field) => `Remove ${value} from ${field}`,
  addTo: (field) => `Add values to ${field}`,
  addValue: '+ value',
  addUnset: '+ unset',
  addUnsetTo: (field) => `Add unset to ${field}`,
  addField: '+ field',
  newField: 'Add a context field',
  showMore: (number, field) => `Show ${count(number)} more values of ${field}`,
  combinations: (number) => (number === 1 ? ' combination' : ' combinations'),
};

export const changeText = {
  sides: ['Before', 'After'],
  kinds: {
    offToOn: ['turns on', 'turn on'], onToOff: ['turns off', 'turn off'], variantChanged: ['changes variant', 'change variant'], becomesUnknown: ['becomes unknown', 'become unknown'],
    noLongerUnknown: ['becomes known', 'become known'], appears: ['appears', 'appear'], disappears: ['disappears', 'disappear'],
  },
  counted: {
    offToOn: ['turns on', 'turn on'], onToOff: ['turns off', 'turn off'], variantChanged: ['changes variant', 'change variant'], becomesUnknown: ['becomes unknown', 'become unknown'],
    noLongerUnknown: ['becomes known', 'become known'], appears: ['appears', 'appear'], disappears: ['disappears', 'disappear'], unchanged: ['stays as it is', 'stay as they are'],
  },
  inCount: (verb, number) => [verb, ' in ', number],
  stays: (words) => ['stays ', words],
  staysWord: (word) => `stays ${word}`,
  staysAsIs: 'stays as it is',
  alike: 'alike',
  becomes: ' becomes ',
  unlike: ' unlike ',
  onBoth: ' on both sides',
  or: ' or ',
  and: ' and ',
};

export const whomText = {
  or: 'or ',
  not: ' not',
  all: 'All combinations',
  noContext: 'Without a context',
  rest: 'Everyone else tried',
  combinations: (number) => plural(number, ['combination', 'combinations']),
  tried: (some, all) => `${count(some)} of ${count(all)} tried`,
  more: (number) => `or ${count(number)} more`,
  of: (some, all) => `${some} of ${all}`,
};

export const matrixText = {
  columns: 'Columns',
  how: { grouped: 'Grouped', each: 'Each combination' },
  swap: 'Swap rows and columns',
  who: 'Who',
  flag: 'Flag',
  label: (title, sides) => `${title}: ${sides.join(' and ')}`,
  cut: (shown, all) => `The first ${count(shown)} of ${plural(all, ['combination', 'combinations'])}. Grouped, all of them are here.`,
  cutGroups: (shown, all) => `The first ${count(shown)} of ${plural(all, ['group', 'groups'])}.`,
  cutFlags: (shown, all) => `The first ${count(shown)} of ${plural(all, ['flag', 'flags'])}.`,
  moreFlags: 'Show more flags',
  fold: 'Fold',
  unfold: 'Show',
};

export const whyText = {
  label: 'Explanation',
  title: (flag, verb) => ['Why ', flag, ` ${verb}`],
  for: 'for ',
  forNobody: 'for nobody in particular',
  previous: 'Previous combination of this group',
  next: 'Next combination of this group',
  of: (at, all) => ` ${count(at)} of ${count(all)} in this group `,
  first: 'first difference',
  decides: 'decides',
  absent: 'not there',
  yes: 'yes: ',
  no: 'no: ',
};

export const stepText = {
  flag: 'Flag',
  switchIn: (environment) => ['Switch in ', environment],
  needs: (flag) => ['Needs ', flag],
  ownParents: 'depends on others itself',
  strategy: 'Strategy ',
  disabled: 'disabled',
  holds: 'holds',
  holdsNot: 'does not hold',
  onlyApplication: 'only the application can tell',
  segment: (name) => ['Segment ', strong(name)],
  gone: 'is not there',
  member: 'a member',
  noMember: 'no member',
  rollout: (group) => ['Rollout, group ', group],
  bucket: (number) => `bucket ${count(number)}`,
  within: (bound) => ` is in 1–${bound}`,
  beyond: (bound) => ` is beyond ${bound}`,
  nobody: ', nobody is let in',
  neverIn: (words) => [words, ': never in'],
  atRandom: (missing) => ['at random: ', missing.length ? ['no ', missing] : 'nobody in particular'],
  missing: (names) => ['no ', names],
  list: (field) => ['List of ', field],
  listed: (found, holds) => [found, holds ? ' is on it' : ' is not on it'],
  addresses: 'Addresses',
  network: (found, network) => [found, network ? [' is in ', network] : ' is in none'],
  host: 'Host',
  custom: (name) => ['The application’s own ', name],
  cannotTell: 'cannot be told here',
  parameter: (name) => ['Parameter ', name],
  unusable: 'cannot be used',
  variant: 'Variant',
  override: (variant, field, value) => [variant, ' for ', field, ' ', value],
  ofTotal: (total) => ` of ${count(total)}: `,
  noWeight: 'none has a weight',
  none: 'none',
  values: (number) => plural(number, ['value', 'values']),
  invalid: (problem) => [': ', problem],
  unreadable: (expected) => ` is no ${expected}`,
  and: ' and ',
  allStrategies: 'All strategies',
  noneHolds: 'none holds',
  allDisabled: 'all are disabled',
  result: 'Result',
};

export const diffText = {
  affected: 'Who is affected',
  certainlyNothing: 'Nothing changes, for anybody: no flag can come out differently.',
  nothingIn: (number) => `Nothing changes in the ${plural(number, ['combination', 'combinations'])} tried.`,
  one: (flag, told, number) => [flag, ' ', told, ` of ${plural(number, ['combination', 'combinations'])} tried.`],
  several: (changed, all, number, told, more) => [strong(`${count(changed)} of ${plural(all, ['flag', 'flags'])}`), ` change, in ${plural(number, ['combination', 'combinations'])} tried: `, told, more > 0 && `; and ${plural(more, ['flag', 'flags'])} more`, '.'],
  exact: 'Exact shares, of the users whom a strategy admits',
  strategyOf: (title, flag) => [strong(title), ' of ', flag],
  itsVariants: 'its variants',
  share: (redrawn, enters, leaves, was, is) => [redrawn && 'Everybody is drawn anew: ', strong(enters), ' enter, ', strong(leaves), ` leave (${was} → ${is})`],
  keep: (share) => [strong(share), ' keep theirs'],
  move: (share, from, to) => [', ', strong(share), ' go from ', from, ' to ', to],
  none: 'none',
  cannotApply: 'It cannot be applied as it is.',
  invalidProperty: (name) => `The context property ${name} has a type that is not evaluated.`,
  stay: (number) => (number === 1 ? ' 1 flag stays as it is ' : ` ${count(number)} flags stay as they are `),
  nothingTried: 'Nothing changes for the combinations tried. Other values may tell more.',
  nothingAtAll: 'There is nothing to line up.',
  evaluations: (number) => ` · ${plural(number, ['evaluation', 'evaluations'])}`,
  tooMany: (number) => `${count(number)} combinations are too many to line up flag by flag; these are the groups of each.`,
  groupColumns: ['Who', 'Combinations', 'Change'],
};

// ---------- change requests

export const askedText = {
  strategyNamed: (title) => ['strategy ', strong(title)],
  aStrategy: 'a strategy',
  segmentNamed: (name) => ['Segment ', name],
  on: (all) => (all ? 'Switch on, with its disabled strategies' : 'Switch on'),
  off: 'Switch off',
  add: (strategy) => ['Add ', strategy],
  change: (strategy) => ['Change ', strategy],
  untilNow: (title) => [', until now ', title ? strong(title) : 'without a title'],
  remove: (strategy) => ['Remove ', strategy],
  variants: (words) => ['Set the flag’s own variants to ', words],
  none: 'none',
  reorder: 'Reorder strategies',
  archive: 'Archive the flag',
  depend: (flag, off) => ['Let it depend on ', flag, off ? ' being off' : ''],
  free: 'Take away what it depends on',
  segment: (words) => ['Change the segment: ', words],
  deleteSegment: 'Delete the segment',
  breaks: (requests) => ['It would break what is scheduled: ', requests],
  more: (number) => `Show ${count(number)} more`,
  nothing: 'There is no change in it.',
};

export const requestsText = {
  title: 'Change requests',
  which: 'Which change requests',
  open: 'Open',
  mine: 'Mine',
  closed: 'Closed',
  columns: ['Change request', 'State', 'Where and what', 'Would do'],
  untitled: (id) => `Change request ${id}`,
  by: (id, name, time) => [`#${id} by `, name, ', ', time],
  scheduledFor: (time) => ['for ', time],
  segment: (name) => ['segment ', code(name), ' '],
  show: 'Show',
  nothing: 'changes nothing',
  ofResults: (number) => `of ${plural(number, ['result', 'results'])}`,
  noneOpen: 'No change request is open. Changes that wait for a review will be listed here, with what they would do.',
  noneMine: 'You have no open change request. What you change where a review is needed is gathered in one.',
  noneClosed: 'No change request has been closed yet.',
  states: { Draft: 'Draft', 'In review': 'In review', Approved: 'Approved', Scheduled: 'Scheduled', Applied: 'Applied', Rejected: 'Rejected', Cancelled: 'Cancelled' },
};

export const requestText = {
  asks: (name, time) => [strong(name), ' asks, ', time],
  place: (environment, project) => ['in ', environment, ' of ', project],
  approvals: (number, wanted) => `${count(number)} of ${plural(wanted, ['approval', 'approvals'])}`,
  progress: 'How far it has come',
  steps: ['Draft', 'In review', 'Approved', 'Applied'],
  scheduled: (time) => ['Scheduled for ', time],
  asked: 'What is asked',
  wouldDo: 'What it would do',
  did: 'What it did',
  closed: (state) => `It is ${state.toLowerCase()}, and only open change requests are previewed.`,
  conversation: 'Conversation',
  approved: ' approved',
  rejected: ' rejected',
  comment: 'Comment',
  question: (action) => `${action}?`,
  optionalComment: 'Comment, if you like',
  when: 'When, in your time',
  actions: { 'In review': 'Send to review', Approved: 'Approve', Rejected: 'Reject', Scheduled: 'Schedule', Applied: 'Apply', Cancelled: 'Cancel the request', Draft: 'Back to draft' },
  approvalMeans: 'Your approval is for the change request as it is now.',
  applyMeans: (environment) => ['This makes the changes at once in ', environment, ', and applications follow.'],
  cancelMeans: 'It is closed and cannot be opened again.',
  done: (action) => `${action}: done`,
  share: 'Share',
  copyLink: 'Copy link',
  copyCurl: 'Copy as curl',
  saveExpectation: 'Copy as expectation',
  copied: 'Copied',
  copiedLink: 'The link is copied. It repeats chance and time.',
};

// ---------- forms

export const formText = {
  faults: 'Some of it cannot be kept as it is; the places are marked.',
};

// ---------- events, segments

export const eventText = {
  title: 'Events',
  count: (number) => plural(number, ['event', 'events']),
  flagHint: 'Name of a flag',
  type: 'What happened',
  anyType: 'Everything that happened',
  none: 'Nothing has happened yet.',
  noMatch: 'No event matches.',
  details: 'What changed',
  before: 'Before',
  after: 'After',
  in: (environment) => ['in ', environment],
  of: (project) => ['of ', project],
  request: (id) => `change request #${id}`,
  types: {
    'feature-created': 'created a flag', 'feature-metadata-updated': 'changed what a flag says of itself', 'feature-archived': 'archived a flag', 'feature-revived': 'revived a flag', 'feature-deleted': 'deleted a flag for good',
    'feature-stale-on': 'marked a flag as stale', 'feature-stale-off': 'took the mark stale from a flag', 'feature-environment-enabled': 'turned a flag on', 'feature-environment-disabled': 'turned a flag off',
    'feature-environment-variants-updated': 'changed the variants of a flag', 'feature-strategy-add': 'added a strategy', 'feature-strategy-update': 'changed a strategy', 'feature-strategy-remove': 'removed a strategy',
    'strategy-order-changed': 'reordered strategies', 'feature-dependency-added': 'let a flag depend on another', 'feature-dependency-removed': 'took away a dependency', 'feature-dependencies-removed': 'took away all dependencies',
    'segment-created': 'created a segment', 'segment-updated': 'changed a segment', 'segment-deleted': 'deleted a segment',
    'change-request-created': 'opened a change request', 'change-added': 'added a change', 'change-edited': 'changed a change', 'change-discarded': 'took out a change', 'change-request-sent-to-review': 'sent a change request to review',
    'change-request-approval-added': 'gave an approval', 'change-request-approved': 'approved a change request', 'change-request-rejected': 'rejected a change request', 'change-request-cancelled': 'cancelled a change request',
    'change-request-applied': 'applied a change request', 'change-request-scheduled': 'scheduled a change request', 'change-request-discarded': 'threw a draft away', 'change-request-schedule-suspended': 'suspended a scheduled change request',
    'project-created': 'created a project', 'project-updated': 'changed a project', 'project-deleted': 'deleted a project', 'project-access-updated': 'changed who may do what',
    'project-environment-added': 'let a project use an environment', 'project-environment-removed': 'stopped a project’s use of an environment', 'default-strategy-updated': 'changed a default strategy',
    'environment-created': 'created an environment', 'environment-updated': 'changed an environment', 'environment-deleted': 'deleted an environment',
    'strategy-created': 'created a strategy type', 'strategy-updated': 'changed a strategy type', 'strategy-deleted': 'deleted a strategy type', 'strategy-deprecated': 'deprecated a strategy type', 'strategy-reactivated': 'took a strategy type back into use',
    'api-token-created': 'created a token', 'api-token-updated': 'changed a token', 'api-token-deleted': 'deleted a token', 'pat-created': 'created a personal token', 'pat-deleted': 'deleted a personal token',
    'user-created': 'created a user', 'user-updated': 'changed a user', 'user-deleted': 'removed a user',
  },
};

export const segmentsText = {
  title: 'Segments',
  lead: 'Conditions with a name, which strategies share.',
  new: 'New segment',
  filter: 'Filter by name or description',
  columns: ['Segment', 'Who is in it', 'Used by'],
  everyone: 'Everyone: it has no condition.',
  and: ' and ',
  more: (number) => ` and ${count(number)} more`,
  used: (flags, projects) => (flags ? `${plural(flags, ['flag', 'flags'])} in ${plural(projects, ['project', 'projects'])}` : 'nobody'),
  none: 'There are no segments yet. A segment is made once and used by many strategies.',
  noMatch: 'No segment matches.',
};

export const constraintText = {
  field: 'Context field',
  operator: 'Operator',
  value: 'value',
  valueOf: (field) => `Value of ${field}`,
  utc: 'UTC',
  groups: { text: 'Text', number: 'Number', date: 'Date', version: 'Version', network: 'Network' },
  inverted: 'turned round',
  anyCase: 'any case',
  numbered: (number) => `Condition ${number}`,
  remove: (number) => `Remove condition ${number}`,
  add: 'Add a condition',
};

export const variantText = {
  name: 'Name',
  nameOf: (number) => `Name of variant ${number}`,
  shareOf: (number) => `Share of variant ${number} in percent`,
  fixed: 'fixed',
  numbered: (number) => `Variant ${number}`,
  remove: (number) => `Remove variant ${number}`,
  add: 'Add a variant',
  payloadOf: (number) => `Payload of variant ${number}`,
  payloadValueOf: (number) => `Value of the payload of variant ${number}`,
  payloads: { '': 'no payload', string: 'text', json: 'JSON', csv: 'CSV', number: 'number' },
  faults: { over: 'The fixed shares add up to more than 100 %.', noneShares: 'At least one variant must share what is left.' },
};

export const kindsText = {
  names: { flexibleRollout: 'A share of users', default: 'Everyone', userWithId: 'Listed users', remoteAddress: 'Listed addresses', applicationHostname: 'Listed hosts' },
  rollout: 'Share of those who meet the conditions',
  sticks: 'Sticks to',
  sticksHint: 'The same value always comes out the same.',
  stickiness: { default: 'userId, else sessionId, else chance', random: 'nothing: each request anew' },
  group: 'Group',
  groupHint: 'Flags of one group let the same users in.',
  users: 'User ids',
  addresses: 'Addresses and networks',
  hosts: 'Host names',
};

export const pickText = {
  add: 'Add a segment',
  choose: '+ segment',
  remove: (name) => `Remove the segment ${name}`,
  none: 'There are no segments yet.',
};

// ---------- editing

export const editText = {
  save: 'Save',
  now: 'Do it now',
  toDraft: 'Add to your draft',
  toRequest: 'Add to a change request',
  reviewed: (environment, approvals) => ['Changes to ', environment, ` are reviewed: they need ${plural(approvals, ['approval', 'approvals'])}. What you do here is gathered in your draft.`],
  mayNot: 'You may not change this at once. You can propose it in a change request.',
  drafted: (id, number) => `It is in your draft #${id}, which holds ${plural(number, ['change', 'changes'])}.`,
  openDraft: 'Open the draft',
  combinations: 'Show every combination, and why',
  unfolded: 'Every combination is shown.',
};

export const strategyFormText = {
  new: 'New strategy',
  edit: 'Strategy',
  of: (flag, environment, on) => ['For ', flag, ' in ', environment, on ? ', where the flag is on.' : ', where the flag is switched off.'],
  gone: 'This strategy is not there any more.',
  title: 'Title',
  titleHint: 'What it is for, so that others know. It may stay empty.',
  kind: 'For whom',
  conditions: 'Conditions',
  conditionsHint: 'All of them must hold.',
  segments: 'Segments',
  segmentsHint: 'Who is to get the flag must be in all of them.',
  variants: 'Variants',
  variantsHint: 'Those who get the flag are shared out among them.',
  disabled: 'Disabled: it is kept, and lets nobody in',
  effect: 'What it would do',
};

export const newFlagText = {
  title: 'New flag',
  name: 'Name',
  nameHint: 'Code asks for the flag by it, so it cannot be changed. It is off everywhere at first.',
  project: 'Project',
  type: 'Type',
  typeHint: 'What it is for: how long it may live follows from that.',
  description: 'Description',
  impressionData: 'SDKs tell about each evaluation (impression data)',
  submit: 'Create the flag',
  mayNot: 'You may not create flags in any project.',
};

export const flagActionText = {
  edit: 'Edit',
  editTitle: (name) => ['What ', code(name), ' says of itself'],
  save: 'Save',
  description: 'Description',
  type: 'Type',
  stale: 'Stale: it is to be removed from code',
  impressionData: 'SDKs tell about each evaluation (impression data)',
  copy: 'Copy',
  copyTitle: (name) => ['A flag like ', code(name)],
  newName: 'Name of the new flag',
  depend: 'Depend',
  dependTitle: (name) => ['What ', code(name), ' depends on'],
  parent: 'Parent flag',
  nobody: 'none',
  parentState: 'The parent must be',
  states: { on: 'on', off: 'off' },
  parentVariants: 'With one of these variants',
  parentVariantsHint: 'Separated by commas. Empty means any.',
  next: 'See what it would do',
  archive: 'Archive',
  archiveQuestion: (name) => ['Archive ', code(name), '?'],
  revive: 'Revive',
};
