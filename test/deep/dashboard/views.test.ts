import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { holdBack } from '../support/hold-back.js';
import { hostedDashboard, type Person } from '../support/hosted-dashboard.js';

describe('dashboard: pages that plugins declare', () => {
  const suite = hostedDashboard();
  let owner: Person;
  let viewer: Person;
  let workspaceId = '';
  before(async () => {
    owner = await suite.administrator();
    viewer = await suite.register('Bob');
    ({ id: workspaceId } = await owner.call<{ id: string }>('workspaces_create', { name: 'Garden' }));
    await owner.call('members_add', { workspace_id: workspaceId, email: viewer.email, role: 'viewer' });
    const { items } = await viewer.call<{ items: [{ id: string }] }>('members_list_invitations', {});
    await viewer.call('members_accept', { membership_id: items[0].id });
  });

  it('makes, shows, changes and deletes a project', async () => {
    const { page, look, quiet } = await suite.open(owner, 'views/workspaces/projects');
    await page.getByText('There is nothing here yet').waitFor();
    await look('projects-empty');
    await page.getByRole('button', { name: 'Create a project' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Create a project' }).click();
    await dialog.getByText('Is required').waitFor();
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('name')), 'name');
    await look('projects-create');
    await dialog.getByLabel('Name').fill('   ');
    await page.keyboard.press('Enter');
    await dialog.getByText('Is required').waitFor();
    await dialog.getByLabel('Name').fill('Greenhouse');
    await dialog.getByLabel('Description').fill('Waters plants');
    await dialog.getByRole('button', { name: 'Create a project' }).click();
    await page.getByRole('cell', { name: 'Greenhouse', exact: true }).waitFor();
    // Another client makes one: its event brings it here.
    await owner.call('projects_create', { workspace_id: workspaceId, name: 'Shed' });
    await page.getByRole('cell', { name: 'Shed', exact: true }).waitFor();
    await look('projects');
    await page.getByRole('button', { name: 'Edit: Shed' }).click();
    await dialog.getByLabel('Name').fill('x'.repeat(201));
    await dialog.getByRole('button', { name: 'Edit', exact: true }).click();
    await dialog
      .getByText(/characters/)
      .last()
      .waitFor();
    assert.equal(await dialog.getByLabel('Name').inputValue(), 'x'.repeat(201));
    await dialog.getByLabel('Name').fill('Tool shed');
    await dialog.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByRole('cell', { name: 'Tool shed', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Delete: Tool shed' }).click();
    await page.getByRole('dialog', { name: 'Delete: Tool shed' }).waitFor();
    await look('projects-delete');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Delete: Tool shed' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('cell', { name: 'Tool shed', exact: true }).waitFor({ state: 'detached' });
    await page.waitForFunction(() => document.activeElement?.ariaLabel?.endsWith(': Greenhouse')); // not the page
    for (const list of ['views/workspaces/projects', 'activity']) {
      await page.goto(`${suite.url}/app/${list}?page=9`); // rows were deleted since
      await page.getByText('Nothing is left on this page').waitFor();
      await page.getByRole('button', { name: 'Show the first page' }).click();
      await page.getByText(/1 row|in all/).waitFor();
    }
    quiet(400);
  });

  it('gives the focus back when a dialog closes, and keeps a form when one clicks beside it', async () => {
    const { page, quiet } = await suite.open(owner, 'views/workspaces/projects');
    const focused = () =>
      page.evaluate(() => {
        const { ariaLabel, textContent } = document.activeElement ?? document.body;
        return ariaLabel ?? textContent;
      });
    await page.getByRole('button', { name: 'Delete: Greenhouse' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    assert.equal(await focused(), 'Delete: Greenhouse');
    await page.getByRole('button', { name: 'Create a project' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Orangery');
    await page.mouse.click(5, 5);
    assert.equal(await page.getByRole('dialog').getByLabel('Name').inputValue(), 'Orangery');
    await page.getByRole('button', { name: 'Cancel' }).focus();
    for (const key of ['/', 'g', 'h']) await page.keyboard.press(key);
    assert.equal(new URL(page.url()).pathname, '/app/views/workspaces/projects');
    await page.getByRole('button', { name: 'Cancel' }).click({ timeout: 30_000 });
    assert.equal(await focused(), 'Create a project');
    quiet();
  });

  it('makes a key that is shown once, and revokes it', async () => {
    const { page, look, quiet } = await suite.open(owner, 'views/auth/keys');
    await page.getByRole('button', { name: 'Create an API key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('CI');
    await dialog.getByLabel('Scopes').fill('search:read\nnonsense');
    await dialog.getByRole('button', { name: 'Create an API key' }).click();
    await dialog
      .getByText(/nonsense|scope/i)
      .last()
      .waitFor();
    await dialog.getByLabel('Scopes').fill('search:read\nmemory:read');
    await look('keys-create');
    await dialog.getByRole('button', { name: 'Create an API key' }).click();
    const key = (await page.getByText(/^svc_live_\w+$/).textContent()) ?? '';
    await page.getByRole('button', { name: 'Copy', exact: true }).waitFor();
    await look('keys-once');
    await page.getByRole('cell', { name: 'Garden', exact: true }).waitFor(); // where the key is valid
    const me = await fetch(`${suite.url}/v1/auth/me`, { headers: { 'x-service-api-key': key } });
    assert.equal(me.status, 200);
    const kept = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage, location.href]));
    assert.ok(!kept.includes(key), 'the key is in storage or the address');
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByText(key).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Revoke: CI' }).click();
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('button', { name: 'Revoke: CI' }).waitFor({ state: 'detached' });
    await look('keys');
    const after = await fetch(`${suite.url}/v1/auth/me`, { headers: { 'x-service-api-key': key } });
    assert.equal(after.status, 401);
    quiet(400);
  });

  it('shows a new key until it is copied, also while another one is revoked', async () => {
    await owner.call('auth_create_api_key', { name: 'Old', scopes: ['search:read'] });
    const { page, look, quiet } = await suite.open(owner, 'views/auth/keys');
    const make = await holdBack(page, '**/api/v1/auth/api-keys');
    const revoke = await holdBack(page, '**/api/v1/auth/api-keys/*');
    await page.getByRole('button', { name: 'Create an API key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('New');
    await dialog.getByRole('button', { name: 'Create an API key' }).click();
    await page.keyboard.press('Escape'); // before it is made
    await dialog.waitFor({ state: 'detached' });
    await make();
    const key = page.getByText(/^svc_live_\w+$/);
    const text = await key.textContent();
    await page.getByRole('button', { name: 'Revoke: Old' }).click();
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await dialog.getByRole('button', { name: 'Revoke', disabled: true }).waitFor();
    await page.keyboard.press('Escape'); // what fails is told in the dialog
    assert.equal(await dialog.count(), 1);
    await revoke();
    await page.getByRole('button', { name: 'Revoke: Old' }).waitFor({ state: 'detached' });
    assert.deepEqual(await key.allTextContents(), [text]);
    await page.getByRole('button', { name: 'Create an API key' }).click();
    await dialog.getByLabel('Name').fill('Newer');
    await dialog.getByRole('button', { name: 'Create an API key' }).click();
    await page.getByText('Secret key: Newer').waitFor({ timeout: 30_000 });
    await page.getByText('Secret key: New', { exact: true }).waitFor();
    assert.equal((await key.allTextContents()).at(-1), text);
    await look('keys-twice');
    await page.getByRole('button', { name: 'I have copied them' }).click();
    await key.waitFor({ state: 'detached' });
    quiet();
  });

  it('invites a person, who accepts before they have a workspace', async () => {
    const { page, look, quiet } = await suite.open(owner, 'views/workspaces/members');
    await page.getByRole('cell', { name: viewer.email, exact: true }).waitFor();
    const cid = await suite.register('Cid');
    await page.getByRole('button', { name: 'Invite a member' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Email').fill('nobody');
    await dialog.getByLabel('Role').selectOption('member');
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Invite a member' }).click();
    await dialog.getByText(/must be an e-mail address/i).waitFor();
    await dialog.getByLabel('Email').fill(cid.email);
    await dialog.getByRole('button', { name: 'Invite a member' }).click();
    await page.getByText('Pending', { exact: true }).waitFor();
    await look('members');

    const theirs = await suite.open(cid, 'views/workspaces/invitations');
    await theirs.page.getByText('You are invited').waitFor();
    await theirs.look('first-invitation');
    await theirs.page.getByRole('button', { name: 'Accept' }).click();
    await theirs.page.getByText('There is nothing here yet').waitFor();
    await page.getByText('Pending', { exact: true }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: `Change role: Cid` }).click();
    await dialog.getByLabel('Role').selectOption('admin');
    await dialog.getByRole('button', { name: 'Change role' }).click();
    await page.locator('td').getByText('Admin', { exact: true }).waitFor();

    await theirs.page.goto(`${suite.url}/app/views/workspaces/members`);
    await theirs.page.getByRole('button', { name: 'Leave: Cid' }).waitFor();
    await theirs.page.getByRole('cell', { name: owner.email, exact: true }).waitFor();
    const onOwner = theirs.page.getByRole('row').filter({ hasText: owner.email }).getByRole('button');
    assert.equal(await onOwner.count(), 0, 'an admin has no buttons on the row of the owner');

    await page.getByRole('button', { name: 'Remove: Cid' }).click();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Remove: Cid' }).waitFor({ state: 'detached' });
    await theirs.page.goto(`${suite.url}/app/`);
    await theirs.page.getByRole('heading', { name: 'You are not in a workspace any longer' }).waitFor();
    await theirs.look('no-workspace-left');
    quiet(400);
    theirs.quiet(404); // of the members, where the page reads them before it knows of the removal
  });

  it('shows accounts, logins, applications, invitations and the audit log', async () => {
    const { page, look, quiet } = await suite.open(owner, 'views/auth/accounts');
    await page.getByRole('cell', { name: viewer.email, exact: true }).waitFor();
    await look('accounts');
    const go = async (name: string) => {
      await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true }).click();
      await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
    };
    await go('Logins');
    await page.getByRole('cell', { name: 'Yes', exact: true }).waitFor();
    await look('logins');
    await go('Connected applications');
    await page.getByText('There is nothing here yet').waitFor();
    await go('Invitations');
    await page.getByRole('button', { name: 'Invite a person' }).click();
    await page.getByRole('dialog').getByLabel('Email').fill('dan@example.com');
    await look('invitations-create');
    await page.getByRole('dialog').getByRole('button', { name: 'Invite a person' }).click();
    await page.getByText('Copy them now').waitFor();
    await look('invitations-once');
    await go('Audit log');
    await page.getByText('auth_invite', { exact: true }).first().waitFor();
    await look('audit');
    await page.getByText('Filter').click();
    await page.getByLabel('Action').fill('projects_delete');
    await page.keyboard.press('Enter');
    await page.getByText('auth_invite', { exact: true }).first().waitFor({ state: 'detached' });
    assert.equal(new URL(page.url()).searchParams.get('action'), 'projects_delete');
    await page.reload();
    await page.getByRole('cell', { name: 'projects_delete', exact: true }).waitFor();
    await look('audit-filter');
    quiet();
  });

  it('deletes an account, with workspaces of its own only where that is wanted', async () => {
    const gone = await suite.register('Gone');
    await gone.call('workspaces_create', { name: 'Diary' });
    const { page, look, quiet } = await suite.open(owner, 'views/auth/accounts');
    await page.getByRole('button', { name: `Delete: ${gone.email}` }).click();
    const dialog = page.getByRole('dialog');
    await look('account-delete');
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await dialog.getByText('only member of "Diary"').waitFor();
    await look('account-delete-refused');
    await dialog.getByLabel('Delete workspaces').selectOption('Yes');
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('cell', { name: gone.email, exact: true }).waitFor({ state: 'detached' });
    quiet(409);
  });

  it('makes no link and no state of a name that somebody chose', async () => {
    const { email } = await suite.register('https://evil.example/sign-in');
    for (const name of ['failed', 'constructor']) await suite.register(name);
    const { page } = await suite.open(owner, 'views/auth/accounts');
    await page.getByRole('cell', { name: email, exact: true }).waitFor();
    await page.getByRole('cell', { name: 'https://evil.example/sign-in', exact: true }).waitFor();
    assert.equal(await page.locator('a[href*="evil.example"]').count(), 0);
    for (const name of ['failed', 'constructor'])
      await page.getByRole('cell', { name, exact: true }).waitFor({ timeout: 30_000 });
    assert.equal(await page.locator('td .badge').count(), 0);
  });

  it('shows a viewer what they may see, and says in place what they may not', async () => {
    const { page, look, quiet } = await suite.open(viewer, 'views/workspaces/projects');
    await page.getByRole('cell', { name: 'Greenhouse', exact: true }).waitFor();
    assert.equal(await buttonsIn(page), 0);
    await look('viewer-projects');
    await page.goto(`${suite.url}/app/views/auth/audit`);
    await page.getByRole('alert').waitFor();
    await look('viewer-audit');
    const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
    const pictures = new Set<string | null>();
    for (const name of ['API keys', 'Projects', 'Members', 'Logins'])
      pictures.add(await links.filter({ hasText: name }).locator('path').getAttribute('d'));
    assert.equal(pictures.size, 4, 'pages of plugins have icons of their own');
    assert.equal(await links.filter({ hasText: 'Accounts' }).count(), 0, 'it is for administrators');
    await page.goto(`${suite.url}/app/views/auth/accounts`);
    const refusal = 'This is for administrators of the deployment. Ask one of them.';
    assert.equal(await page.getByRole('alert').innerText(), `${refusal}\n\nTry again`);
    const { page: theirs } = await suite.open(owner, 'views/auth/accounts');
    await theirs.getByRole('cell', { name: viewer.email, exact: true }).waitFor();
    await theirs.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Accounts' }).waitFor();
    await page.goto(`${suite.url}/app/views/workspaces/nothing`);
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    quiet(403);
  });
});

/** Buttons of the page itself. */
const buttonsIn = (page: Page) => page.locator('main').getByRole('button').count();
