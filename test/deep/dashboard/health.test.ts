import assert from 'node:assert/strict';
import { dashboardSuite } from '../support/dashboard-suite.js';

const FILES = { 'a.ts': 'export const a = 1;\n', 'b.ts': 'export const b = 2;\n' };

describe('dashboard: health', () => {
  const suite = dashboardSuite({
    SERVICE_QUOTA_FILES: '2',
    SERVICE_QUOTA_EVENTS: '100',
    SERVICE_WORKERS: 'child', // its check is shown
  });

  it('shows checks, indexes with their failures, and quotas', async () => {
    const { page, look, quiet } = await suite.open('health');
    await page.getByText('There is no project yet').waitFor();
    await page.getByText('database').first().waitFor();
    await look('health-empty');
    const project_id = await suite.addProject('Greenhouse', FILES);
    await page.getByText('2 indexed, 0 waiting').waitFor();
    await page.getByText('2 of 2').waitFor();
    await page.getByText('Full', { exact: true }).waitFor();
    await page.getByText('0 of 100').waitFor();

    const database = await suite.database.open();
    const failed = { indexing_status: 'failed', indexing_error: 'The file nests too deeply.' };
    const files = () => database.sql('files').where({ project_id, path: 'a.ts' });
    await database.sql('file_work').whereIn('id', files().select('id')).update(failed);
    await files().update(failed);
    await database.close();
    await page.reload();
    await page.getByRole('link', { name: '1 failed' }).waitFor();
    await look('health');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('2 indexed, 0 waiting').waitFor();
    assert.equal(await page.getByRole('link', { name: '1 failed' }).count(), 0);
    quiet();
  });

  it('counts calls in a chart and a table, by hour and by day', async () => {
    for (let i = 0; i < 3; i++) await suite.service.call('workspaces_list', {});
    const { page, look, quiet } = await suite.open('health');
    await page.getByRole('img', { name: /\d+ calls, at most \d+ in one hour/ }).waitFor();
    await page.getByRole('cell', { name: 'projects_index_status' }).first().waitFor();
    await page.getByRole('button', { name: 'Last 30 days' }).click();
    await page.getByRole('img', { name: /in one day/ }).waitFor();
    assert.equal(new URL(page.url()).searchParams.get('span'), 'day');
    await page.getByRole('heading', { name: 'Calls' }).scrollIntoViewIfNeeded();
    await look('health-usage');
    quiet();
  });

  it('says in place that something cannot be read, and whom the counts are for', async () => {
    const { page, look } = await suite.open('');
    await page.getByRole('heading', { level: 1, name: 'Garden' }).waitFor();
    await page.route('**/v1/usage?**', (route) =>
      route.fulfill({
        status: 503,
        json: {
          success: false,
          data: null,
          error: { code: 'UNAVAILABLE', message: 'The database is away.' },
        },
      }),
    );
    await page.route('**/ready', (route) => route.fulfill({ status: 502, body: '<h1>Bad gateway</h1>' }));
    await page.keyboard.press('g');
    await page.keyboard.press('e');
    await page.getByText('The database is away.').waitFor();
    await page.getByText('The service gave no reason.').waitFor();
    await look('health-failed');
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Try again' }).last().click();
    await page.getByRole('img', { name: /in one hour/ }).waitFor();
    await page.route('**/v1/workspaces?**', async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as { items: { role: string }[] };
      for (const item of body.items) item.role = 'viewer';
      await route.fulfill({ response, json: body });
    });
    await page.reload();
    await page.getByText('For admins of the workspace').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0);
  });
});
