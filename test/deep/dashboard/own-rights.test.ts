import assert from 'node:assert/strict';
import { hostedDashboard, type Person } from '../support/hosted-dashboard.js';

const WARNING = /These are your own rights/;

describe('dashboard: rights that people take from themselves', () => {
  const suite = hostedDashboard();
  let owner: Person;
  let admin: Person;
  before(async () => {
    owner = await suite.administrator();
    admin = await suite.register('Ann');
    const { id: workspace_id } = await owner.call<{ id: string }>('workspaces_create', { name: 'Garden' });
    await owner.call('members_add', { workspace_id, email: admin.email, role: 'admin' });
    const { items } = await admin.call<{ items: [{ id: string }] }>('members_list_invitations', {});
    await admin.call('members_accept', { membership_id: items[0].id });
  });

  it('warns who changes the own role or leaves, and only them', async () => {
    const { page, look, quiet } = await suite.open(owner, 'views/workspaces/members');
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Change role: Ann' }).click();
    await dialog.getByLabel('Role').waitFor();
    assert.equal(await dialog.getByText(WARNING).count(), 0, 'it is the role of somebody else');
    await page.keyboard.press('Escape');
    const own = page.getByRole('row').filter({ hasText: owner.email });
    await own.getByRole('button', { name: 'Change role' }).click();
    await dialog.getByText('What you give up, only another owner can give back to you.').waitFor();
    await look('own-role');
    await page.keyboard.press('Escape');
    await own.getByRole('button', { name: 'Leave' }).click();
    await dialog.getByText(WARNING).waitFor();
    await dialog.getByRole('button', { name: 'Leave' }).click();
    const alert = dialog.getByRole('alert');
    await alert.getByText('This is the last owner of the workspace').waitFor();
    await alert.getByText('Make another member owner with “Change role” first').waitFor();
    await page.keyboard.press('Escape');

    const { page: theirs } = await suite.open(admin, 'views/workspaces/members');
    await theirs.getByRole('button', { name: 'Change role: Ann' }).click();
    await theirs.getByText('only another admin or an owner can give back to you').waitFor();
    quiet(409);
  });

  it('lets a viewer leave, and nothing else', async () => {
    const viewer = await suite.register('Vic');
    const { items } = await owner.call<{ items: { id: string; name: string }[] }>('workspaces_list', {});
    const workspace_id = items.find(({ name }) => name === 'Garden')?.id ?? '';
    await owner.call('members_add', { workspace_id, email: viewer.email, role: 'viewer' });
    const invited = await viewer.call<{ items: [{ id: string }] }>('members_list_invitations', {});
    await viewer.call('members_accept', { membership_id: invited.items[0].id });
    const { page, look, quiet } = await suite.open(viewer, 'views/workspaces/members');
    const own = page.getByRole('row').filter({ hasText: viewer.email });
    await own.getByRole('button', { name: 'Leave: Vic' }).click();
    assert.equal(await page.getByRole('button', { name: /^(Change role|Remove|Withdraw)/ }).count(), 0);
    const dialog = page.getByRole('dialog');
    await dialog.getByText('only an owner or admin can give back to you').waitFor();
    await dialog.getByRole('button', { name: 'Leave' }).click();
    await page.getByText('You are not in a workspace any longer').waitFor();
    const left = await viewer.call<{ items: { name: string }[] }>('workspaces_list', {});
    assert.ok(!left.items.some(({ name }) => name === 'Garden'));
    await look('left');
    quiet(404); // the list is asked for once more
  });

  it('warns administrators who change their own account', async () => {
    const { page, look, quiet } = await suite.open(owner, 'views/auth/accounts');
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: `Change: ${owner.email}` }).click();
    await dialog.getByText('only another administrator can give back to you').waitFor();
    const administrator = dialog.getByLabel('Administrator');
    assert.deepEqual(await administrator.getByRole('option').allInnerTexts(), ['Yes', 'No']);
    await look('own-account');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: `Change: ${admin.email}` }).click();
    await dialog.getByLabel('Disabled').waitFor();
    assert.equal(await dialog.getByText(WARNING).count(), 0, 'it is the account of somebody else');
    quiet();
  });
});
