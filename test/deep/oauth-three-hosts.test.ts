import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';
import { freshDatabase, type TestDatabase } from '@service-mcp/core/testing';
import { REDIRECT, startPlace, type Place } from '../oauth/support/oauth-deployment.js';
import { watchedPage } from './support/watched-page.js';

const CHROMIUM = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium-headless-shell';

describe('three hosts over TLS in a browser', () => {
  let database: TestDatabase;
  let place: Place;
  let browser: Browser;
  before(async () => {
    assert.ok(existsSync(CHROMIUM), 'needs Chromium: install it, or set CHROMIUM_PATH');
    database = await freshDatabase('sqlite');
    place = await startPlace(database, 'three hosts behind a proxy');
    const names = `MAP *.memory.test 127.0.0.1:${place.proxyPort}`;
    browser = await chromium.launch({
      executablePath: CHROMIUM,
      args: ['--no-sandbox', `--host-resolver-rules=${names}`],
    });
  });
  after(async () => {
    await browser?.close();
    await place?.stop();
    await database?.drop();
  });

  it('lead from sign-in and consent back to the application, with cookies of one host', async () => {
    const person = await place.person('ann');
    const registered = await place.fetch(`${place.at.base}/api/v1/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ client_name: 'Notes', redirect_uris: [REDIRECT] }),
    });
    const { client_id } = (await registered.json()) as { client_id: string };
    const authorization = new URL(`${place.at.web}/oauth/authorize`);
    authorization.search = new URLSearchParams({
      response_type: 'code',
      client_id,
      redirect_uri: REDIRECT,
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    }).toString();

    const context = await browser.newContext({ ignoreHTTPSErrors: true });
    const { page, look, quiet } = await watchedPage(context, [place.at.web], 'three-hosts');
    await page.goto(authorization.href);
    await look('three-hosts-sign-in', 'Sign in');
    await page.getByLabel('E-mail address').fill(person.email);
    await page.getByLabel('Password').fill(person.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await look('three-hosts-consent', 'Allow Notes?');
    const cookies = await context.cookies();
    assert.ok(cookies.length > 0);
    for (const { name, domain, secure, httpOnly, sameSite } of cookies)
      assert.deepEqual([domain, secure, httpOnly, sameSite], ['app.memory.test', true, true, 'Lax'], name);
    assert.ok(cookies.some(({ name }) => name === '__Host-service_session'));
    quiet(); // from here on the browser goes where nobody listens

    const back = page.waitForRequest((request) => request.url().startsWith(REDIRECT));
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    const { searchParams } = new URL((await back).url());
    assert.ok(searchParams.get('code'));
    assert.equal(searchParams.get('iss'), place.at.base);
    await context.close();
  });
});
