import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { clientSetups } from '@service-mcp/transport-mcp/client-settings';
import { chromium, type Browser } from 'playwright-core';
import { runCommand } from '../command.js';
import { startHosted, type Hosted } from '../gateway/support/restartable-service.js';
import { PASSWORD } from '../oauth/support/oauth-deployment.js';
import { startService, type Service } from '../start-service.js';
import { AGENTS } from './agents/agents.js';
import { runnerIn } from './agents/agent.js';
import { makeHome, type Home } from './agents/home.js';

const CHROMIUM = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium-headless-shell';
const PERSON = { email: 'ann@example.com', password: PASSWORD };

/** Programs of others, with the settings that this service prints for them. They ask no model. */
describe('coding agents', function () {
  let open: Service;
  let hosted: Hosted;
  let home: Home;
  let browser: Browser;
  before(async () => {
    assert.ok(existsSync(CHROMIUM), 'needs Chromium: install it, or set CHROMIUM_PATH');
    [open, hosted] = await Promise.all([startService(), startHosted()]);
    assert.equal((await hosted.post('/v1/auth/register', PERSON)).status, 201);
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  });
  after(() => Promise.all([browser?.close(), open?.stop(), hosted?.stop()]));
  beforeEach(async () => {
    home = await makeHome(hosted.configHome, { TEAM_KEY: hosted.key });
  });
  afterEach(() => home.remove());

  const setup = async (...args: readonly string[]) => {
    const { code, stderr } = await runCommand(['setup', ...args], home);
    assert.equal(code, 0, stderr);
  };

  /** The person signs in and allows, and comes back to the program. */
  const visit = async (address: string) => {
    const page = await browser.newPage();
    await page.goto(address);
    await page.getByLabel('E-mail address').fill(PERSON.email);
    await page.getByLabel('Password').fill(PERSON.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    const [answer] = await Promise.all([
      page.waitForResponse((response) => new URL(response.url()).searchParams.has('code')),
      page.getByRole('button', { name: 'Allow', exact: true }).click(),
    ]);
    assert.ok(answer.status() < 400, `${answer.url()} answered ${answer.status()}`);
    await page.close();
  };

  for (const agent of AGENTS) {
    it(`${agent.id} connects with every entry that setup and the dashboard show`, async () => {
      const run = await runnerIn(home, agent);
      const shown = clientSetups({ mcp: `${hosted.url}/mcp`, base: hosted.url, key: hosted.key });
      const { file, text = '' } = shown.find(({ id }) => id === agent.id) ?? {};
      await (file === undefined ? run(text) : home.write(file, text));
      const entries = {
        open: ['--url', open.url],
        key: ['--url', hosted.url, '--key'],
        variable: ['--url', hosted.url, '--key-variable', 'TEAM_KEY'],
        stdio: ['--url', hosted.url, '--key', '--stdio'],
        stranger: ['--url', hosted.url],
      };
      for (const [name, options] of Object.entries(entries))
        await setup(agent.id, '--name', name, ...options);
      await run(agent.add('own', `${hosted.url}/mcp`, 'X-Service-API-Key', hosted.key));
      assert.deepEqual(await agent.connect(run), {
        'service-mcp': true,
        open: true,
        key: true,
        variable: true,
        stdio: true,
        stranger: false,
        own: true,
      });
    });

    const { login } = agent;
    if (!login) continue;
    it(`${agent.id} logs in with the address alone`, async () => {
      const run = await runnerIn(home, agent);
      await setup(agent.id, '--url', hosted.url);
      const over = new AbortController();
      const loggedIn = login(run, 'service-mcp').finally(() => over.abort());
      await Promise.all([loggedIn, home.opened(over.signal).then(visit)]);
      assert.deepEqual(await agent.connect(run), { 'service-mcp': true });
    });
  }
});
