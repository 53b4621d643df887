import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { dashboardSuite } from '../support/dashboard-suite.js';

const RECORDS = 60; // two pages, and more than a window

/** What has the focus: its label, or the beginning of its text. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const { activeElement: element } = document;
    return element?.ariaLabel ?? `${element?.tagName} ${element?.textContent?.trim().slice(0, 40)}`;
  });
const announced = (page: Page, text: string) =>
  page.getByRole('log', { name: 'Announcements' }).getByText(text, { exact: true }).first().waitFor();

describe('dashboard: the focus and what a screen reader is told', () => {
  const suite = dashboardSuite();
  before(async () => {
    const { workspaceId: workspace_id } = suite;
    for (let number = 1; number <= RECORDS; number += 1)
      await suite.service.call('memory_create_event', {
        workspace_id,
        event_type: 'note',
        title: `Bed ${number}`,
        content: 'It is weeded.',
        occurred_at: new Date(Date.UTC(2026, 0, 1, 0, number)).toISOString(),
      });
  });

  it('begins another page at its top, with the focus, and says its name', async () => {
    const { page, quiet } = await suite.open('toolsets');
    const pages = page.getByRole('navigation', { name: 'Pages' });
    await page.getByRole('main').getByRole('heading', { level: 2 }).last().waitFor(); // the first page is not announced
    await page.evaluate(() => window.scrollTo(0, 2_000));
    await pages.getByRole('link', { name: 'Memory' }).click();
    await announced(page, 'Memory');
    await page.getByText('60 records').waitFor();
    assert.match(await focused(page), /^MAIN Memory/);
    await page.evaluate(() => window.scrollTo(0, 1_500));
    await pages.getByRole('link', { name: 'Toolsets' }).click();
    await page.getByRole('heading', { level: 1, name: 'Toolsets' }).waitFor();
    await page.waitForFunction(() => window.scrollY === 0);
    await page.goBack();
    await page.getByText('60 records').waitFor();
    await page.waitForFunction(() => window.scrollY > 1_000); // the browser brings one back to the place
    await page.evaluate(() => window.scrollTo(0, 1_000));
    await page.keyboard.press('Control+k');
    await page.keyboard.type('Health');
    await page.keyboard.press('Enter');
    await announced(page, 'Health');
    assert.match(await focused(page), /^MAIN Health/);
    assert.equal(await page.evaluate(() => window.scrollY), 0);
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    await announced(page, 'Search');
    assert.equal(await focused(page), 'Search for'); // its field takes the focus
    quiet();
  });

  it('keeps the focus on the buttons of a list, and says what a page or a filter shows', async () => {
    const { page, quiet } = await suite.open('memory');
    await announced(page, '60 records, page 1 of 2');
    await page.getByRole('button', { name: 'Next' }).press('Enter');
    await announced(page, '60 records, page 2 of 2');
    await page.waitForFunction(() => document.activeElement?.textContent === 'Previous'); // Next is disabled
    await page.getByRole('button', { name: 'Knowledge', exact: true }).press('Enter');
    await announced(page, 'Nothing matches');
    await page
      .getByRole('log', { name: 'Announcements' })
      .getByText('page 1 of 2')
      .waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Events', exact: true }).press('Enter');
    await announced(page, '60 records, page 1 of 2');
    await page.getByRole('tab', { name: 'Everything' }).focus();
    await page.keyboard.press('End');
    await page.getByRole('tab', { name: 'Clean-up', selected: true }).waitFor();
    await page.keyboard.press('Home');
    await page.getByRole('tab', { name: 'Everything', selected: true }).waitFor();
    quiet();
  });

  it('leads into a record that the keyboard opens, on to the next, and back', async () => {
    const { page, quiet } = await suite.open('memory');
    const record = page.getByRole('complementary', { name: 'Record' });
    await page.getByText('60 records').waitFor();
    for (const key of ['j', 'j', 'Enter']) await page.keyboard.press(key);
    await record.getByRole('heading', { name: 'Bed 59' }).waitFor();
    assert.equal(await focused(page), 'Record');
    await page.keyboard.press('j');
    assert.match(await focused(page), /^BUTTON Bed 58/);
    await page.keyboard.press('Enter');
    await record.getByRole('heading', { name: 'Bed 58' }).waitFor();
    await page.keyboard.press('Escape');
    await record.waitFor({ state: 'detached' });
    assert.match(await focused(page), /^BUTTON Bed 58/);
    quiet();
  });

  it('keeps the focus near what is created, deleted, undone and dismissed', async () => {
    const { page, quiet } = await suite.open('memory');
    const record = page.getByRole('complementary', { name: 'Record' });
    const form = page.getByRole('complementary', { name: 'Remember something' });
    await page.getByRole('button', { name: 'Remember something' }).press('Enter');
    await form.getByLabel('Title').fill('Bed 61');
    await form.getByLabel('Content').fill('It is new.');
    await form.getByRole('button', { name: 'Remember', exact: true }).press('Enter');
    await record.getByRole('heading', { name: 'Bed 61' }).waitFor();
    await page.waitForFunction(() => document.activeElement?.ariaLabel === 'Record');
    await page.getByText('61 records').waitFor();
    await record.getByRole('button', { name: 'Delete' }).press('Enter');
    await page.getByText('Deleted “Bed 61”.').waitFor();
    await page.getByText('60 records').waitFor();
    await page.waitForFunction(() => document.activeElement?.textContent?.startsWith('Bed 60'));
    await page.getByRole('button', { name: 'Undo' }).press('Enter');
    await page.getByText('Undone: everything is as it was before.').waitFor();
    await page.waitForFunction(() => document.activeElement?.ariaLabel === 'Dismiss');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.activeElement?.className === 'last-note');
    await page.keyboard.press('Tab');
    assert.match(await focused(page), /^BUTTON Everything/);
    await page.getByRole('checkbox', { name: 'Choose Bed 61' }).press('Space');
    await page.getByRole('button', { name: 'Choose none' }).press('Enter');
    await page.waitForFunction(() => document.activeElement?.closest('.selection-bar'));
    quiet();
  });

  it('brings what opens above a long list into sight, and one back to the list', async () => {
    const { page, quiet } = await suite.open('memory');
    const record = page.getByRole('complementary', { name: 'Record' });
    for (const width of [1024, 375]) {
      await page.setViewportSize({ width, height: 740 });
      const row = page.getByRole('button', { name: /^Bed 20 / });
      await row.click();
      await record.getByRole('heading', { name: 'Bed 20' }).waitFor();
      const { y = -1 } = (await record.boundingBox()) ?? {};
      assert.ok(y >= 0 && y < 640, `at ${width} px: its top is at ${y}`);
      await record.getByRole('button', { name: 'Close the record' }).click();
      await page.waitForFunction(() => document.activeElement?.textContent?.startsWith('Bed 20'));
      const { y: back = -1 } = (await row.boundingBox()) ?? {};
      assert.ok(back >= 0 && back < 740, `at ${width} px: the row is at ${back}`);
    }
    quiet();
  });

  it('gives the focus back to a button that waits for its call, and leads on to what else was found', async () => {
    const { page, quiet } = await suite.open('explorer/workspaces_list');
    await page.getByRole('button', { name: 'Call', exact: true }).press('Enter');
    await page.getByText(/^200 in /).waitFor();
    await page.waitForFunction(() => document.activeElement?.textContent === 'Call');
    const files = Array.from({ length: 30 }, (_, number) => [
      `plot-${number}.md`,
      `Weeds of plot ${number}.\n`,
    ]);
    await suite.addProject('Weeds', Object.fromEntries(files) as Record<string, string>);
    await page.goto(`${suite.service.url}/app/search?q=weeds&mode=words`);
    await announced(page, '30 found');
    await page.getByRole('button', { name: 'Show more' }).press('Enter');
    await page.locator('.result-list > li').nth(29).waitFor();
    await page.waitForFunction(
      () => document.activeElement?.closest('li') === document.querySelectorAll('.result-list > li')[20],
    );
    quiet();
  });

  it('shows folders deep in others at 320 px', async () => {
    const folders = Array.from({ length: 20 }, (_, depth) => 'deep/'.repeat(depth + 1));
    const project = await suite.addProject('Deep', { [`${folders.at(-1)}file.md`]: 'Roots.\n' });
    const open = new URLSearchParams({ project, open: folders.join('\n') });
    const { page, quiet } = await suite.open(`files?${open}`);
    await page.getByRole('button', { name: 'file.md' }).waitFor();
    await page.setViewportSize({ width: 320, height: 640 });
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
    quiet();
  });

  it('says that the action of a page of a plugin is done', async () => {
    const { page, quiet } = await suite.open('views/workspaces/projects');
    await page.getByRole('button', { name: 'Create a project' }).press('Enter');
    await page.getByRole('dialog').getByLabel('Name').fill('Orchard');
    await page.keyboard.press('Enter');
    await announced(page, 'Done: Create a project');
    assert.match(await focused(page), /^BUTTON Create a project/);
    quiet();
  });
});
