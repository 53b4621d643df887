import { freshDatabase, type TestDatabase } from '@service-mcp/core/testing';
import { PASSWORD } from '../../oauth/support/oauth-deployment.js';
import { prepareServing, type ServeProcess } from '../../oauth/support/serve-process.js';
import { dashboardPage } from '../support/dashboard-page.js';
import { borrowBrowser, type BorrowedBrowser } from '../support/browser.js';

describe('dashboard: activity with accounts', () => {
  let borrowed: BorrowedBrowser;
  let database: TestDatabase;
  let service: ServeProcess;
  before(async () => {
    borrowed = await borrowBrowser();
    database = await freshDatabase('sqlite');
    service = await (await prepareServing(database)).start();
  });
  after(async () => {
    await borrowed?.giveBack();
    await service?.stop();
    await database?.drop();
  });

  it('names who changed what, live and from the audit log', async () => {
    const { url } = service.told;
    const context = await borrowed.browser.newContext();
    const { page, look, quiet } = await dashboardPage(context);
    await page.goto(`${url}/oauth/register`);
    await page.getByLabel('E-mail address').fill('ann@example.com');
    await page.getByLabel('Name').fill('Ann');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByLabel('Repeat the password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    const first = page.getByRole('heading', { name: 'Create your first workspace' });
    const heading = page.getByText('Nothing is indexed yet');
    await first.or(heading).waitFor();
    if (await first.isVisible()) {
      await page.getByLabel('Name').fill('Garden');
      await page.keyboard.press('Enter');
    }
    await heading.waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('a');
    await page.getByText('Live', { exact: true }).first().waitFor();
    await page.evaluate(async () => {
      const post = async (path: string, body: object) => {
        const headers = { 'content-type': 'application/json' };
        const response = await fetch(`/api/v1/${path}`, {
          method: 'POST',
          headers,
          body: JSON.stringify(body),
        });
        if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
        const { data } = (await response.json()) as { data: { id: string } };
        return data.id;
      };
      await post('projects', { name: 'Greenhouse' });
      await post('memory/events', {
        event_type: 'note',
        title: 'Prune in March',
        content: 'Before it buds.',
      });
      const sowing = { event_type: 'note', title: 'Sow beans in May', content: 'The soil is warm by then.' };
      await post('memory/events', sowing);
      await post('ai/plan/generate', { requirements: 'Sow beans in May' });
      const fact = { node_type: 'fact', title: 'The frost ends in May', content: 'After the Ice Saints.' };
      const id = await post('memory/nodes', fact);
      await post(`memory/nodes/${id}/status`, { status: 'verified', reason: 'Twenty years of notes.' });
    });
    const events = page.getByRole('region', { name: 'Live events' });
    await events.getByText('Ann stored Prune in March').waitFor();
    await events.getByText('Ann changed The frost ends in May').waitFor();
    await page.locator('.stack').getByText('Ann created a project').waitFor();
    await page.locator('.stack').getByText('Ann made a plan').waitFor();
    await page.locator('.stack').getByText('Ann stored a memory event, 2 times').waitFor();
    await page.locator('.stack').getByText('Ann verified or disputed knowledge').waitFor();
    await look('activity-accounts');
    quiet();
    await context.close();
  });
});
