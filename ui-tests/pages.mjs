// Every page and state that is looked at: its path, and what is done before it is looked at.

/** `known` is what the seed made. */
export function pagesOf({ requests, beta }) {
  const request = (name, more = '') => `/ui/change-requests/default/${requests[name]}${more}`;
  const click = (name) => (page) => page.getByRole('button', { name, exact: true }).first().click();
  /** What opens a dialog may have to fetch it first. */
  const dialog = async (page) => page.locator('dialog[open]').waitFor();
  const asking = (name) => async (page) => {
    await click(name)(page);
    await dialog(page);
  };
  /** Scrolls to the explanation, which is asked for when it is seen. */
  const why = async (page) => {
    await page.locator('.why').scrollIntoViewIfNeeded();
    await page.locator('.why .steps').waitFor();
  };
  return {
    flags: ['/ui/flags'],
    'flags-none': ['/ui/flags?q=nothing-is-called-so'],
    'flags-starred': ['/ui/flags', async (page) => {
      const star = (pressed) => page.getByRole('button', { name: 'Favourite checkout-redesign', exact: true, pressed });
      if (await star(false).count()) await star(false).click();
      await star(true).waitFor();
    }],
    'flags-aged': ['/ui/flags?only=aged'],
    'flags-stale': ['/ui/flags?only=stale'],
    'flags-archived': ['/ui/flags?only=archived'],
    flag: ['/ui/flags/default/checkout-redesign'],
    'flag-history': ['/ui/flags/default/checkout-redesign', async (page) => {
      await page.getByText('History', { exact: true }).click();
      await page.locator('.history .events').waitFor();
    }],
    'flag-silent': ['/ui/flags/default/quiet'],
    'flag-switch': ['/ui/flags/default/quiet', asking('Turn on in production')],
    'flag-edit': ['/ui/flags/default/quiet', asking('Edit')],
    'flag-missing': ['/ui/flags/default/none'],
    'new-flag': ['/ui/new/flag'],
    'strategy-new': ['/ui/flags/default/quiet/production/new', async (page) => {
      await page.getByRole('button', { name: 'Add a condition' }).click();
      await page.getByRole('button', { name: 'Add a variant' }).click();
      await page.getByRole('button', { name: 'Add a variant' }).click();
    }],
    'strategy-every': ['/ui/flags/default/search-v2/production/new', async (page) => {
      await page.getByRole('button', { name: 'Show every combination, and why' }).click();
      await page.locator('.grid td[aria-selected="true"]').waitFor();
    }],
    segments: ['/ui/segments'],
    segment: [`/ui/segments/${beta}`],
    'segment-new': ['/ui/segments/new'],
    requests: ['/ui/change-requests'],
    'requests-mine': ['/ui/change-requests?show=mine'],
    'requests-closed': ['/ui/change-requests?show=closed'],
    review: [request('review')],
    'review-why': [request('review'), why],
    'review-each': [request('review', '?each=')],
    'review-own': [request('review', '?c.country=NO&c.country=SE&c.userId=alice&c.userId=bob')],
    'review-dialog': [request('review'), asking('Approve')],
    several: [request('several')],
    nothing: [request('nothing')],
    scheduled: [request('scheduled')],
    applied: [request('applied')],
    rejected: [request('rejected')],
    cancelled: [request('cancelled')],
    'request-missing': ['/ui/change-requests/default/4711'],
    playground: ['/ui/playground'],
    'playground-why': ['/ui/playground', async (page) => {
      await page.locator('.grid td').first().click();
      await page.locator('.why .steps').waitFor();
    }],
    'playground-two': ['/ui/playground?in=development&with=production'],
    'playground-moment': ['/ui/playground?in=production&c.currentTime=2026-12-24T18%3A00%3A00Z&c.appVersion=3.0.0&c.userId=alice'],
    events: ['/ui/events'],
    profile: ['/ui/settings/profile'],
    projects: ['/ui/settings/projects'],
    project: ['/ui/settings/projects/default'],
    environments: ['/ui/settings/environments'],
    'environment-new': ['/ui/settings/environments', asking('New environment')],
    tokens: ['/ui/settings/tokens'],
    'token-new': ['/ui/settings/tokens', asking('New token')],
    users: ['/ui/settings/users'],
    'user-new': ['/ui/settings/users', asking('New user')],
    menu: ['/ui/flags', (page) => page.locator('#menu-button').click()],
    keys: ['/ui/flags', async (page) => {
      await page.keyboard.press('?');
      await dialog(page);
    }],
    nowhere: ['/ui/nowhere'],
  };
}
