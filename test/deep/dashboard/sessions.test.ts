import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { PASSWORD } from '../../oauth/support/oauth-deployment.js';
import { hostedDashboard, type Person } from '../support/hosted-dashboard.js';

describe('dashboard: sessions that end, and people who share a browser', () => {
  const suite = hostedDashboard();
  let ann: Person;
  let bob: Person;
  let workspace_id = '';
  before(async () => {
    ann = await suite.register('Ann');
    bob = await suite.register('Bob');
    ({ id: workspace_id } = await ann.call<{ id: string }>('workspaces_create', { name: 'Garden' }));
    await ann.call('members_add', { workspace_id, email: bob.email, role: 'member' });
    const { items } = await bob.call<{ items: [{ id: string }] }>('members_list_invitations', {});
    await bob.call('members_accept', { membership_id: items[0].id });
  });
  const signOut = async (page: Page) => {
    await page.goto(`${suite.url}/oauth/account`);
    await page.getByRole('button', { name: 'Sign out of this browser' }).click();
    await page.waitForURL(/\/oauth\/login/);
  };
  const signIn = async (page: Page, { email }: Person) => {
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
  };
  const stored = (page: Page) => page.evaluate(() => JSON.stringify(sessionStorage));

  it('leads to the sign-in where the stream of events ends with the session', async () => {
    const { page, context, quiet } = await suite.open(ann, 'memory');
    await page.getByText('Live', { exact: true }).waitFor();
    await signOut(await context.newPage());
    await page.waitForURL(/\/oauth\/login\?return_to=/, { timeout: 90_000 });
    await signIn(page, ann);
    await page.getByRole('heading', { name: 'Memory' }).waitFor();
    quiet(401);
  });

  it('leaves an open form as it is where a list beside it learns that the session has ended', async () => {
    const { page, context, look, quiet } = await suite.open(ann, 'views/auth/keys');
    await page.getByRole('button', { name: 'Create an API key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Typed for minutes');
    await signOut(await context.newPage());
    await dialog.getByText('Your session has ended').waitFor({ timeout: 60_000 });
    assert.equal(await dialog.getByLabel('Name').inputValue(), 'Typed for minutes');
    await look('session-ended');
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(/\/oauth\/login\?return_to=/);
    quiet(401);
  });

  it('shows nobody what another person typed or saw in the same tab', async () => {
    const { page } = await suite.open(ann, 'memory?form=new');
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByRole('textbox', { name: 'Title' }).fill('Salary of Cid');
    await ann.call('memory_create_event', { workspace_id, event_type: 'note', title: 'Frost', content: 'x' });
    await page.getByText('Frost').first().waitFor();
    await signOut(page);
    await page.goto(`${suite.url}/app/memory?form=new`);
    await signIn(page, bob);
    await page.getByRole('heading', { name: 'Remember something' }).waitFor();
    assert.equal(await page.getByRole('textbox', { name: 'Title' }).inputValue(), '');
    assert.doesNotMatch(await stored(page), /Salary|Frost/);
  });

  it('shows nobody by the back button what was seen before the sign-out', async () => {
    await ann.call('memory_create_event', {
      workspace_id,
      event_type: 'note',
      title: 'Blight',
      content: 'x',
    });
    const { page } = await suite.open(ann, 'memory');
    await page.getByText('Blight').first().waitFor();
    await signOut(page);
    let seen = false;
    for (let steps = 0; steps < 2; steps++) {
      await page.goBack({ waitUntil: 'commit' });
      seen ||= await page.getByText('Blight').first().isVisible();
    }
    assert.equal(seen, false);
    await page.waitForURL(/\/oauth\/login\?return_to=/);
  });

  it('begins again in a tab that stayed open while another person signed in', async () => {
    const { page, context } = await suite.open(ann, 'memory?form=new');
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByRole('textbox', { name: 'Title' }).fill('Salary of Cid');
    const { page: other, context: otherContext } = await suite.open(bob, '');
    const cookies = await otherContext.cookies();
    await other.close();
    await context.addCookies(cookies);
    await ann.call('workspaces_update', { workspace_id, name: 'Orchard' }); // its event lets the page read who is signed in
    await page.getByText('Bob', { exact: true }).waitFor();
    assert.equal(await page.getByRole('textbox', { name: 'Title' }).inputValue(), '');
    assert.doesNotMatch(await stored(page), /Salary/);
  });

  it('says that the dashboard failed where its frame did, and leads back', async () => {
    const { page, look } = await suite.open(ann, 'memory');
    await page.getByRole('heading', { name: 'Memory' }).waitFor();
    const broken = '**/v1/workspaces?**';
    await page.route(broken, (route) => route.fulfill({ json: { success: true, data: { items: null } } }));
    await page.reload();
    await page.getByText('The dashboard could not be shown').waitFor();
    await look('dashboard-failed');
    await page.unroute(broken);
    await page.getByRole('link', { name: 'Go to Home' }).click();
    await page.getByRole('heading', { level: 1 }).waitFor();
    assert.equal(new URL(page.url()).pathname, '/app/');
  });
});
