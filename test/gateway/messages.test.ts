import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  LoggingMessageNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { definePlugin, defineTool } from '@service-mcp/core';
import { testHost, type TestHost } from '@service-mcp/core/testing';
import mcp from '@service-mcp/transport-mcp';
import { Type } from 'typebox';
import { conformance } from '../conformance/plugin/index.js';
import { serveGateway, type Served } from './support/serve-gateway.js';

const closed = { additionalProperties: false };
const calls = { waiting: 0 };

/** A tool that ends when its call is given up, and not before. */
const patient = definePlugin({
  id: 'patient',
  description: 'Waits.',
  api: '^1',
  toolsets: [
    {
      id: 'patient',
      description: 'Waits.',
      tools: [
        defineTool({
          name: 'patient_wait',
          title: 'Wait',
          description: 'Waits until the call is given up.',
          input: Type.Object({}, closed),
          output: Type.Object({ waited: Type.Boolean() }, closed),
          effect: 'read',
          level: 'light',
          access: { scope: 'authenticated', in: 'deployment' },
          uses: {},
          async handler(_input, _deps, { signal }) {
            calls.waiting += 1;
            await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
            calls.waiting -= 1;
            return { waited: true };
          },
        }),
      ],
    },
  ],
});

const CLIENT = { name: 'a client', version: '1' };
const textOf = (result: unknown): string => JSON.stringify(result);

