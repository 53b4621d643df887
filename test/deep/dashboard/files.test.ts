import assert from 'node:assert/strict';
import { dashboardSuite } from '../support/dashboard-suite.js';
import { holdBack } from '../support/hold-back.js';

const MANY = 250;
const FILES = {
  'README.md': '# Greenhouse\n\nIt evaporates less at dawn.\n',
  'src/api/greet.ts': 'export const greet = (name: string) => `Hello, ${name}`;\n',
  'src/api/water.ts': 'export const water = (litres: number) => litres * 2;\n',
  'src/main.ts': "import { greet } from './api/greet.js';\ngreet('Ann');\n",
};

describe('dashboard: files', () => {
  const suite = dashboardSuite();

  it('lists projects as people order them', async () => {
    const { id } = await suite.service.call<{ id: string }>('workspaces_create', { name: 'Services' });
    for (const name of ['service-10', 'service-2', 'Archive', 'service-1'])
      await suite.service.call('projects_create', { workspace_id: id, name });
    const expected = ['Archive', 'service-1', 'service-2', 'service-10'];
    const { page, quiet } = await suite.open(`?workspace=${id}`);
    const links = page.locator('.projects').getByRole('link');
    await links.first().waitFor();
    assert.deepEqual(await links.allTextContents(), expected);
    await page.goto(`${suite.service.url}/app/files?workspace=${id}`);
    const options = page.getByLabel('Project').locator('option');
    await options.first().waitFor({ state: 'attached' });
    assert.deepEqual(await options.allTextContents(), expected);
    quiet();
  });

  it('says how to bring in the first folder', async () => {
    const { page, look, quiet } = await suite.open('files');
    await page.getByText('There is no project in this workspace yet').waitFor();
    await page.getByText('service-mcp ingest .').waitFor();
    await look('files-empty');
    quiet();
  });

  it('opens folders one by one, by the keyboard too, and keeps them in the address', async () => {
    await suite.addProject('Greenhouse', FILES);
    const { page, look, quiet } = await suite.open('files');
    const folder = (name: string) => page.getByRole('button', { name });
    await folder('src 3 files').focus();
    await page.keyboard.press('ArrowRight');
    await folder('api 2 files').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'water.ts' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'water.ts' }).waitFor();
    await look('files');
    await folder('api 2 files').focus();
    await page.keyboard.press('ArrowLeft');
    await page.getByRole('button', { name: 'water.ts' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'README.md' }).click();
    await page.getByRole('complementary', { name: 'File' }).getByText('evaporates').waitFor();
    await look('files-file');
    await page.getByRole('button', { name: 'Close the file' }).press('Enter');
    await page.getByRole('complementary', { name: 'File' }).waitFor({ state: 'detached' });
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'README.md');
    await page.keyboard.press('Enter');
    await page.getByRole('complementary', { name: 'File' }).waitFor();
    await page.goBack();
    await page.getByRole('complementary', { name: 'File' }).waitFor({ state: 'detached' });
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'README.md');
    quiet();
  });

  it('stays at a project from page to page, and begins with one that has files', async () => {
    const project_id = await suite.addProject('Annex', FILES);
    const workspace_id = suite.workspaceId;
    const { id: empty } = await suite.service.call<{ id: string }>('projects_create', {
      workspace_id,
      name: 'A new one',
    });
    const { page, quiet } = await suite.open('files');
    const shown = () => new URL(page.url()).searchParams.get('project');
    const choice = page.getByRole('combobox', { name: 'Project' });
    await page.getByRole('button', { name: 'README.md' }).waitFor();
    assert.notEqual(shown(), empty);
    for (const [id, next] of [
      [project_id, 'Graph'],
      [empty, 'Files'],
    ] as const) {
      await choice.selectOption(id);
      await page.getByRole('link', { name: next, exact: true }).click();
      await page.getByRole('heading', { level: 1, name: next }).waitFor();
      await page.waitForFunction(() => location.search.includes('project='));
      assert.equal(shown(), id);
    }
    await page.getByText(`--project ${empty}`).waitFor();
    await page.goto(`${suite.service.url}/app/graph?project=${empty}`);
    await page.getByText(`--project ${empty}`).waitFor();
    await suite.service.call('projects_delete', { project_id });
    await suite.service.call('projects_delete', { project_id: empty });
    quiet();
  });

  it('colours the scripts and styles inside components, and notebooks', async () => {
    const script = "import { litres } from './water';\nconst amount: number = litres(2);\n";
    const page = `<p class="plant">{amount}</p>\n<style>\n.plant { color: green; }\n</style>\n`;
    const project_id = await suite.addProject('Components', {
      'Plant.vue': `<script setup lang="ts">\n${script}</script>\n<template>\n${page}`,
      'Plant.svelte': `<script lang="ts">\n${script}</script>\n${page}`,
      'Plant.astro': `---\n${script}---\n${page}`,
      'plant.html': `<script>\n${script.replace(': number', '')}</script>\n${page}`,
      'plant.ipynb': JSON.stringify({ cells: [], metadata: {}, nbformat: 4, nbformat_minor: 5 }, null, 1),
    });
    const coloured = async (file: string, parts: readonly (readonly [className: string, text: string])[]) => {
      const { page: tab, quiet } = await suite.open(`files?project=${project_id}&file=${file}`);
      for (const [className, hasText] of parts)
        await tab.locator(`.file-panel .hljs-${className}`, { hasText }).first().waitFor();
      quiet();
    };
    const inPages = [
      ['keyword', 'import'],
      ['attribute', 'color'],
      ['name', 'style'],
    ] as const;
    for (const file of ['Plant.vue', 'Plant.svelte', 'Plant.astro', 'plant.html'])
      await coloured(file, inPages);
    await coloured('plant.ipynb', [['attr', 'nbformat']]);
  });

  it('draws the colours of a long line at once, and leaves a very long one without', async () => {
    const line = (length: number) => 'let a=[1,2];'.repeat(length / 12);
    const project_id = await suite.addProject('Bundles', {
      'long.js': `${line(9_000)}\n`,
      'very-long.js': `${line(90_000)}\nlet b = 'the last';\n`,
    });
    const { page, quiet } = await suite.open('');
    await page.addInitScript(`
      globalThis.drawn = 0;
      new MutationObserver((records) => {
        drawn += records.filter(({ target }) => target.className === 'text').length;
      }).observe(document, { childList: true, subtree: true });
    `);
    await page.goto(`${suite.service.url}/app/files?project=${project_id}&file=long.js`);
    await page.locator('.file-panel .hljs-keyword').first().waitFor();
    const drawn = await page.evaluate<number>('drawn');
    assert.ok(drawn < 10, `the pieces of the line come one by one, in ${drawn} steps`);
    await page.getByRole('button', { name: 'very-long.js' }).click();
    const code = page.getByRole('group', { name: 'very-long.js' });
    await code.getByText('the last').waitFor();
    assert.equal(await code.locator('.text').first().locator('span').count(), 1);
    quiet();
  });

  it('shows a folder of many files in parts, and finds one by a part of its path', async () => {
    const files = Array.from({ length: MANY }, (_, i) => [
      `notes/${String(i).padStart(3, '0')}.md`,
      `${i}\n`,
    ]);
    await suite.addProject('Notes', Object.fromEntries(files) as Record<string, string>);
    const { page, look, quiet } = await suite.open('files');
    await page.getByLabel('Project').selectOption({ label: 'Notes' });
    await page.getByRole('button', { name: `notes ${MANY} files` }).click();
    await page.getByRole('button', { name: '099.md' }).waitFor();
    assert.equal(await page.locator('.file').count(), 100);
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByRole('button', { name: '249.md' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Show more' }).count(), 0);
    await page.getByLabel('State').selectOption('indexed');
    await page.getByText('1 of 3').waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByRole('button', { name: 'notes/100.md' }).waitFor();
    const list = await holdBack(page, '**/files?**');
    await page.getByLabel('Project').selectOption({ label: 'Greenhouse' });
    await page.getByRole('button', { name: 'notes/100.md' }).waitFor({ state: 'detached' }); // of the other project
    await list();
    await page.getByRole('button', { name: 'src/main.ts' }).waitFor();
    await page.getByLabel('Project').selectOption({ label: 'Notes' });
    await page.getByLabel('State').selectOption('');
    const field = page.getByLabel('Find a file by its name or folder');
    await field.fill('NOTES/2');
    await page.getByText('12 of 50: type more of the name').waitFor();
    await look('files-found');
    await field.fill('s/217');
    await page.getByRole('option', { name: 'notes/217.md' }).waitFor();
    const find = await holdBack(page, '**/files?**');
    const asked = page.waitForRequest(/path_contains=s%2F218/);
    await field.fill('s/218');
    await asked;
    await page.keyboard.press('Enter'); // not yet: 217 is what the words before found
    await find();
    await page.getByRole('option', { name: 'notes/218.md' }).waitFor();
    assert.equal(await page.getByRole('complementary', { name: 'File' }).count(), 0);
    await page.keyboard.press('Enter');
    await page.getByRole('complementary', { name: 'File' }).getByText('218', { exact: true }).waitFor();
    await field.fill('shed');
    await page.getByText('No path in this project has this part').waitFor();
    quiet();
  });

  it('names the reason of a failure, and tries one file and all again', async () => {
    const project_id = await suite.addProject('Broken', FILES);
    const database = await suite.database.open();
    const fail = async () => {
      const indexing_error = 'The file nests more than 400 levels deep.';
      const failed = { indexing_status: 'failed', indexing_error };
      const files = () => database.sql('files').where({ project_id }).whereLike('path', 'src/api/%');
      await database.sql('file_work').whereIn('id', files().select('id')).update(failed);
      await files().update(failed);
    };
    const statuses = async () => {
      const { failed } = await suite.service.call<{ failed: number }>('projects_index_status', {
        project_id,
      });
      return failed;
    };
    await fail();
    const deaf = await suite.open('');
    await deaf.page.route('**/api/v1/stream', (route) => route.abort()); // no event tells that the list has changed
    await deaf.page.goto(`${suite.service.url}/app/files?project=${project_id}&state=failed`);
    await deaf.page.getByRole('button', { name: 'Try again' }).nth(1).click();
    await deaf.page.waitForFunction(() => document.querySelectorAll('.file').length === 1);
    await deaf.context.close();
    await fail();
    const { page, look, quiet } = await suite.open(`files?project=${project_id}`);
    await page.getByText('2 files could not be indexed').waitFor();
    await page.getByRole('button', { name: 'src 2 failed 3 files' }).waitFor();
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.getByText('nests more than 400 levels').first().waitFor();
    await look('files-failed');
    await page.getByRole('button', { name: 'Try again' }).first().click();
    await page.getByText('1 file could not be indexed').waitFor();
    assert.equal(await statuses(), 1);
    await page.getByRole('button', { name: 'Try all again' }).click();
    await page.getByText('No file has failed').waitFor();
    assert.equal(await statuses(), 0);
    await database.close();
    quiet();
  });

  it('shows no other project in place of one that is gone', async () => {
    const project_id = await suite.addProject('Shed', FILES);
    const { page, look } = await suite.open(`files?project=${project_id}&open=src/&file=src/main.ts`);
    await page.getByRole('complementary', { name: 'File' }).getByText('Ann').waitFor();
    await suite.service.call('projects_delete', { project_id });
    await page.getByText('This project is not in this workspace').waitFor();
    await page.getByRole('complementary', { name: 'File' }).waitFor({ state: 'detached' });
    await look('files-other');
    await page.goto(`${suite.service.url}/app/graph?project=${project_id}`);
    await page.getByText('This project is not in this workspace').waitFor();
    await page.getByLabel('Project').selectOption({ label: 'Greenhouse' });
    await page.getByText('This project is not in this workspace').waitFor({ state: 'detached' });
  });

  it('says in place what failed, and tries again', async () => {
    const { page, look } = await suite.open('files');
    await page.getByRole('button', { name: 'README.md' }).waitFor();
    await page.route('**/api/**/files?**', (route) =>
      route.fulfill({
        status: 404,
        json: { success: false, data: null, error: { code: 'NOT_FOUND', message: 'No such project.' } },
      }),
    );
    await page.reload();
    await page.getByText('No such project.').waitFor();
    await look('files-gone');
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('button', { name: 'README.md' }).waitFor();
  });

  it('stays at its project where one comes that is before it by name', async () => {
    const { page, quiet } = await suite.open('files');
    const shown = page.getByLabel('Project').locator('option:checked');
    await page.getByRole('button', { name: /^src / }).click();
    const name = await shown.textContent();
    await suite.addProject('A first one', { 'a.md': 'Water.\n' });
    await page.getByLabel('Project').getByText('A first one').waitFor({ state: 'attached' });
    assert.equal(await shown.textContent(), name);
    await page.getByRole('button', { name: 'main.ts' }).waitFor();
    quiet();
  });
});
