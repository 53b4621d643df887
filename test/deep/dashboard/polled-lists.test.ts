import assert from 'node:assert/strict';
import { hostedDashboard, type Person } from '../support/hosted-dashboard.js';

describe('dashboard: lists that no event tells of', () => {
  const suite = hostedDashboard();
  let ann: Person;
  before(async () => {
    ann = await suite.register('Ann');
    await ann.call('workspaces_create', { name: 'Garden' });
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
