import assert from 'node:assert/strict';
import { dashboardSuite } from '../support/dashboard-suite.js';

const TYPES = ['note', 'bug', 'task', 'plan', 'lesson', 'warning', 'insight'];
const DAYS = 40;
/** The last day on which something happened: no test waits for a clock. */
const LAST = Date.UTC(2026, 2, 31, 12);
const DAY_MS = 86_400_000;

describe('the timeline of the memory page', () => {
  const suite = dashboardSuite();
  let emptyId: string;
  before(async () => {
    ({ id: emptyId } = await suite.service.call<{ id: string }>('workspaces_create', { name: 'Balcony' }));
    for (let day = 0; day < DAYS; day++)
      for (let i = 0; i <= day % 3; i++)
        await suite.service.call('memory_create_event', {
          workspace_id: suite.workspaceId,
          event_type: TYPES[(day * 3 + i) % TYPES.length],
          title: `Row ${i} of day ${day} was weeded`,
          content: `What happened ${day} days before the end of March, in row ${i}.`,
          occurred_at: new Date(LAST - day * DAY_MS).toISOString(),
        });
  });
  const path = (more = '') => `memory?tab=timeline&workspace=${suite.workspaceId}${more}`;

  it('says that nothing is remembered yet', async () => {
    const { page, look, quiet } = await suite.open(`memory?tab=timeline&workspace=${emptyId}`);
    await page.getByText('Nothing is stored in memory yet').waitFor();
    assert.equal(await page.title(), 'Timeline – Memory – Context memory');
    await look('timeline-empty');
    quiet();
  });

  it('shows records by day, week and month, and lists those of a column', async () => {
    const { page, look, quiet } = await suite.open(path());
    await page.getByRole('img', { name: '60 records, at most 3 in one day' }).waitFor();
    const heading = page.getByRole('heading', { level: 2 });
    await page.getByRole('heading', { name: 'Mar 2, 2026 to Mar 31, 2026' }).waitFor();
    await page.getByText('60 records', { exact: true }).waitFor();
    await page.getByText('Other types').first().waitFor();
    await look('timeline-days');

    const columns = page.locator('.column-chart g');
    assert.equal(await columns.count(), 30);
    await columns.nth(27).click(); // two days before the last one
    await page.getByRole('heading', { name: 'Mar 29, 2026' }).waitFor();
    await page.getByText('3 records', { exact: true }).waitFor();
    await page.getByRole('button', { name: /^Row 1 of day 2 was weeded/ }).click();
    const record = page.getByRole('complementary', { name: 'Record' });
    await record.getByText('2 days before the end of March, in row 1').waitFor();
    await look('timeline-chosen');
    await page.reload();
    await page.getByText('3 records', { exact: true }).waitFor();
    await record.getByRole('button', { name: 'Close the record' }).click();
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.getByText('60 records', { exact: true }).waitFor();

    await page.getByRole('button', { name: 'Earlier' }).click();
    await page.getByRole('heading', { name: 'Feb 18, 2026 to Mar 1, 2026' }).waitFor();
    await page.getByText('19 records', { exact: true }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Earlier' }).isDisabled(), true);
    await page.getByRole('button', { name: 'Later' }).click();
    await page.getByText('60 records', { exact: true }).waitFor();

    await page.getByRole('button', { name: 'Weeks' }).click();
    await page.getByRole('img', { name: /^79 records, at most \d+ in one week/ }).waitFor();
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Weeks');
    assert.match((await heading.last().textContent()) ?? '', /Week of Mar 30, 2026$/);
    await page.getByRole('button', { name: 'Months' }).click();
    await page.getByRole('img', { name: /^79 records, at most \d+ in one month/ }).waitFor();
    assert.match((await heading.last().textContent()) ?? '', /March 2026$/);
    quiet();
  });

  it('holds the same in a table, by the keyboard alone; a strange address shows the newest', async () => {
    const { page, look, quiet } = await suite.open(path('&by=month&at=yesterday&end=2026-99'));
    await page.getByRole('img', { name: /^79 records/ }).waitFor();
    await page.getByText('The same as a table').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('row', { name: /^March 2026 61 / }).waitFor();
    await page.getByRole('row', { name: /^February 2026 18 / }).waitFor();
    await page.keyboard.press('Tab'); // the table, which scrolls
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'February 2026' }).waitFor();
    await page.getByText('18 records', { exact: true }).waitFor();
    assert.equal(new URL(page.url()).searchParams.get('at'), '2026-02');
    await look('timeline-table');
    quiet();
  });

  it('stays with months where a record is opened and closed', async () => {
    const { page, quiet } = await suite.open(path('&by=month&at=2026-02'));
    await page
      .getByRole('button', { name: /weeded/ })
      .first()
      .click();
    await page.getByRole('complementary', { name: 'Record' }).waitFor();
    await page.getByRole('heading', { name: 'February 2026' }).waitFor();
    await page.getByRole('button', { name: 'Close the record' }).click();
    await page.getByRole('complementary', { name: 'Record' }).waitFor({ state: 'detached' });
    assert.match(await page.evaluate(() => document.activeElement?.textContent ?? ''), /weeded/);
    assert.equal(await page.getByRole('button', { name: 'Months' }).getAttribute('aria-pressed'), 'true');
    await page.getByRole('heading', { name: 'February 2026' }).waitFor();
    quiet();
  });

  it('leads from a page past the last one to the first', async () => {
    const { page, quiet } = await suite.open(path('&at=2026-03-29&page=2'));
    await page.getByText('Nothing is left on this page').waitFor();
    await page.getByRole('button', { name: 'Show the first page' }).click();
    await page.getByText('3 records', { exact: true }).waitFor();
    quiet();
  });

  it('says in place that it cannot be read', async () => {
    const { page, look } = await suite.open(`memory?workspace=${suite.workspaceId}`);
    await page.getByRole('tab', { name: 'Timeline' }).waitFor();
    await page.route('**/v1/memory/search/timeline/**', (route) =>
      route.fulfill({
        status: 503,
        json: {
          success: false,
          data: null,
          error: { code: 'UNAVAILABLE', message: 'The database is away.' },
        },
      }),
    );
    await page.getByRole('tab', { name: 'Timeline' }).click();
    await page.getByText('The database is away.').waitFor();
    await look('timeline-failed');
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('img', { name: /in one day/ }).waitFor();
  });

  it('tells times in the zone of their reader, by its name, and that days are those of UTC', async () => {
    const { page, context } = await suite.open('');
    const cdp = await context.newCDPSession(page);
    await cdp.send('Emulation.setTimezoneOverride', { timezoneId: 'Pacific/Auckland' });
    await page.goto(`${suite.service.url}/app/${path('&at=2026-03-31')}`);
    await page.getByRole('heading', { name: 'Mar 31, 2026' }).waitFor();
    await page.getByRole('region', { name: 'Records of this time' }).getByText('days of UTC').waitFor();
    await page.getByRole('button', { name: /^Row 0 of day 0 was weeded/ }).click();
    await page.getByText('Apr 1, 2026, 1:00 AM GMT+13').waitFor();
    await page.getByRole('tab', { name: 'Everything' }).click();
    await page.getByLabel('From').fill('2026-03-31');
    await page.getByText('days of UTC').waitFor();
    await page.getByText('Row 0 of day 0 was weeded').first().waitFor();
  });
});
