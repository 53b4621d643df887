import assert from 'node:assert/strict';
import type { JsonSchema } from '@service-mcp/core';
import { startHosted } from '../gateway/support/restartable-service.js';
import { startService } from '../start-service.js';
import { sdk1 } from '../clients/drivers/sdk-1.js';
import type { Ending } from '../clients/support/client.js';
import type { FrameworkTools, HttpServer } from './frameworks/framework.js';
import { langchain } from './frameworks/langchain.js';
import { mastra } from './frameworks/mastra.js';
import { openaiAgents } from './frameworks/openai-agents.js';

/** A service without accounts, and one that requires a key. */
const STARTS = {
  'a single owner': async () => {
    const service = await startService();
    return { service, key: {} };
  },
  'an API key': async () => {
    const service = await startHosted();
    return { service, key: { 'X-Service-API-Key': service.key } };
  },
} as const;
const UNKNOWN = '0190a1b2-0000-7000-8000-000000000000';

for (const [who, start] of Object.entries(STARTS))
  describe(`frameworks for agents and ${who}`, function () {
    let place: Awaited<ReturnType<typeof start>>;
    before(async () => {
      place = await start();
    });
    after(() => place?.service.stop());

    const server = (key: Readonly<Record<string, string>> = place.key): HttpServer => ({
      kind: 'http',
      name: 'service',
      url: `${place.service.url}/mcp`,
      headers: { ...key, 'X-Service-Toolset': 'complete' },
    });
    for (const framework of [langchain, mastra, openaiAgents]) {
      const opened = async (use: (tools: FrameworkTools) => Promise<void>) => {
        const tools = await framework.open(server());
        await use(tools).finally(() => tools.close());
      };

      it(`${framework.name} describes every tool to a model`, () =>
        opened(async ({ definitions }) => {
          const plain = await sdk1.open(server());
          const given = await plain.tools().finally(() => plain.close());
          assert.deepEqual(
            definitions.map(({ name }) => name),
            given.map(({ name }) => name),
          );
          for (const [index, { name, parameters }] of definitions.entries()) {
            assert.equal(parameters['type'], 'object', name);
            assert.deepEqual(argumentsOf(parameters), argumentsOf(given[index]?.inputSchema ?? {}), name);
          }
        }));

      it(`${framework.name} writes, and reads what it wrote`, () =>
        opened(async ({ call }) => {
          const { id, name } = dataOf(await call('workspaces_create', { name: `Of ${framework.name}` }));
          assert.equal(name, `Of ${framework.name}`);
          const found = dataOf(await call('workspaces_get', { workspace_id: id }));
          assert.deepEqual([found['id'], found['name']], [id, name]);
        }));

      it(`${framework.name} shows a model what is wrong and what to do next`, () =>
        opened(async ({ call }) => {
          assert.match(
            textOf(await call('workspaces_get', { workspace_id: UNKNOWN })),
            /NOT_FOUND: There is no workspace 0190a1b2-\S+ that you may see\. Call workspaces_list/,
          );
          assert.match(textOf(await call('help', { action: 'sing' })), framework.says.wrongArgument);
        }));

      if (who === 'an API key')
        it(`${framework.name} refuses to start with a wrong key`, () =>
          assert.rejects(
            framework.open(server({ 'X-Service-API-Key': 'svc_wrong' })),
            framework.says.refused,
          ));
    }
  });

function argumentsOf(schema: JsonSchema): string[] {
  return Object.keys(schema['properties'] ?? {});
}

function dataOf(ending: Ending): Record<string, unknown> {
  assert.ok(ending.kind === 'result', JSON.stringify(ending));
  return ending.data as Record<string, unknown>;
}

function textOf(ending: Ending): string {
  assert.ok(ending.kind === 'failure', JSON.stringify(ending));
  return ending.text;
}
