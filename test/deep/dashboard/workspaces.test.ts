import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { dashboardSuite } from '../support/dashboard-suite.js';
import { dashboardPage } from '../support/dashboard-page.js';

describe('dashboard: several workspaces', () => {
  const suite = dashboardSuite();
  let shedId = '';
  before(async () => {
    ({ id: shedId } = await suite.service.call<{ id: string }>('workspaces_create', { name: 'Shed' }));
    for (const [workspace_id, name] of [
      [suite.workspaceId, 'Roses'],
      [shedId, 'Rakes'],
    ])
      await suite.service.call('projects_create', { workspace_id, name });
  });

  it('keeps a tab at its workspace while another tab goes to another one', async () => {
    const { page, context, quiet } = await suite.open(
      `views/workspaces/projects?workspace=${suite.workspaceId}`,
    );
    await page.getByRole('cell', { name: 'Roses', exact: true }).waitFor();
    const other = await dashboardPage(context);
    await other.page.goto(`${suite.service.url}/app/`);
    await other.page.getByRole('heading', { level: 1, name: 'Garden' }).waitFor();
    await picker(other.page).selectOption('Shed');
    await other.page.getByRole('heading', { level: 1, name: 'Shed' }).waitFor();

    await page.getByRole('link', { name: 'Home' }).click();
    await page.getByRole('heading', { level: 1, name: 'Garden' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Garden' }).waitFor();

    await other.page.goBack();
    await other.page.getByRole('heading', { level: 1, name: 'Garden' }).waitFor();
    quiet();
    other.quiet();
  });

  it('names the workspace in the address, so that others who open it see the same', async () => {
    const { page } = await suite.open(`?workspace=${shedId}`);
    await page.getByRole('link', { name: 'Projects' }).click();
    await page.getByRole('cell', { name: 'Rakes', exact: true }).waitFor();
    assert.equal(new URL(page.url()).searchParams.get('workspace'), shedId);
    const colleague = await suite.open(`?workspace=${suite.workspaceId}`);
    await colleague.page.getByRole('heading', { level: 1, name: 'Garden' }).waitFor();
    await colleague.page.goto(page.url());
    await colleague.page.getByRole('cell', { name: 'Rakes', exact: true }).waitFor();
    colleague.quiet();
  });

  it('names the workspace in the command that brings in a folder', async () => {
    const { page, quiet } = await suite.open(`search?workspace=${shedId}&q=rake`);
    await page.getByText(`service-mcp ingest . --url ${suite.service.url} --workspace ${shedId}`).waitFor();
    quiet();
  });

  it('exports a workspace as the file of the command line', async () => {
    const { page, quiet } = await suite.open(`?workspace=${shedId}`);
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export everything' }).click();
    const saved = await saving;
    assert.equal(saved.suggestedFilename(), 'Shed.ndjson');
    const records = (await readFile(await saved.path(), 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { record: string; name?: string; records?: number });
    assert.ok(records.some(({ record, name }) => record === 'project' && name === 'Rakes'));
    assert.deepEqual(records.at(-1), { record: 'end', records: records.length - 1 });
    quiet();
  });

  it('works in a browser that stores nothing', async () => {
    const { page, quiet } = await suite.open(`?workspace=${suite.workspaceId}`);
    await page.getByRole('heading', { level: 1, name: 'Garden' }).waitFor();
    await page.addInitScript(() => {
      for (const name of ['localStorage', 'sessionStorage'])
        Object.defineProperty(window, name, {
          get() {
            throw new DOMException('Access is denied for this document.', 'SecurityError');
          },
        });
    });
    await page.reload();
    await page.getByRole('button', { name: 'Theme: system' }).click({ timeout: 30_000 });
    await page.getByRole('button', { name: 'Theme: light' }).waitFor();
    await picker(page).selectOption('Shed');
    await page.getByRole('heading', { level: 1, name: 'Shed' }).waitFor();
    await page.getByRole('link', { name: 'Memory', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Memory' }).waitFor();
    await page.goto(`${suite.service.url}/app/explorer?tool=workspaces_list`);
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    await page.getByText(/^200 in/).waitFor();
    quiet();
  });

  it('makes, renames and deletes a workspace', async () => {
    const { page, look, quiet } = await suite.open('views/workspaces/workspaces');
    await page.getByRole('cell', { name: 'Shed', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Create a workspace' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Orangery');
    await dialog.getByRole('button', { name: 'Create a workspace' }).click();
    await page.getByRole('button', { name: 'Edit: Orangery' }).click();
    await dialog.getByLabel('Name').fill('Winter garden');
    await dialog.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByRole('cell', { name: 'Winter garden', exact: true }).waitFor();
    await look('workspaces');
    await picker(page).selectOption('Winter garden');
    await page.getByRole('button', { name: 'Delete: Winter garden' }).click();
    await dialog.getByText('memory too').waitFor();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('cell', { name: 'Winter garden', exact: true }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Home' }).click();
    await page.getByRole('heading', { level: 1, name: /Garden|Shed/ }).waitFor();
    quiet(404); // pages about what is deleted ask once more
  });
});

const picker = (page: Page) => page.locator('.side').getByLabel('Workspace');
