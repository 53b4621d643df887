import assert from 'node:assert/strict';
import { freshDatabase, type TestDatabase } from '@service-mcp/core/testing';
import { startService, type ServiceProcess } from '../../service-process.js';
import { dashboardPage } from '../support/dashboard-page.js';
import { borrowBrowser, type BorrowedBrowser } from '../support/browser.js';

describe('dashboard: a read-only deployment', () => {
  let borrowed: BorrowedBrowser;
  let database: TestDatabase;
  let service: ServiceProcess;
  before(async () => {
    borrowed = await borrowBrowser();
    database = await freshDatabase('sqlite');
  });
  after(async () => {
    await borrowed?.giveBack();
    await service?.end();
    await database?.drop();
  });

  it('says on every page that nothing can be changed, and offers nothing that would', async () => {
    service = await startService(database.dataDir, { SERVICE_READ_ONLY: 'true' });
    const context = await borrowed.browser.newContext();
    const { page, look, quiet } = await dashboardPage(context);
    await page.goto(`${service.url}/app/`);
    await page.getByText('You are in no workspace yet').waitFor();
    await look('read-only-empty');
    quiet();
    await page.goto('about:blank'); // it would complain that the service is away
    await service.end();

    service = await startService(database.dataDir);
    const { id: workspace_id } = await service.call<{ id: string }>('workspaces_create', { name: 'Garden' });
    await service.call('projects_create', { workspace_id, name: 'Greenhouse' });
    const copy = {
      workspace_id,
      event_type: 'note',
      title: 'Frost',
      content: 'Two degrees below zero at dawn.',
    };
    for (let i = 0; i < 2; i++) await service.call('memory_create_event', copy);
    await service.end();

    service = await startService(database.dataDir, { SERVICE_READ_ONLY: 'true' });
    await page.goto(`${service.url}/app/views/workspaces/projects`);
    await page.getByText('This service is read-only').waitFor();
    await page.getByRole('cell', { name: 'Greenhouse' }).waitFor();
    assert.equal(await page.locator('main').getByRole('button').count(), 0);
    // A single owner has nobody to invite, and no keys.
    const links = await page.getByRole('navigation', { name: 'Pages' }).getByRole('link').allTextContents();
    assert.deepEqual(
      links
        .filter((name) => /projects|members|invitations|keys|accounts|audit/i.test(name))
        .map((name) => name.trim()),
      ['Projects'],
    );
    await look('read-only');

    await page.goto(`${service.url}/app/memory?tab=clean-up`);
    const duplicates = page.getByRole('region', { name: 'They say the same' });
    await duplicates.getByRole('button', { name: 'Open' }).nth(1).waitFor();
    assert.equal(await page.getByRole('button', { name: /Keep|Delete|Remember/ }).count(), 0);
    await look('read-only-clean-up');
    quiet();
  });
});
