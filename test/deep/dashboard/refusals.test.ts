import assert from 'node:assert/strict';
import { dashboardSuite } from '../support/dashboard-suite.js';

/** What a refusal advises must be true: whoever waits for a quota waits for ever. */
describe('dashboard: refusals', () => {
  const suite = dashboardSuite({ SERVICE_QUOTA_EVENTS: '1', SERVICE_QUOTA_NODES: '10' });

  it('says that waiting does not help where a quota is used up, and keeps what was typed', async () => {
    const { workspaceId: workspace_id } = suite;
    await suite.service.call('memory_create_event', {
      workspace_id,
      event_type: 'note',
      title: 'Water at dawn',
      content: 'It evaporates less.',
    });
    const { page, look, quiet } = await suite.open('memory?form=new');
    const form = page.getByRole('complementary', { name: 'Remember something' });
    await form.getByLabel('Title').fill('Mow on Fridays');
    await form.getByLabel('Content').fill('The grass is dry by then.');
    await form.getByRole('button', { name: 'Remember', exact: true }).click();
    const alert = form.getByRole('alert');
    await alert.getByText('Delete events with this page, or merge them with this page').waitFor();
    await alert.getByText('The workspace may hold 1 event and holds 1').waitFor();
    await alert.getByText('Waiting does not help. Health shows how much of each quota is used.').waitFor();
    assert.equal(await alert.getByText('Wait a moment').count(), 0);
    await look('memory-quota');
    assert.equal(await form.getByLabel('Content').inputValue(), 'The grass is dry by then.');
    quiet(429);
  });

  it('says on Home that a quota is used up, and nothing where none nearly is', async () => {
    const { page, look, quiet } = await suite.open('');
    await page.getByText('No room for more events: 1 of 1.').waitFor();
    await page.getByText('ask the operator of the service to raise the quota').waitFor();
    await look('home-full');
    await page.getByRole('link', { name: 'Show all quotas' }).click();
    await page.getByText('Full', { exact: true }).waitFor();
    const { items } = await suite.service.call<{ items: [{ id: string }] }>('memory_list_events', {});
    await suite.service.call('memory_delete_event', { event_id: items[0].id });
    await page.getByText('0 of 1', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Home', exact: true }).click();
    await page.getByText('Connect a client').waitFor();
    assert.equal(await page.getByText('No room for more').count(), 0);
    quiet();
  });

  it('says on Home that a quota is nearly used up', async () => {
    const { workspaceId: workspace_id } = suite;
    for (const title of [
      'Roses',
      'Tulips',
      'Lilies',
      'Asters',
      'Irises',
      'Peonies',
      'Violets',
      'Daisies',
      'Poppies',
    ])
      await suite.service.call('memory_create_node', {
        workspace_id,
        node_type: 'fact',
        title,
        content: `${title} need water of their own.`,
      });
    const { page, look, quiet } = await suite.open('');
    await page.getByText('Nodes are nearly used up: 9 of 10.').waitFor();
    await look('home-nearly-full');
    quiet();
  });

  it('says that the description of the deployment could not be read, and when to ask again', async () => {
    const { page, look, quiet } = await suite.open('health');
    await page.getByRole('heading', { level: 1, name: 'Health' }).waitFor();
    const error = { code: 'RATE_LIMITED', message: 'Too many calls.' };
    await page.route('**/api/v1/deployment', (route) =>
      route.fulfill({
        status: 429,
        headers: { 'retry-after': '7' },
        json: { success: false, data: null, error },
      }),
    );
    await page.goto(`${suite.service.url}/app/views/workspaces/projects`);
    const alert = page.getByRole('alert');
    await alert.getByText('Too many calls.').waitFor({ timeout: 30_000 });
    await alert.getByText('Try again in 7 seconds').waitFor();
    await look('deployment-failed');
    await page.unrouteAll();
    await alert.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor();
    assert.equal(await alert.count(), 0);
    quiet(429);
  });

  it('shows no other project on a page of a plugin in place of one that is gone', async () => {
    const project = await suite.addProject('Orchard', { 'a.md': 'Apples.\n' });
    const { page, look, quiet } = await suite.open('health');
    await page.getByRole('heading', { level: 1, name: 'Health' }).waitFor();
    await page.route('**/api/v1/deployment', async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as { data: { views: { id: string; list: string }[] } };
      const columns = ['path', 'language'];
      const list = { list: 'files_list', columns, actions: [], remove: undefined, create: undefined };
      for (const view of body.data.views) if (view.id === 'projects') Object.assign(view, list);
      await route.fulfill({ response, json: body });
    });
    await page.goto(`${suite.service.url}/app/views/workspaces/projects?project=${project}`);
    await page.getByRole('cell', { name: 'a.md', exact: true }).waitFor();
    await page.goto(`${suite.service.url}/app/views/workspaces/projects?project=${crypto.randomUUID()}`);
    await page.getByText('This project is not in this workspace').waitFor({ timeout: 30_000 });
    await look('view-other-project');
    await page.getByLabel('Project').selectOption('Orchard');
    await page.getByRole('cell', { name: 'a.md', exact: true }).waitFor();
    quiet();
  });

  it('asks for what a page of a plugin cannot list without, before it lists', async () => {
    const { page, look, quiet } = await suite.open('health');
    await page.getByRole('heading', { level: 1, name: 'Health' }).waitFor();
    await page.route('**/api/v1/deployment', async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as { data: { views: { id: string; list: string }[] } };
      const list = { list: 'memory_node_history', columns: ['version', 'reason'], actions: [] };
      const others = { remove: undefined, create: undefined };
      for (const view of body.data.views) if (view.id === 'projects') Object.assign(view, list, others);
      await route.fulfill({ response, json: body });
    });
    const { id } = await suite.service.call<{ id: string }>('memory_create_node', {
      workspace_id: suite.workspaceId,
      node_type: 'goal',
      title: 'Ripe apples',
      content: 'By autumn.',
    });
    await page.goto(`${suite.service.url}/app/views/workspaces/projects`);
    await page.getByText('Fill in above: Node').waitFor();
    await look('view-required-filter');
    await page.getByLabel('Node').selectOption(id);
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('cell', { name: '1', exact: true }).waitFor();
    quiet();
  });

  it('does not blame somebody else for a name that is taken', async () => {
    await suite.addProject('Greenhouse', { 'a.md': 'Water.\n' });
    const { page, quiet } = await suite.open('views/workspaces/projects');
    await page.getByRole('button', { name: 'Create a project' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Greenhouse');
    await page.keyboard.press('Enter');
    await dialog.getByText('The workspace has a project named "Greenhouse"').waitFor();
    assert.equal(await dialog.getByText('Somebody else changed it').count(), 0);
    quiet(409);
  });
});