describe('gateway: messages besides the result', () => {
  let service: TestHost;
  let gateway: Served;
  before(async () => {
    service = await testHost({ plugins: [conformance, patient], transports: [mcp] });
    gateway = await serveGateway({ SERVICE_API_URL: service.url ?? '' });
  });
  after(async () => {
    await gateway.stop();
    await service.stop();
  });

  async function modern(): Promise<Client> {
    const client = new Client(CLIENT, {
      versionNegotiation: { mode: { pin: '2026-07-28' } },
      capabilities: { elicitation: { form: {} }, sampling: {}, roots: {} },
    });
    client.setRequestHandler('elicitation/create', async () => ({
      action: 'accept',
      content: { name: 'Ada', color: 'red', ok: true },
    }));
    client.setRequestHandler('sampling/createMessage', async () => ({
      model: 'm',
      role: 'assistant',
      content: { type: 'text', text: 'Paris' },
    }));
    client.setRequestHandler('roots/list', async () => ({ roots: [{ uri: 'file:///home/ada' }] }));
    await client.connect(new StreamableHTTPClientTransport(new URL(`${gateway.url}/mcp`)));
    return client;
  }

  async function legacy(): Promise<OldClient> {
    const client = new OldClient(CLIENT, { capabilities: { elicitation: {}, sampling: {} } });
    client.setRequestHandler(ElicitRequestSchema, async () => ({
      action: 'accept',
      content: { name: 'Ada', color: 'red', ok: true },
    }));
    client.setRequestHandler(CreateMessageRequestSchema, async () => ({
      model: 'm',
      role: 'assistant',
      content: { type: 'text', text: 'Paris' },
    }));
    await client.connect(new OldTransport(new URL(`${gateway.url}/mcp`)));
    return client;
  }

  it('progress is passed on while it happens, to clients of both eras that asked for it', async () => {
    for (const client of [await modern(), await legacy()]) {
      const seen: number[] = [];
      const call = { name: 'test_tool_with_progress', arguments: {} };
      const onprogress = ({ progress }: { progress: number }) => void seen.push(progress);
      const result =
        client instanceof OldClient
          ? await client.callTool(call, undefined, { onprogress })
          : await client.callTool(call, { onprogress });
      assert.deepEqual(seen, [0, 50, 100]);
      assert.match(textOf(result), /Done\./);
      await client.close();
    }
  });

  it('log messages are passed on to a client that asked for them', async () => {
    const client = await legacy();
    const said: unknown[] = [];
    client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void said.push(params));
    await client.setLoggingLevel('info');
    await client.callTool({ name: 'test_tool_with_logging', arguments: {} });
    await client.callTool({ name: 'test_logging_tool', arguments: {} });
    assert.deepEqual(said.at(-1), { level: 'warning', logger: 'test', data: { said: 'A warning' } });
    assert.equal(said.length, 4);
    await client.setLoggingLevel('error');
    await client.callTool({ name: 'test_logging_tool', arguments: {} });
    assert.equal(said.length, 4, 'the level of the client binds');
    await client.close();
  });

  it('questions reach the person and the model behind the client, and the answers the tool', async () => {
    const client = await modern();
    const use = async (name: string) => textOf(await client.callTool({ name, arguments: {} }));
    assert.match(await use('test_input_required_result_elicitation'), /Hello, Ada!/);
    assert.match(await use('test_input_required_result_sampling'), /Paris/);
    assert.match(await use('test_input_required_result_list_roots'), /file:\/\/\/home\/ada/);
    assert.match(await use('test_input_required_result_request_state'), /state-ok/);
    assert.match(await use('test_input_required_result_multiple_inputs'), /All answered/);
    assert.match(await use('test_input_required_result_multi_round'), /Ada likes red/);
    await client.close();

    const old = await legacy();
    const asked = await old.callTool({ name: 'test_input_required_result_elicitation', arguments: {} });
    assert.match(textOf(asked), /Hello, Ada!/);
    await old.close();
  });

  it('a client that cancels ends the work at the service', async () => {
    for (const client of [await modern(), await legacy()]) {
      const leaving = new AbortController();
      const call = { name: 'patient_wait', arguments: {} };
      const result =
        client instanceof OldClient
          ? client.callTool(call, undefined, { signal: leaving.signal })
          : client.callTool(call, { signal: leaving.signal });
      const refused = assert.rejects(result);
      while (calls.waiting === 0) await sleep(10);
      leaving.abort();
      await refused;
      while (calls.waiting > 0) await sleep(10);
      await client.close();
    }
  });

  it('content of every kind, resources, prompts and completion come through unchanged', async () => {
    const client = await modern();
    const direct = new Client(CLIENT, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
    await direct.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`)));
    const same = async (ask: (of: Client) => Promise<unknown>) => {
      const [through, expected] = [await ask(client), await ask(direct)];
      assert.deepEqual(through, expected);
    };
    for (const name of [
      'test_simple_text',
      'test_image_content',
      'test_audio_content',
      'test_embedded_resource',
      'test_multiple_content_types',
      'test_error_handling',
    ]) {
      await same((of) => of.callTool({ name, arguments: {} }));
    }
    await same((of) => of.listTools());
    await same((of) => of.listResources());
    await same((of) => of.listResourceTemplates());
    await same((of) => of.listPrompts());
    for (const uri of ['test://static-text', 'test://static-binary', 'test://template/7/data'])
      await same((of) => of.readResource({ uri }));
    await same((of) =>
      of.getPrompt({ name: 'test_prompt_with_arguments', arguments: { arg1: 'a', arg2: 'b' } }),
    );
    await same((of) => of.getPrompt({ name: 'test_prompt_with_image' }));
    const ref = { type: 'ref/prompt' as const, name: 'test_prompt_with_arguments' };
    await same((of) => of.complete({ ref, argument: { name: 'arg1', value: 'test' } }));
    for (const missing of [
      (of: Client) => of.readResource({ uri: 'test://no-such' }),
      (of: Client) => of.getPrompt({ name: 'no_such' }),
      (of: Client) => of.callTool({ name: 'no_such', arguments: {} }),
    ]) {
      const told = (of: Client) =>
        missing(of).then(
          () => 'answered',
          ({ code, message }) => ({ code, message }),
        );
      await same(told);
      assert.notEqual(await told(client), 'answered');
    }
    await client.close();
    await direct.close();
  });

  it('a list change of the service is forwarded', async () => {
    const client = await modern();
    const changes = { heard: 0 };
    client.setNotificationHandler('notifications/tools/list_changed', () => void changes.heard++);
    const subscription = await client.listen({ toolsListChanged: true });
    while (changes.heard === 0) {
      await client.callTool({ name: 'test_trigger_tool_change', arguments: {} });
      await sleep(50);
    }
    await subscription.close();
    await client.close();
  });
});
