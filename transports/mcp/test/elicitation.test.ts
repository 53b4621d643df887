import assert from 'node:assert/strict';
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernHttp,
} from '@modelcontextprotocol/client';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as LegacyHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { start, type Running } from './fixture.js';
import { questions } from './plugins/questions.js';

interface Answer {
  readonly isError?: boolean;
  readonly structuredContent?: unknown;
  readonly content: readonly { readonly text?: string }[];
}

interface Asked {
  call(name: string): Promise<Answer>;
  prompt(): Promise<unknown>;
  close(): Promise<void>;
}

/** Replies of the person at the client, in order; the last one repeats. */
type Person = ReadonlyArray<{ action: 'accept' | 'decline'; content?: Record<string, string> }>;

const EVERYTHING = { elicitation: {}, sampling: {}, roots: {} };
const INFO = { name: 'test', version: '1' };
const ROOTS = { roots: [{ uri: 'file:///one' }, { uri: 'file:///two' }] };
const MODEL = { model: 'm', role: 'assistant', content: { type: 'text', text: 'something' } } as const;

function replies(person: Person): () => Person[number] {
  let at = 0;
  return () => person[Math.min(at++, person.length - 1)] ?? { action: 'decline' };
}

async function legacy(url: string, capabilities: Partial<typeof EVERYTHING>, person: Person): Promise<Asked> {
  const client = new LegacyClient(INFO, { capabilities });
  const reply = replies(person);
  if (capabilities.elicitation) client.setRequestHandler(ElicitRequestSchema, async () => reply());
  if (capabilities.sampling) client.setRequestHandler(CreateMessageRequestSchema, async () => MODEL);
  if (capabilities.roots) client.setRequestHandler(ListRootsRequestSchema, async () => ROOTS);
  await client.connect(new LegacyHttp(new URL(url)));
  return {
    call: async (name) => (await client.callTool({ name })) as unknown as Answer, // one shape for all
    prompt: async () => (await client.getPrompt({ name: 'ask_prompt' })).messages[0]?.content,
    close: () => client.close(),
  };
}

/** `pin`: the client accepts only the stateless revision; otherwise it negotiates. */
function modern(pin: boolean) {
  return async (url: string, capabilities: Partial<typeof EVERYTHING>, person: Person): Promise<Asked> => {
    const versionNegotiation = pin ? { mode: { pin: '2026-07-28' } as const } : { mode: 'auto' as const };
    const client = new ModernClient(INFO, { capabilities, versionNegotiation });
    const reply = replies(person);
    if (capabilities.elicitation) client.setRequestHandler('elicitation/create', async () => reply());
    if (capabilities.sampling) client.setRequestHandler('sampling/createMessage', async () => MODEL);
    if (capabilities.roots) client.setRequestHandler('roots/list', async () => ROOTS);
    await client.connect(new ModernHttp(new URL(url)));
    assert.equal(client.getNegotiatedProtocolVersion(), '2026-07-28');
    return {
      call: async (name) => (await client.callTool({ name })) as unknown as Answer, // one shape for all
      prompt: async () => (await client.getPrompt({ name: 'ask_prompt' })).messages[0]?.content,
      close: () => client.close(),
    };
  };
}

const paris = { action: 'accept', content: { city: 'Paris' } } as const;
const rome = { action: 'accept', content: { city: 'Rome' } } as const;

for (const [name, connect] of [
  ['SDK 1.x client', legacy],
  ['SDK 2.x client that negotiates', modern(false)],
  ['SDK 2.x client that is pinned', modern(true)],
] as const) {
  describe(`mcp: questions to an ${name}`, () => {
    let running: Running;
    before(async () => {
      running = await start({ plugins: [questions] });
    });
    after(() => running.host.stop());

    async function answered(
      tool: string,
      person: Person,
      capabilities: Partial<typeof EVERYTHING> = EVERYTHING,
    ) {
      const client = await connect(running.url, capabilities, person);
      try {
        return await client.call(tool);
      } finally {
        await client.close();
      }
    }

    it('go to the person', async () => {
      assert.deepEqual((await answered('ask_city', [paris])).structuredContent, { answer: 'Paris' });
    });

    it('may be declined', async () => {
      const { structuredContent } = await answered('ask_city', [{ action: 'decline' }]);
      assert.deepEqual(structuredContent, { answer: 'decline' });
    });

    it('go to its model', async () => {
      assert.deepEqual((await answered('ask_model', [])).structuredContent, { answer: 'something' });
    });

    it('ask the client itself for its folders', async () => {
      const { structuredContent } = await answered('ask_roots', []);
      assert.deepEqual(structuredContent, { answer: 'file:///one file:///two' });
    });

    it('can be several at once', async () => {
      const { structuredContent } = await answered('ask_all', [paris]);
      assert.deepEqual(structuredContent, { answer: 'city model roots' });
    });

    it('can take several rounds, each with the state of the round before', async () => {
      const { structuredContent } = await answered('ask_twice', [paris, rome]);
      assert.deepEqual(structuredContent, { answer: 'Paris to Rome' });
    });

    it('skip those that it does not support', async () => {
      const { structuredContent } = await answered('ask_all', [paris], { roots: {} });
      assert.deepEqual(structuredContent, { answer: 'roots' });
    });

    it('have a limit of rounds', async () => {
      await answered('ask_forever', [paris]).then(
        ({ isError }) => assert.equal(isError, true),
        (error: Error) => assert.match(error.message, /rounds/), // in some revisions the client counts
      );
    });

    it('work for a prompt too', async () => {
      const client = await connect(running.url, EVERYTHING, [paris]);
      assert.deepEqual(await client.prompt(), { type: 'text', text: 'Go to Paris.' });
      await client.close();
    });

    it('fail with an error when it supports none of them', async () => {
      await answered('ask_city', [], {}).then(
        ({ isError, content }) => {
          assert.equal(isError, true);
          assert.match(
            content[0]?.text ?? '',
            /^UNAVAILABLE: .*Which city\? Call it from an MCP client that supports elicitation/,
          );
        },
        (error: { code: number; data: unknown }) => {
          assert.equal(error.code, -32021);
          assert.deepEqual(error.data, { requiredCapabilities: { elicitation: { form: {} } } });
        },
      );
    });
  });
}
