import assert from 'node:assert/strict';
import { hostedDashboard, type Person } from '../support/hosted-dashboard.js';

describe('dashboard: a workspace that somebody loses, or never had', () => {
  const suite = hostedDashboard();
  let ann: Person;
  let bob: Person;
  let gardenId = '';
  let shedId = '';
  const join = async (workspace_id: string) => {
    await ann.call('members_add', { workspace_id, email: bob.email, role: 'member' });
    const { items } = await bob.call<{ items: [{ id: string }] }>('members_list_invitations', {});
    await bob.call('members_accept', { membership_id: items[0].id });
  };
  before(async () => {
    ann = await suite.register('Ann');
    bob = await suite.register('Bob');
    ({ id: gardenId } = await ann.call<{ id: string }>('workspaces_create', { name: 'Garden' }));
    ({ id: shedId } = await bob.call<{ id: string }>('workspaces_create', { name: 'Shed' }));
  });

  it('never stores in another workspace what was typed for the one that was lost', async () => {
    await join(gardenId);
    const { page, look, quiet } = await suite.open(bob, `memory?workspace=${gardenId}`);
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Remember something' }).first().click();
    await page.getByRole('textbox', { name: 'Title' }).fill('Salary of Cid');
    const { items } = await ann.call<{ items: { user_id: string; email: string }[] }>('members_list', {
      workspace_id: gardenId,
    });
    const user_id = items.find(({ email }) => email === bob.email)?.user_id;
    await ann.call('members_remove', { workspace_id: gardenId, user_id });

    await page.getByText('You cannot see the workspace that this page was about').waitFor();
    assert.equal(await page.getByRole('textbox', { name: 'Title' }).count(), 0);
    await look('workspace-lost');
    await page.getByRole('button', { name: 'Remember something' }).first().click();
    assert.equal(await page.getByRole('textbox', { name: 'Title' }).inputValue(), '');
    quiet(404); // pages about what is lost ask once more
  });

  it('says that an address is about a workspace that its reader does not see', async () => {
    const { page, quiet } = await suite.open(bob, `memory?workspace=${gardenId}&form=new`);
    await page.getByText('You cannot see the workspace that this page was about').waitFor();
    assert.equal(new URL(page.url()).search, `?workspace=${shedId}`);
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await page
      .getByText('You cannot see the workspace that this page was about')
      .waitFor({ state: 'detached' });
    quiet();
  });

  it('shows an invitation to somebody who waits for it', async () => {
    const cid = await suite.register('Cid');
    const { page } = await suite.open(cid, '');
    await page.getByRole('heading', { name: 'Create your first workspace' }).waitFor();
    await ann.call('members_add', { workspace_id: gardenId, email: cid.email, role: 'viewer' });
    await page.getByRole('button', { name: 'Accept' }).click({ timeout: 30_000 });
    await page.getByRole('heading', { level: 1, name: 'Garden' }).waitFor();
  });

  it('tells somebody without a workspace whose address it is, and opens it when they are in', async () => {
    const eve = await suite.register('Eve');
    const { page, look, quiet } = await suite.open(eve, `memory?workspace=${gardenId}&tab=decisions`);
    await page.getByRole('heading', { name: 'You are not a member of this workspace' }).waitFor();
    await page.getByText('Ask whoever sent you here to invite this account').waitFor();
    await look('workspace-of-others');
    await ann.call('members_add', { workspace_id: gardenId, email: eve.email, role: 'viewer' });
    await page.getByRole('button', { name: 'Accept' }).waitFor({ timeout: 30_000 });
    assert.equal(await page.getByText('Ask whoever sent you here').count(), 0, 'they have been invited');
    await page.getByRole('button', { name: 'Accept' }).click();
    await page.getByRole('tab', { name: 'Decisions', selected: true }).waitFor();
    assert.equal(new URL(page.url()).searchParams.get('workspace'), gardenId);
    quiet();
  });

  it('names the only workspace of a person, for readers who have several', async () => {
    const fay = await suite.register('Fay');
    const { id } = await fay.call<{ id: string }>('workspaces_create', { name: 'Pond' });
    await fay.call('memory_create_event', {
      workspace_id: id,
      event_type: 'note',
      title: 'Frogs came back',
      content: 'They are in the reeds since the first warm night.',
    });
    await fay.call('members_add', { workspace_id: id, email: ann.email, role: 'viewer' });
    const { items } = await ann.call<{ items: [{ id: string }] }>('members_list_invitations', {});
    await ann.call('members_accept', { membership_id: items[0].id });

    const sender = await suite.open(fay, 'memory');
    await sender.page.getByRole('button', { name: 'Frogs came back' }).click();
    await sender.page.getByRole('complementary').getByText('in the reeds').waitFor();
    const { pathname, search } = new URL(sender.page.url());

    const reader = await suite.open(ann, `?workspace=${gardenId}`);
    await reader.page.getByRole('heading', { level: 1, name: 'Garden' }).waitFor();
    await reader.page.goto(`${suite.url}${pathname}${search}`);
    await reader.page.getByRole('complementary').getByText('in the reeds').waitFor();
    sender.quiet();
    reader.quiet();
  });

  it('opens one that comes after a hundred others', async () => {
    const dan = await suite.register('Dan');
    for (let at = 0; at <= 100; at += 1) await dan.call('workspaces_create', { name: `Bed ${at}` });
    const { items } = await dan.call<{ items: [{ id: string; name: string }] }>('workspaces_list', {
      page: 2,
      per_page: 100,
    });
    const { page, quiet } = await suite.open(dan, `memory?workspace=${items[0].id}`);
    await page.getByRole('combobox', { name: 'Workspace' }).waitFor();
    assert.equal(await page.getByRole('combobox', { name: 'Workspace' }).inputValue(), items[0].id);
    assert.equal(await page.getByText('You cannot see the workspace').count(), 0);
    quiet();
  });
});
