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
});
