import assert from 'node:assert/strict';
import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { dashboardSuite } from '../support/dashboard-suite.js';

/** An answer that takes longer than the second after which events are read again. */
const SLOW_MS = 1_500;
const NEXT_REFRESH_MS = 2_500;

describe('dashboard: live updates', () => {
  const suite = dashboardSuite();
  let shedId = '';
  before(async () => {
    ({ id: shedId } = await suite.service.call<{ id: string }>('workspaces_create', { name: 'Shed' }));
  });
  const remember = (workspace_id: string, title: string) =>
    suite.service.call<{ id: string }>('memory_create_event', {
      workspace_id,
      event_type: 'note',
      title,
      content: '-',
    });

  it('shows what changed while events come faster than answers', async () => {
    const { page, context } = await suite.open(`memory?workspace=${suite.workspaceId}`);
    await page.getByText('Nothing is stored in memory yet').waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    await context.route(/\/api\/v1\/memory\//, async (route) => {
      await pause(SLOW_MS);
      await route.continue().catch(() => undefined); // the page may have given it up
    });
    const written = new AbortController();
    const writing = (async () => {
      for (let count = 0; !written.signal.aborted; count += 1) {
        await remember(suite.workspaceId, `Row ${count} of beans`);
        await pause(300);
      }
    })();
    try {
      await page
        .getByText(/of beans$/)
        .first()
        .waitFor({ timeout: 10_000 });
    } finally {
      written.abort();
      await writing;
    }
  });

  it('reads on by another connection where one is cut off without an end', async () => {
    const proxy = await startProxy(suite.service.url);
    try {
      const { page, quiet } = await suite.open('toolsets');
      await page.clock.install();
      await page.goto(`${proxy.url}/app/memory?workspace=${suite.workspaceId}`);
      await page.getByText('Live', { exact: true }).waitFor();
      proxy.cutOff();
      await remember(suite.workspaceId, 'Rhubarb');
      await page.clock.fastForward(60_000);
      await page.getByText('Rhubarb').waitFor({ timeout: 60_000 });
      await page.getByText('Live', { exact: true }).waitFor();
      quiet();
    } finally {
      proxy.stop();
    }
  });

  it('reads of many records the one again that has changed', async () => {
    const { page, quiet } = await suite.open(`activity?workspace=${suite.workspaceId}`);
    const events = page.getByRole('region', { name: 'Live events' });
    await events.getByText('Live', { exact: true }).waitFor();
    const { id } = await remember(suite.workspaceId, 'Peas');
    await remember(suite.workspaceId, 'Kale');
    for (const name of ['Peas', 'Kale']) await events.getByRole('link', { name }).waitFor();
    await pause(NEXT_REFRESH_MS);
    const asked: string[] = [];
    page.on('request', (sent) => asked.push(new URL(sent.url()).pathname));
    await suite.service.call('memory_update_event', { event_id: id, title: 'Mint' });
    await events.getByRole('link', { name: 'Mint' }).first().waitFor();
    await pause(NEXT_REFRESH_MS);
    const records = asked.filter((path) => path.includes('/memory/events/'));
    assert.deepEqual([...new Set(records)], [`/api/v1/memory/events/${id}`]);
    quiet();
  });

  it('reads nothing again for what changes in another workspace, until one goes there', async () => {
    const { page, quiet } = await suite.open(`memory?workspace=${shedId}`);
    await page.getByText('Nothing is stored in memory yet').waitFor();
    await page.getByRole('combobox', { name: 'Workspace' }).selectOption('Garden');
    await page
      .getByText(/of beans$/)
      .first()
      .waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    await pause(NEXT_REFRESH_MS);
    const asked: string[] = [];
    page.on('request', (sent) => asked.push(new URL(sent.url()).pathname));
    await remember(shedId, 'A rake is missing');
    await pause(NEXT_REFRESH_MS);
    assert.deepEqual(asked, []);
    await page.getByRole('combobox', { name: 'Workspace' }).selectOption('Shed');
    await page.getByText('A rake is missing').waitFor();
    await page.getByRole('combobox', { name: 'Workspace' }).selectOption('Garden');
    await pause(NEXT_REFRESH_MS);
    await remember(shedId, 'A spade is missing');
    await pause(300); // its event is there, and not read yet
    await page.getByRole('combobox', { name: 'Workspace' }).selectOption('Shed');
    await page.getByText('A spade is missing').waitFor({ timeout: 30_000 });
    quiet();
  });
});

/** A proxy whose open answers can be cut off as a network does that is gone: nothing comes, and nothing ends. */
async function startProxy(upstream: string) {
  const answers = new Set<IncomingMessage>();
  const server = createServer((incoming, outgoing) => {
    const { method, headers, url = '' } = incoming;
    const sent = request(`${upstream}${url}`, { method, headers });
    sent.on('response', (answer) => {
      answers.add(answer);
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
      answer.on('close', () => answers.delete(answer));
    });
    sent.on('error', () => outgoing.destroy());
    outgoing.on('close', () => sent.destroy());
    incoming.pipe(sent);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // it listens by TCP
    cutOff() {
      for (const answer of answers) answer.unpipe();
    },
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
