import type { Page } from 'playwright-core';
import { PASSWORD } from '../../oauth/support/oauth-deployment.js';
import { hostedDashboard, type Person } from '../support/hosted-dashboard.js';

describe('dashboard: sessions that end, and people who share a browser', function () {
  this.timeout(600_000);
  const suite = hostedDashboard();
  let ann: Person;
  before(async () => {
    ann = await suite.register('Ann');
    await ann.call('workspaces_create', { name: 'Garden' });
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

  it('leads to the sign-in where the stream of events ends with the session', async () => {
    const { page, context, quiet } = await suite.open(ann, 'memory');
    await page.getByText('Live', { exact: true }).waitFor();
    await signOut(await context.newPage());
    await page.waitForURL(/\/oauth\/login\?return_to=/, { timeout: 90_000 });
    await signIn(page, ann);
    await page.getByRole('heading', { name: 'Memory' }).waitFor();
    quiet(401);
  });
});
