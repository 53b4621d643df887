import assert from 'node:assert/strict';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { freshDatabase, type TestDatabase } from '@service-mcp/core/testing';
import { prepareServing, type ServeProcess } from '../oauth/support/serve-process.js';
import { PASSWORD } from '../oauth/support/oauth-deployment.js';
import { startService, type ServiceProcess } from '../service-process.js';
import { dashboardPage } from './support/dashboard-page.js';
import { borrowBrowser, type BorrowedBrowser } from './support/browser.js';

const FILE = 'export function greet(name: string): string {\n  return `Hello, ${name}`;\n}\n';

describe('the dashboard in a browser', () => {
  let borrowed: BorrowedBrowser;
  before(async () => {
    borrowed = await borrowBrowser();
  });
  after(() => borrowed?.giveBack());

  describe('of a single owner', () => {
    let database: TestDatabase;
    let service: ServiceProcess;
    before(async () => {
      database = await freshDatabase('sqlite');
      service = await startService(database.dataDir);
    });
    after(async () => {
      await service?.end();
      await database?.drop();
    });

    it('starts with a workspace, and shows by one stream in two tabs what happens', async () => {
      const context = await borrowed.browser.newContext();
      const streams: string[] = [];
      context.on('request', (sent) => {
        if (sent.url().endsWith('/api/v1/stream')) streams.push(sent.url());
      });
      const { page, look, quiet } = await dashboardPage(context);
      await page.goto(`${service.url}/app/`);
      await page.getByRole('heading', { name: 'Create your first workspace' }).waitFor();
      await look('first-workspace');
      await page.getByLabel('Name').fill('Garden');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'Garden' }).waitFor();
      await page.getByText('Nothing is indexed yet').waitFor();
      await page.getByText('service-mcp ingest . --url').waitFor();
      await page.getByText('Nothing is stored in memory yet').waitFor();
      await look('home-empty');

      const other = await dashboardPage(context);
      await other.page.goto(`${service.url}/app/`);
      for (const tab of [page, other.page]) await tab.getByText('Live', { exact: true }).waitFor();
      assert.equal(streams.length, 1, 'one stream for both tabs');
      const [{ id: workspace_id }] = (await service.call<{ items: [{ id: string }] }>('workspaces_list', {}))
        .items;
      const { id: project_id } = await service.call<{ id: string }>('projects_create', {
        workspace_id,
        name: 'Greenhouse',
      });
      await service.call('files_ingest', { project_id, files: [{ path: 'src/greet.ts', content: FILE }] });
      const memory = {
        workspace_id,
        event_type: 'decision',
        title: 'Water at dawn',
        content: 'It evaporates less.',
      };
      await service.call('memory_create_event', memory);
      for (const tab of [page, other.page]) {
        await tab.getByText('Greenhouse').waitFor();
        await tab.getByText('1 file, indexed').waitFor();
        await tab.getByText('Water at dawn').waitFor();
      }
      await look('home');

      // The tab that reads closes: the other one takes over.
      await page.close();
      await service.call('memory_create_event', {
        ...memory,
        title: 'Prune in March',
        content: 'Before it buds.',
      });
      await other.page.getByText('Prune in March').waitFor();
      assert.equal(streams.length, 2);
      quiet();
      other.quiet();
      await context.close();
    });

    it('is used by the keyboard alone', async () => {
      const context = await borrowed.browser.newContext();
      const { page, look, quiet } = await dashboardPage(context);
      await page.goto(`${service.url}/app/nowhere`);
      await page.getByRole('heading', { name: 'Page not found' }).waitFor();
      await look('not-found');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'MAIN');
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Page, workspace' }).waitFor();
      await look('palette');
      const composed = { key: 'Enter', isComposing: true, bubbles: true, cancelable: true };
      await page.getByRole('combobox').dispatchEvent('keydown', composed); // it confirms what an input method offers
      assert.equal(await page.getByRole('combobox').count(), 1);
      await page.keyboard.type('home');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'Garden' }).waitFor();
      await page.getByRole('tab', { name: 'Claude Code' }).focus();
      await page.keyboard.press('ArrowRight');
      assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Cursor');
      await page.getByText('.cursor/mcp.json').waitFor();
      quiet();
      await context.close();
    });

    it('works below the path of a proxy, deep links included', async () => {
      const proxy = await startProxy('/team', () => service.url);
      const context = await borrowed.browser.newContext();
      const { page, quiet } = await dashboardPage(context);
      await page.goto(`${proxy.url}/team/app/some/where`);
      await page.getByRole('heading', { name: 'Page not found' }).waitFor();
      await page.getByRole('link', { name: 'Go home' }).click();
      await page.getByRole('heading', { level: 1, name: 'Garden' }).waitFor();
      assert.equal(new URL(page.url()).pathname, '/team/app/');
      quiet();
      await context.close();
      proxy.stop();
    });

    it('loads a page whose code did not come when the service answers again', async () => {
      const context = await borrowed.browser.newContext();
      const { page } = await dashboardPage(context);
      await page.goto(`${service.url}/app/`);
      await page.getByRole('heading', { level: 1, name: 'Garden' }).waitFor();
      let refused = 0;
      await context.route(/\/app\/assets\/(?:health|toolsets)-/, async (route) => {
        refused += 1;
        await (refused === 1 ? route.abort() : route.continue());
      });
      await page.getByRole('link', { name: 'Toolsets' }).click();
      await page.getByRole('heading', { level: 1, name: 'Toolsets' }).waitFor();
      await context.route(/\/app\/assets\/health-/, (route) => route.abort());
      await page.getByRole('link', { name: 'Health' }).click();
      await page.getByText('This page could not be shown').waitFor();
      await page.getByRole('link', { name: 'Home' }).click();
      await page.getByRole('heading', { level: 1, name: 'Garden' }).waitFor();
      await context.close();
    });

    it('goes on when the service comes back', async () => {
      const proxy = await startProxy('', () => service.url);
      const context = await borrowed.browser.newContext();
      const { page, look } = await dashboardPage(context);
      await page.goto(`${proxy.url}/app/`);
      await page.getByText('Live', { exact: true }).waitFor();
      await service.end();
      await page.getByText('The service does not answer').waitFor();
      await look('home-away');
      service = await startService(database.dataDir);
      await page.getByText('Live', { exact: true }).waitFor();
      await page.getByText('Water at dawn').waitFor();
      await context.close();
      proxy.stop();
    });
  });

  for (const engine of ['sqlite', 'postgresql'] as const) {
    it(`signs in, makes a key that works and is kept nowhere, and signs in again: ${engine}`, async () => {
      const database = await freshDatabase(engine);
      const serving = await prepareServing(database);
      const service: ServeProcess = await serving.start();
      const { url } = service.told;
      const email = 'ann@example.com';
      await post(`${url}/v1/auth/register`, {
        email,
        password: PASSWORD,
        name: 'Ann',
      });
      const context = await borrowed.browser.newContext();
      const { page, look, quiet } = await dashboardPage(context);
      await page.goto(`${url}/app/?workspace=none`);
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      const signIn = async () => {
        await page.getByLabel('E-mail address').fill(email);
        await page.getByLabel('Password').fill(PASSWORD);
        await page.keyboard.press('Enter');
      };
      await signIn();
      await page.waitForURL(`${url}/app/?workspace=none`);
      const first = page.getByRole('heading', { name: 'You are not a member of this workspace' });
      await first.or(page.getByRole('heading', { name: 'Connect a client' })).waitFor();
      if (await first.isVisible()) {
        await page.getByLabel('Name').fill('Garden');
        await page.keyboard.press('Enter');
      }
      await page.getByText('YOUR_API_KEY').waitFor();
      await page.getByRole('button', { name: 'Make a key' }).click();
      const text = await page.getByText(/svc_live_\w+/).textContent();
      const key = /svc_live_\w+/.exec(text ?? '')?.[0] ?? '';
      await look(`home-key-${engine}`);
      const me = await fetch(`${url}/v1/auth/me`, { headers: { 'x-service-api-key': key } });
      assert.equal(me.status, 200);
      const stored = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]));
      assert.ok(!`${stored} ${page.url()}`.includes(key), 'the key is in storage or the address');

      // The session ends elsewhere: the next read leads to the sign-in page, and back.
      await context.clearCookies();
      await page.reload();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await signIn();
      await page.getByText('YOUR_API_KEY').waitFor();
      quiet(401);
      await context.close();
      await service.stop();
      await database.drop();
    });
  }
});

async function post(url: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  assert.ok(response.ok, `${url}: ${response.status} ${await response.text()}`);
}

/** A reverse proxy that serves `upstream` below a path. */
async function startProxy(path: string, upstream: () => string) {
  const server = createServer((incoming, outgoing) => {
    const { method, headers, url = '' } = incoming;
    const sent = request(`${upstream()}${url.slice(path.length)}`, { method, headers });
    sent.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
      answer.on('close', () => outgoing.destroy());
    });
    sent.on('error', () => outgoing.destroy());
    outgoing.on('close', () => sent.destroy());
    incoming.pipe(sent);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // it listens by TCP
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
