import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium, type Browser, type Page } from 'playwright-core';
import { freshDatabase, type TestDatabase } from '@service-mcp/core/testing';
import { PASSWORD } from '../oauth/support/oauth-deployment.js';
import { prepareServing, type ServeProcess, type Serving } from '../oauth/support/serve-process.js';
import { focused, watchedPage } from './support/watched-page.js';

const CHROMIUM = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium-headless-shell';
const CLIENT = 'Notes & <Tasks>';
/** A verifier and its challenge; RFC 7636, appendix B. */
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

const NARROW = { name: 'narrow', width: 375, height: 740 };
const WIDE = { name: 'wide', width: 1280, height: 900 };
/** Every pair of scripts, colours and width. */
const LOOKS = [
  { scripts: true, colours: 'light', window: NARROW },
  { scripts: true, colours: 'dark', window: WIDE },
  { scripts: false, colours: 'light', window: WIDE },
  { scripts: false, colours: 'dark', window: NARROW },
] as const;

describe('pages of accounts in a browser', () => {
  let database: TestDatabase;
  let serving: Serving;
  let service: ServeProcess;
  let application: Server;
  let browser: Browser;
  let clientId: string;
  before(async () => {
    assert.ok(existsSync(CHROMIUM), 'needs Chromium: install it, or set CHROMIUM_PATH');
    database = await freshDatabase('sqlite');
    serving = await prepareServing(database);
    service = await serving.start();
    application = createServer((_req, res) =>
      res.setHeader('content-type', 'text/html').end('<link rel="icon" href="data:,"><h1>Back</h1>'),
    );
    await new Promise<void>((resolve) => application.listen(0, '127.0.0.1', resolve));
    clientId = (await post('register', { client_name: CLIENT, redirect_uris: [callback()] })).client_id;
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  });
  after(async () => {
    await browser?.close();
    application?.close();
    await service?.stop();
    await database?.drop();
  });

  const callback = () => `http://127.0.0.1:${(application.address() as AddressInfo).port}/callback`;
  async function post(endpoint: string, body: object) {
    const response = await fetch(`${service.told.url}/api/v1/oauth/${endpoint}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    assert.ok(response.ok, `${endpoint}: ${response.status}`);
    return (await response.json()) as { client_id: string; access_token: string };
  }
  function authorizeUrl(id = clientId): string {
    const parameters = {
      response_type: 'code',
      client_id: id,
      redirect_uri: callback(),
      code_challenge: CHALLENGE,
      code_challenge_method: 'S256',
      scope: 'openid offline_access mcp:read mcp:write',
    };
    return `${service.told.url}/oauth/authorize?${new URLSearchParams(parameters).toString()}`;
  }
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
  async function fill(page: Page, values: Readonly<Record<string, string>>): Promise<void> {
    for (const [label, value] of Object.entries(values))
      await page.getByLabel(label, { exact: true }).fill(value);
  }

  for (const [i, { scripts, colours, window }] of LOOKS.entries()) {
    const label = `${scripts ? 'scripts' : 'bare'}-${colours}-${window.name}`;
    it(`work, ${scripts ? 'with' : 'without'} scripts, ${colours}, ${window.name}`, async () => {
      const { url } = service.told;
      const context = await browser.newContext({
        javaScriptEnabled: scripts,
        colorScheme: colours,
        viewport: window,
      });
      const { page, look, tabOrder, quiet } = await watchedPage(
        context,
        [url, new URL(callback()).origin],
        label,
        scripts,
      );
      const email = `ann.with-a-rather-long-name-${i}@example.com`;

      // Make an account.
      await page.goto(`${url}/oauth/account`);
      await look('sign-in', 'Sign in');
      assert.deepEqual(await tabOrder(), ['E-mail address', 'Password', 'Sign in', 'Create one']);
      await page.getByRole('link', { name: 'Create one' }).click();
      await look('register', 'Create an account');
      await fill(page, { 'E-mail address': email, Name: 'Ann Example', Password: PASSWORD });
      await fill(page, { 'Repeat the password': 'another password' });
      await press(page, 'Create account');
      await look('register-differs', 'Create an account');
      assert.equal(await page.getByLabel('E-mail address').inputValue(), email);
      assert.equal(await focused(page), 'Repeat the password');
      await fill(page, { Password: PASSWORD, 'Repeat the password': PASSWORD });
      await press(page, 'Create account');
      await look('account-new', 'Your account');
      await press(page, 'Sign out of this browser');
      await look('signed-out', 'Sign in');

      // Connect an application: a wrong password, the right one, no, yes.
      await page.goto(authorizeUrl());
      await look('connect-sign-in', 'Sign in');
      await fill(page, { 'E-mail address': email, Password: 'a wrong password' });
      await press(page, 'Sign in');
      await look('connect-wrong', 'Sign in');
      assert.equal(await page.getByLabel('Password').inputValue(), '');
      await page.getByLabel('Password').fill(PASSWORD);
      await page.keyboard.press('Enter');
      await look('consent', `Allow ${CLIENT}?`);
      const stranger = await browser.newContext();
      const elsewhere = await stranger.newPage();
      await elsewhere.goto(page.url());
      await elsewhere.getByRole('heading', { name: 'This sign-in is over' }).waitFor();
      await stranger.close();
      assert.deepEqual(await tabOrder(), ['Allow', 'Do not allow', 'Sign in as somebody else']);
      await press(page, 'Do not allow');
      await page.waitForURL(/\/callback\?/);
      assert.equal(new URL(page.url()).searchParams.get('error'), 'access_denied');
      await page.goto(authorizeUrl());
      await press(page, 'Allow');
      await page.waitForURL(/\/callback\?/);
      const tokens = await post('token', {
        grant_type: 'authorization_code',
        client_id: clientId,
        redirect_uri: callback(),
        code: new URL(page.url()).searchParams.get('code'),
        code_verifier: VERIFIER,
      });

      // Look after the account.
      const reaches = () =>
        fetch(`${url}/mcp`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${tokens.access_token}`,
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
          },
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
        });
      assert.equal((await reaches()).status, 200);
      await page.goto(`${url}/oauth/account`);
      await look('account', 'Your account');
      await press(page, `Disconnect ${CLIENT}`);
      await look('disconnected', 'Your account');
      assert.equal(await page.getByText(CLIENT).count(), 0);
      assert.equal((await reaches()).status, 401);
      await fill(page, {
        'Current password': 'a wrong password',
        'New password': `${PASSWORD} new`,
        'Repeat the password': `${PASSWORD} new`,
      });
      await press(page, 'Change password');
      await look('password-wrong', 'Your account');
      assert.equal(await focused(page), 'Current password');
      await fill(page, {
        'Current password': PASSWORD,
        'New password': `${PASSWORD} new`,
        'Repeat the password': `${PASSWORD} new`,
      });
      await press(page, 'Change password');
      await look('password-changed', 'Your account');
      await page.goto(`${url}/oauth/logout`);
      await look('sign-out', 'Sign out');
      await press(page, 'Sign out of this browser');

      // Set a password by the link that is good once.
      const { link } = await serving.command('accounts', 'reset', email, '--port', String(service.port));
      await page.goto(String(link));
      await look('set-password', 'Set a password');
      assert.deepEqual(await tabOrder(), ['New password', 'Repeat the password', 'Set password']);
      await fill(page, { 'New password': PASSWORD, 'Repeat the password': PASSWORD });
      await press(page, 'Set password');
      await page.waitForURL(/\/app\//);
      await page.goto(String(link));
      await look('link-ended', 'This link has expired');

      await page.getByRole('link', { name: 'Go to your account' }).click();
      await look('account-last', 'Your account');

      // Errors have a page like the others.
      await page.goto(authorizeUrl('unknown'));
      await look('problem', 'Something went wrong');
      quiet();
      await context.close();
    });
  }

  it('let the owner in by the link of the first run', async () => {
    const { url, first_run } = service.told;
    const context = await browser.newContext();
    const { page, look, quiet } = await watchedPage(context, [url], 'first-run');
    await page.goto(`${url}/oauth/login`);
    await page.getByText('owner@localhost, whose key the commands').waitFor();
    await look('first-sign-in', 'Sign in');
    await page.goto(first_run?.password_link ?? '');
    await look('first-run', 'Set a password');
    await page.getByText('For owner@localhost').waitFor();
    await fill(page, { 'New password': PASSWORD, 'Repeat the password': PASSWORD });
    await press(page, 'Set password');
    await page.waitForURL(/\/app\//);
    await page.goto(`${url}/oauth/account`);
    await look('first-account', 'Your account');
    await page.getByText('Administrator of this service').waitFor();
    quiet();
    await context.close();
  });
});
