import assert from 'node:assert/strict';
import { holdBack } from '../support/hold-back.js';
import { hostedDashboard, type Person } from '../support/hosted-dashboard.js';

describe('dashboard: lists that no event tells of', () => {
  const suite = hostedDashboard();
  let ann: Person;
  let workspaceId = '';
  before(async () => {
    ann = await suite.register('Ann');
    ({ id: workspaceId } = await ann.call<{ id: string }>('workspaces_create', { name: 'Garden' }));
  });

  it('shows a key that was made and revoked elsewhere', async () => {
    const { page, quiet } = await suite.open(ann, 'views/auth/keys');
    await page.getByText('There is nothing here yet').waitFor();
    const { id: key_id } = await ann.call<{ id: string }>('auth_create_api_key', { name: 'CI' });
    const revoke = page.getByRole('button', { name: 'Revoke: CI' });
    await revoke.waitFor({ timeout: 30_000 });
    await ann.call('auth_revoke_api_key', { key_id });
    await revoke.waitFor({ state: 'detached', timeout: 30_000 });
    quiet();
  });

  it('keeps the form of a row that leaves the page of the list', async () => {
    for (let at = 10; at < 35; at += 1)
      await ann.call('projects_create', { workspace_id: workspaceId, name: `P${at}` });
    const { page, quiet } = await suite.open(ann, 'views/workspaces/projects');
    await page.getByRole('button', { name: 'Edit: P34' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Description').fill('Typed for minutes');
    await ann.call('projects_create', { workspace_id: workspaceId, name: 'A' });
    await page.getByRole('cell', { name: 'A', exact: true }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Edit: P34' }).count(), 0);
    await dialog.getByRole('button', { name: 'Edit' }).click({ timeout: 30_000 });
    await dialog.waitFor({ state: 'detached' });
    await page.goto(`${suite.url}/app/views/workspaces/projects?page=2`);
    await page.getByRole('cell', { name: 'Typed for minutes', exact: true }).waitFor();
    quiet();
  });

  it('shows in the fields of a filter what the address has, for readers in any zone', async () => {
    const { page, quiet } = await suite.open(ann, 'views/auth/audit');
    await page.getByText('projects_create', { exact: true }).first().waitFor();
    await page.getByText('Filter').click();
    await page.getByLabel('Action').fill('projects_delete');
    await page.keyboard.press('Enter');
    await page.getByText('Nothing matches').waitFor();
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Audit log' }).click();
    await page.getByText('projects_create', { exact: true }).first().waitFor();
    assert.equal(await page.getByLabel('Action').inputValue(), '');
    await page.getByText('Filter').click();
    await page.getByLabel('Since').fill('2026-01-31T00:30');
    await page.getByRole('button', { name: 'Apply' }).click();
    const since = await page.evaluate(() => new Date('2026-01-31T00:30').toISOString());
    await page.waitForURL((url) => url.searchParams.get('since') === since, { timeout: 30_000 });
    await page.reload();
    assert.equal(await page.getByLabel('Since').inputValue(), '2026-01-31T00:30');
    quiet();
  });

  it('tells above the next page what came of a call that one did not wait for', async () => {
    const { page, look, quiet } = await suite.open(ann, '');
    const make = await holdBack(page, '**/api/v1/auth/api-keys');
    await page.getByRole('button', { name: 'Make a key' }).click();
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor();
    await make();
    const once = page.getByRole('region', { name: 'Shown once' });
    await once.getByText(/^svc_live_\w+$/).waitFor({ timeout: 30_000 });
    await look('late-key');
    await once.getByRole('button', { name: 'I have copied it' }).click();
    await once.waitFor({ state: 'detached' });

    const error = { code: 'RESOURCE_EXHAUSTED', message: 'There are too many keys.' };
    let refuse = () => {};
    const refused = new Promise<void>((resolve) => {
      refuse = resolve;
    });
    await page.route('**/api/v1/auth/api-keys', async (route) => {
      await refused;
      await route.fulfill({ status: 429, json: { success: false, data: null, error } });
    });
    await page.getByRole('button', { name: 'Create an API key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Refused');
    await dialog.getByRole('button', { name: 'Create an API key' }).click();
    await dialog.getByRole('button', { name: 'Create an API key', disabled: true }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    refuse();
    const alert = page.getByRole('alert');
    await alert
      .getByText('“Create an API key” failed: There are too many keys.')
      .waitFor({ timeout: 30_000 });
    await alert.getByRole('button', { name: 'Dismiss' }).click();
    await alert.waitFor({ state: 'detached' });
    quiet(429);
  });

  it('makes no key, and narrows nothing, by a date that is typed in part', async () => {
    const { page, look, quiet } = await suite.open(ann, 'views/auth/keys');
    await page.getByRole('button', { name: 'Create an API key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Half');
    await dialog.getByLabel('Expires at').focus();
    await page.keyboard.type('12312026'); // no time of day
    await dialog.getByRole('button', { name: 'Create an API key' }).click();
    await dialog.getByText('Must be a whole date and time').waitFor({ timeout: 30_000 });
    await look('keys-half-date');
    const { items } = await ann.call<{ items: { name: string }[] }>('auth_list_api_keys', {});
    assert.ok(!items.some(({ name }) => name === 'Half'));
    quiet();
  });
});
