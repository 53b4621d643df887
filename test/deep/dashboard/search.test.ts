import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { dashboardSuite } from '../support/dashboard-suite.js';
import { holdBack } from '../support/hold-back.js';

const FILES = {
  'src/greet.ts':
    '/** Says hello. */\nexport function greet(name: string): string {\n  return `Hello, ${name}`;\n}\n',
  'src/water.py':
    'def water(plants):\n    """Waters plants at dawn."""\n    return [p.name for p in plants]\n',
  'docs/guide.md': '# Guide\n\nWater the plants at dawn. It evaporates less.\n',
};

const addressOf = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);

describe('dashboard: search', () => {
  const suite = dashboardSuite();

  it('says how to begin where nothing is indexed', async () => {
    const { page, look, quiet } = await suite.open('search?q=greet');
    await page.getByText('Nothing is indexed in this workspace yet').waitFor();
    await look('search-empty');
    quiet();
  });

  it('finds code in four modes, narrows it, says why, and shows the file beside it', async () => {
    await suite.addProject('Greenhouse', FILES);
    const { page, look, quiet } = await suite.open('search');
    await page.getByText('Search code and documents').waitFor();
    await page.keyboard.type('water plants');
    await page.keyboard.press('Enter');
    const results = page.locator('.result-list > li');
    await results.nth(1).waitFor();
    assert.equal(addressOf(page, 'q'), 'water plants');
    await results.getByText('Has “').first().waitFor();
    await results
      .getByText(/words \d/)
      .first()
      .waitFor();
    await look('search');
    await page.getByRole('button', { name: 'Meaning' }).click();
    // The remark of the service, in the words of the page.
    await page.getByText('“Words” or “Best”').waitFor();
    await look('search-meaning');
    await page.getByRole('button', { name: 'Words' }).click();
    await page.waitForFunction(() => !document.querySelector('.results > .notice'));
    await page.getByRole('button', { name: 'src/water.py' }).click();
    const file = page.getByRole('complementary', { name: 'File' });
    await file.getByText('def').first().waitFor();
    await look('search-file');
    await page.getByLabel('Language', { exact: true }).selectOption('markdown');
    await page.waitForFunction(() => document.querySelectorAll('.result-list > li').length === 1);
    assert.equal(addressOf(page, 'language'), 'markdown');
    quiet();
  });

  it('keeps a search in the address, for reload and the back button', async () => {
    const { page, quiet } = await suite.open('search?q=water&mode=words');
    const results = page.locator('.result-list > li');
    await results.first().waitFor();
    await page.getByLabel('Search for').fill('greet');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'src/greet.ts' }).first().click();
    await page.getByRole('complementary', { name: 'File' }).waitFor();
    await page.reload();
    await page.getByRole('complementary', { name: 'File' }).getByText('Says hello').waitFor();
    await page.goBack();
    await page.getByRole('complementary', { name: 'File' }).waitFor({ state: 'detached' });
    assert.equal(addressOf(page, 'q'), 'greet');
    await page.goBack();
    await page.getByRole('button', { name: 'src/water.py' }).waitFor();
    assert.equal(await page.getByLabel('Search for').inputValue(), 'water');
    quiet();
  });

  it('shows the lines that match, also where many stand before them', async () => {
    const list = Array.from({ length: 25 }, (_, index) => `  'bed ${index}',`);
    await suite.addProject('Beds', {
      'src/beds.ts': `export const BEDS = [\n${list.join('\n')}\n  'rhubarb',\n];\n`,
    });
    const { page, quiet } = await suite.open('search?q=rhubarb&mode=words');
    await page.locator('.result-list mark', { hasText: 'rhubarb' }).waitFor();
    // Asked of the page as it is: its colours come later, and with them another element for the match.
    await page.waitForFunction(() => {
      const mark = document.querySelector('.result-list mark');
      const box = mark?.closest('pre')?.getBoundingClientRect();
      const place = mark?.getBoundingClientRect();
      return box && place && place.height > 0 && place.top >= box.top && place.bottom <= box.bottom;
    });
    assert.equal(await page.evaluate(() => scrollY), 0, 'the page moved too');
    quiet();
  });

  it('says that results are those of the search before, until a slow one is there', async () => {
    const { page, look, quiet } = await suite.open('search?q=water&mode=words');
    const results = page.locator('.result-list > li');
    await results.getByText('Has “water”').first().waitFor();
    const answer = await holdBack(page, '**/search/keyword*');
    await page.getByLabel('Search for').fill('greet');
    await page.keyboard.press('Enter');
    const note = page.getByText('This is the previous result');
    await note.waitFor();
    assert.ok((await results.getByText('Has “water”').count()) > 0);
    await look('search-slow');
    await answer();
    await results.getByText('Has “greet”').first().waitFor();
    await note.waitFor({ state: 'detached' });
    quiet();
  });

  it('keeps the focus in its field while one searches again and again', async () => {
    const { page, quiet } = await suite.open('search?q=water&mode=words');
    const results = page.locator('.result-list > li');
    await results.first().waitFor();
    const field = page.getByLabel('Search for');
    const isFocused = () => field.evaluate((input) => input === document.activeElement);
    await page.keyboard.press('/');
    assert.equal(await isFocused(), true);
    assert.equal(await field.inputValue(), 'water');
    await page.keyboard.type('greet');
    await page.keyboard.press('Enter');
    await results.getByText('Has “greet”').first().waitFor();
    assert.equal(await isFocused(), true);
    assert.equal(addressOf(page, 'mode'), 'words');
    await page.goBack();
    await results.getByText('Has “water”').first().waitFor();
    assert.equal(await field.inputValue(), 'water');
    quiet();
  });

  it('is used by the keyboard alone', async () => {
    const { page, quiet } = await suite.open('search?q=water&mode=words');
    const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
    await page.locator('.result-list > li').nth(1).waitFor();
    await page.getByLabel('Search for').focus();
    await page.keyboard.press('ArrowDown');
    const first = await focused();
    await page.keyboard.press('j');
    const second = await focused();
    assert.notEqual(second, first);
    await page.keyboard.press('k');
    assert.equal(await focused(), first);
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    const file = page.getByRole('complementary', { name: 'File' });
    await file.waitFor();
    const field = page.getByLabel('Search for');
    await field.focus();
    await page.keyboard.press('Escape'); // of who types
    assert.equal(await field.evaluate((input) => input === document.activeElement), true);
    assert.equal(await file.count(), 1);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('j');
    await page.keyboard.press('Escape');
    await file.waitFor({ state: 'detached' });
    assert.equal(await focused(), second);
    quiet();
  });

  it('searches by a pattern with its options, and says at the field what is wrong with it', async () => {
    const { page, look, quiet } = await suite.open('search?mode=regex&q=DAWN');
    const lines = page.locator('.scores').getByText('Matches in line');
    await lines.nth(1).waitFor();
    await page.getByLabel('Match case').check();
    await page.getByText('Nothing matches').waitFor();
    assert.equal(addressOf(page, 'case'), '1');
    await page.getByLabel('Match case').uncheck();
    await page.getByLabel('Search for').fill('plant');
    await page.keyboard.press('Enter');
    await lines.first().waitFor();
    await page.getByLabel('Whole words').check();
    await page.getByText('Nothing matches').waitFor();
    await page.getByLabel('Whole words').uncheck();
    await page.getByLabel('Across lines').check();
    await page.getByLabel('Search for').fill('Guide\\s+Water');
    await page.keyboard.press('Enter');
    await lines.first().waitFor();
    await look('search-pattern');
    await page.getByLabel('Search for').fill('dawn '); // a full stop follows each
    await page.keyboard.press('Enter');
    await page.getByText('Nothing matches').waitFor();
    assert.equal(addressOf(page, 'q'), 'dawn ');
    await page.getByLabel('Search for').fill('(dawn');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('opens a group without its )').waitFor();
    assert.equal(await page.getByLabel('Search for').getAttribute('aria-invalid'), 'true');
    await look('search-pattern-wrong');
    quiet(400);
  });

  it('opens one of many matches in one long line, and scrolls to it', async () => {
    const line = Array.from({ length: 800 }, (_, at) => `var plum${at}=plums;`).join('');
    const project_id = await suite.addProject('Orchard', { 'plums.min.js': line });
    const { page, quiet } = await suite.open('search?q=plums&mode=regex');
    const heads = page.locator('.result-head');
    for (const at of [2, 4]) {
      await heads.nth(at).click();
      const code = page.getByRole('complementary', { name: 'File' }).getByRole('group');
      await code.waitFor();
      assert.equal(await page.locator('.result-list .opened').count(), 1);
      assert.ok(await heads.nth(at).evaluate((head) => head.closest('.opened')));
      assert.ok((await code.evaluate(({ scrollLeft }) => scrollLeft)) > 1000);
    }
    await page.keyboard.press('Escape');
    await page.getByRole('complementary', { name: 'File' }).waitFor({ state: 'detached' });
    await page.getByText('Live', { exact: true }).waitFor();
    await suite.service.call('projects_delete', { project_id });
    await page.getByText('Nothing matches').waitFor();
    quiet();
  });

  it('finds memory, and leads to its record', async () => {
    const { id } = await suite.service.call<{ id: string }>('memory_create_event', {
      workspace_id: suite.workspaceId,
      event_type: 'decision',
      title: 'Water at dawn',
      content: 'The garden is watered before six, since less evaporates then.',
    });
    const statusOf = () =>
      suite.service.call<{ indexing_status: string }>('memory_get_event', { event_id: id });
    while ((await statusOf()).indexing_status !== 'indexed') await delay(100);
    const { page, look, quiet } = await suite.open('search?q=dawn&mode=words');
    await page.locator('.result-list > li').first().waitFor();
    await page.getByLabel('Look in').selectOption({ label: 'Memory' });
    const record = page.locator('.result-head', { hasText: 'Water at dawn' });
    await record.waitFor();
    await look('search-memory');
    assert.match((await record.getAttribute('href')) ?? '', new RegExp(`/app/memory\\?event=${id}$`));
    quiet();
  });

  it('says in place what it cannot do now', async () => {
    const { page, look } = await suite.open('search?q=water&mode=words');
    await page.locator('.result-list > li').first().waitFor();
    const answer = (status: number, code: string, message: string) =>
      page.route('**/search/**', (route) =>
        route.fulfill({
          status,
          contentType: 'application/json',
          body: JSON.stringify({ success: false, data: null, error: { code, message } }),
        }),
      );
    await answer(429, 'RATE_LIMITED', 'Too many searches wait.');
    await page.getByRole('button', { name: 'Best' }).click();
    await page.getByText('Too many searches wait.').waitFor();
    await look('search-limited');
    await page.unrouteAll();
    await answer(404, 'NOT_FOUND', 'There is no such file. Call files_list or search_hybrid for its paths.');
    await page.getByRole('button', { name: 'Try again' }).click();
    const alert = page.getByRole('alert').filter({ hasText: 'There is no such file.' });
    assert.match(await alert.innerText(), /Call Files for its paths\./);
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('.result-list > li').first().waitFor();
  });

  it('says where the index is incomplete', async () => {
    const { page, look, quiet } = await suite.open('health');
    await page.getByText('Index of each project').waitFor();
    await page.route('**/search/**', async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as { data: { index: object; warnings: string[] } };
      body.data.index = { ...body.data.index, state: 'degraded', pending: 2 };
      body.data.warnings = ['degraded: the embedding provider does not answer: use search_keyword.'];
      await route.fulfill({ response, json: body });
    });
    await page.keyboard.press('/');
    await page.getByLabel('Search for').fill('water');
    await page.keyboard.press('Enter');
    await page.getByText('The embedding provider does not answer: use “Words”.').waitFor();
    await page.getByText('2 entries waiting to be indexed').waitFor(); // files and records
    await look('search-degraded');
    await page.getByRole('link', { name: 'See Health' }).click();
    await page.getByText('Index of each project').waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    quiet();
  });
});
