import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { dashboardSuite } from '../support/dashboard-suite.js';

const FILES = Object.fromEntries(
  ['src/a.ts', 'src/b.ts', 'src/c.ts'].map((path) => [path, `export const name = '${path}';\n`]),
);

describe('dashboard: activity', () => {
  const suite = dashboardSuite({ SERVICE_WORKERS: 'child' }); // events come from its other process, too

  it('does not say that it is live before it is', async () => {
    const { page, context } = await suite.open('health');
    await page.getByText('Live', { exact: true }).waitFor();
    await context.route('**/api/v1/stream', (route) => route.abort());
    await page.goto(`${suite.service.url}/app/activity`);
    await page.getByRole('heading', { name: 'Not connected, trying again' }).waitFor();
    assert.equal(await page.getByText('Live', { exact: true }).count(), 0);
  });

  it('tells in words what happens, live, and leads to what it is about', async () => {
    const { page, look, quiet } = await suite.open('activity');
    await page.getByText('Nothing has happened since you opened this tab').waitFor();
    await page.getByText('Live', { exact: true }).first().waitFor();
    await look('activity-empty');
    const project_id = await suite.addProject('Greenhouse', FILES);
    const { id } = await suite.service.call<{ id: string }>('memory_create_event', {
      workspace_id: suite.workspaceId,
      event_type: 'decision',
      title: 'Water at dawn',
      content: 'It evaporates less.',
    });
    const events = page.getByRole('region', { name: 'Live events' });
    await events.getByText('was created').waitFor();
    await events.getByText('3 files indexed').waitFor();
    await events
      .getByText(/indexed in Greenhouse/)
      .first()
      .waitFor();
    const record = events.getByRole('link', { name: 'Water at dawn' });
    await record.waitFor();
    assert.match((await record.getAttribute('href')) ?? '', new RegExp(`memory\\?event=${id}$`));
    const learned = page.locator('.stack').getByRole('link', { name: 'Water at dawn' });
    await learned.waitFor();
    assert.match((await learned.getAttribute('href')) ?? '', new RegExp(`memory\\?event=${id}$`));
    await look('activity');
    const gone = await suite.service.call<{ id: string }>('memory_create_event', {
      workspace_id: suite.workspaceId,
      event_type: 'note',
      title: 'Mow on Fridays',
      content: 'The grass is dry by then.',
    });
    await suite.service.call('memory_delete_event', { event_id: gone.id });
    await events.getByText('A memory event, deleted since, was stored').waitFor();
    await page.getByLabel('Kind').selectOption('file');
    await record.waitFor({ state: 'detached' });
    await page.reload();
    await events
      .getByText(/indexed in Greenhouse/)
      .first()
      .waitFor(); // it outlives a reload, as does the filter
    assert.equal(await record.count(), 0);
    await events.getByRole('link').first().click();
    await page.getByRole('complementary', { name: 'File' }).getByText('export').waitFor();
    assert.equal(new URL(page.url()).searchParams.get('project'), project_id);
    quiet(404);
  });

  it('counts the files of a large folder in few rows, which push nothing else off the list', async () => {
    const { page, quiet } = await suite.open('activity');
    await page.getByText('Live', { exact: true }).first().waitFor();
    const { workspaceId: workspace_id, service } = suite;
    const note = { event_type: 'note', title: 'Mow at noon', content: 'The grass is dry by then.' };
    await service.call('memory_create_event', { workspace_id, ...note });
    const { id: project_id } = await service.call<{ id: string }>('projects_create', {
      workspace_id,
      name: 'Meadow',
    });
    for (const folder of ['north', 'south']) {
      const paths = Array.from({ length: 300 }, (_, at) => `${folder}/${at}.md`);
      await service.call('files_ingest', {
        project_id,
        files: paths.map((path) => ({ path, content: `${path}\n` })),
      });
    }
    const events = page.getByRole('region', { name: 'Live events' });
    await events.getByText('600 files indexed').waitFor();
    await events.getByRole('link', { name: 'Mow at noon' }).waitFor();
    const rows = await events.getByText(/indexed in Meadow/).allInnerTexts();
    const counts = rows.map((row) => 1 + Number(/and ([\d,]+) more/.exec(row)?.[1] ?? 0));
    assert.equal(
      counts.reduce((sum, count) => sum + count, 0),
      600,
    );
    await service.call('projects_delete', { project_id });
    await events.getByText('A project was deleted with its files').waitFor();
    await events
      .getByText(/indexed in a project/)
      .first()
      .waitFor();
    quiet();
  });

  it('tells how long ago something was also a while later', async () => {
    const { page, quiet } = await suite.open('');
    await page.clock.install();
    await page.goto(`${suite.service.url}/app/activity`);
    const events = page.getByRole('region', { name: 'Live events' });
    await events.getByText('Live', { exact: true }).waitFor();
    const note = { event_type: 'note', title: 'Sow in rows', content: 'A hand apart.' };
    await suite.service.call('memory_create_event', { workspace_id: suite.workspaceId, ...note });
    const row = events.getByRole('listitem').filter({ hasText: note.title });
    await row.getByText('just now').waitFor();
    await page.clock.fastForward('05:00');
    await row.getByText('5 minutes ago').waitFor();
    quiet();
  });

  it('stops when it is told to, and says what came meanwhile', async () => {
    const { page, look, quiet } = await suite.open('activity');
    await page.getByText('Live', { exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await suite.service.call('projects_create', { workspace_id: suite.workspaceId, name: 'Shed' });
    await page.getByRole('button', { name: 'Go on (1 new)' }).waitFor();
    await page.getByText('Nothing has happened').waitFor();
    await look('activity-paused');
    await page.getByRole('button', { name: 'Go on (1 new)' }).click();
    await page.getByRole('link', { name: 'Shed' }).waitFor();
    quiet();
  });

  it('counts an event once in each of several tabs, also without locks, as over plain http', async () => {
    const { page, context, quiet } = await suite.open('');
    await context.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'locks'));
    const tabs = [page, await context.newPage()];
    for (const tab of tabs) {
      await tab.goto(`${suite.service.url}/app/activity`);
      await tab.getByText('Live', { exact: true }).first().waitFor();
      assert.equal(await tab.evaluate(() => 'locks' in navigator), false);
    }
    for (const name of ['Pond', 'Fence'])
      await suite.service.call('projects_create', { workspace_id: suite.workspaceId, name });
    const linksIn = (tab: Page, name: string) =>
      tab.getByRole('region', { name: 'Live events' }).getByRole('link', { name });
    for (const tab of tabs) await linksIn(tab, 'Fence').first().waitFor();
    for (const tab of tabs) assert.equal(await linksIn(tab, 'Pond').count(), 1);
    quiet();
  });

  it('is opened by the keyboard', async () => {
    const { page, quiet } = await suite.open('');
    await page.getByRole('heading', { level: 1, name: 'Garden' }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('a');
    await page.getByRole('heading', { level: 1, name: 'Activity' }).waitFor();
    quiet();
  });
});
