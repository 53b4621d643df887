import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Database, Events, definePlugin, defineResource, defineTool } from '@service-mcp/core';
import { testHost, type TestHost } from '@service-mcp/core/testing';
import mcp from '@service-mcp/transport-mcp';
import { Type } from 'typebox';
import { serveGateway, type Served } from './support/gateway.js';

const URI = 'lamp://state';
const closed = { additionalProperties: false };
const access = { scope: 'authenticated', in: 'deployment' } as const;

/** A lamp that can be switched, and is told of. */
const lamp = definePlugin({
  id: 'lamp',
  description: 'A lamp.',
  api: '^1',
  events: [
    {
      type: 'lamp.switched',
      description: 'It was switched.',
      scope: 'authenticated',
      data: Type.Object({}, closed),
    },
  ],
  resources: [
    defineResource({
      uriTemplate: URI,
      name: 'lamp',
      title: 'The lamp',
      description: 'The lamp.',
      mimeType: 'text/plain',
      access,
      uses: {},
      changedBy: { 'lamp.switched': () => ({}) },
      read: async () => [{ uri: URI, text: 'on' }],
    }),
  ],
  toolsets: [
    {
      id: 'lamp',
      description: 'A lamp.',
      tools: [
        defineTool({
          name: 'lamp_switch',
          title: 'Switch the lamp',
          description: 'Switches it.',
          input: Type.Object({}, closed),
          output: Type.Object({}, closed),
          effect: 'write',
          level: 'light',
          access,
          uses: { database: Database, events: Events },
          async handler(_input, { database, events }) {
            const switched = { type: 'lamp.switched', workspaceId: null, data: {} };
            await database.transaction((sql) => events.record(sql, [switched]));
            events.announce('lamp.switched');
            return {};
          },
        }),
      ],
    },
  ],
});

describe('gateway: clients that follow a resource', () => {
  let service: TestHost;
  let gateway: Served;
  before(async () => {
    service = await testHost({ plugins: [lamp], transports: [mcp] });
    gateway = await serveGateway({ SERVICE_API_URL: service.url ?? '' });
  });
  after(async () => {
    await gateway.stop();
    await service.stop();
  });

  it('many of one resource each hear of a change once', async () => {
    const heard: number[] = [];
    const clients = await Promise.all(
      Array.from({ length: 6 }, async (_, n) => {
        const client = new Client(
          { name: 'a client', version: '1' },
          { versionNegotiation: { mode: { pin: '2026-07-28' } } },
        );
        client.setNotificationHandler('notifications/resources/updated', () => void heard.push(n));
        await client.connect(new StreamableHTTPClientTransport(new URL(`${gateway.url}/mcp`)));
        const subscription = await client.listen({ resourceSubscriptions: [URI] });
        return { client, subscription };
      }),
    );
    for (let times = 1; times <= 2; times += 1) {
      await clients[0]?.client.callTool({ name: 'lamp_switch', arguments: {} });
      while (heard.length < 6 * times) await sleep(10);
      await sleep(300); // for what comes too often
      assert.deepEqual(heard.slice(6 * (times - 1)).sort((a, b) => a - b), [0, 1, 2, 3, 4, 5]);
    }
    for (const { client, subscription } of clients) {
      await subscription.close();
      await client.close();
    }
  });
});
