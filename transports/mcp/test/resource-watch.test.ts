import assert from 'node:assert/strict';
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernHttp,
} from '@modelcontextprotocol/client';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as LegacyHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { start, type Running } from './fixture.js';
import { changer, notes } from './plugins/notes.js';
import { untilGauge } from './streams.js';

const INFO = { name: 'test', version: '1' };
const URI = 'notes://all/x';

describe('mcp: clients subscribed to changes', () => {
  let running: Running;
  before(async () => {
    running = await start({ plugins: [notes] });
  });
  after(() => running.host.stop());

  /** Notifications of a client, in order. */
  function recorder() {
    const heard: string[] = [];
    let wake = (): void => undefined;
    const hear = (what: string): void => {
      heard.push(what);
      wake();
    };
    const next = async (): Promise<string> => {
      while (heard.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      return heard.shift() ?? '';
    };
    return { hear, next };
  }

  it('SDK 1.x, by its session', async () => {
    const { hear, next } = recorder();
    const client = new LegacyClient(INFO);
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => hear(params.uri));
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => hear('tools'));
    const transport = new LegacyHttp(new URL(running.url));
    await client.connect(transport);
    await untilGauge(String(running.host.url), 'service_mcp_change_streams', 1); // the client opens one by itself
    await client.subscribeResource({ uri: URI });
    await changer.note('all/x');
    assert.equal(await next(), URI);
    await client.unsubscribeResource({ uri: URI });
    await changer.note('all/x');
    await changer.lists();
    assert.equal(await next(), 'tools');
    await transport.terminateSession();
    await untilGauge(String(running.host.url), 'service_mcp_change_streams', 0);
    await client.close();
  });

  it('SDK 2.x, by a subscription', async () => {
    const { hear, next } = recorder();
    const client = new ModernClient(INFO, { versionNegotiation: { mode: 'auto' } });
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => hear(params.uri));
    client.setNotificationHandler('notifications/tools/list_changed', () => hear('tools'));
    await client.connect(new ModernHttp(new URL(running.url)));
    await assert.rejects(
      client.listen({ resourceSubscriptions: ['notes://bob/x'] }),
      (error: { code: number }) => error.code === -32602,
    );
    const subscription = await client.listen({ resourceSubscriptions: [URI], toolsListChanged: true });
    assert.deepEqual(subscription.honoredFilter, { resourceSubscriptions: [URI], toolsListChanged: true });
    await changer.note('all/y');
    await changer.note('all/x');
    assert.equal(await next(), URI);
    await changer.lists();
    assert.equal(await next(), 'tools');
    await subscription.close();
    await untilGauge(String(running.host.url), 'service_mcp_change_streams', 0);
    await client.close();
  });
});
