import assert from 'node:assert/strict';
import type { Plugin } from '@service-mcp/core';
import { eachDatabase, testHost, type TestDatabase } from '@service-mcp/core/testing';
import mcp from '@service-mcp/transport-mcp';
import { conformance } from '../conformance/plugin/index.js';
import { lamps } from './support/lamp-plugin.js';
import { serveGateway, type Served } from './support/serve-gateway.js';

describe('gateway: a service that restarts with other tools', () => {
  eachDatabase((fresh) => {
    let database: TestDatabase;
    before(async () => (database = await fresh()));

    async function through(plugins: readonly Plugin[], work: (gateway: Served) => Promise<void>) {
      const service = await testHost({ plugins, transports: [mcp], database });
      const gateway = await serveGateway({ SERVICE_API_URL: service.url ?? '' });
      await work(gateway).finally(async () => {
        await gateway.stop();
        await service.stop();
      });
    }

    it('its session hears of it through a gateway', async () => {
      let session = '';
      await through([lamps], async (gateway) => {
        const { headers } = await gateway.ask('initialize', {
          protocolVersion: '2025-11-25',
          capabilities: {},
          clientInfo: { name: 't', version: '1' },
        });
        session = headers.get('mcp-session-id') ?? '';
      });
      await through([lamps, conformance], async (gateway) => {
        const headers = { accept: 'text/event-stream', 'mcp-session-id': session };
        const reader = (await fetch(`${gateway.url}/mcp`, { headers })).body
          ?.pipeThrough(new TextDecoderStream())
          .getReader();
        let heard: string[] = [];
        for (let text = ''; heard.length < 3;) {
          const { value, done } = (await reader?.read()) ?? { done: true };
          assert.ok(!done, text);
          heard = (text += value).match(/notifications\/\w+\/list_changed/g) ?? [];
        }
        await reader?.cancel();
        assert.deepEqual(
          heard,
          ['tools', 'resources', 'prompts'].map((list) => `notifications/${list}/list_changed`),
        );
      });
    });
  });
});
