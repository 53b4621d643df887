import { Type } from 'typebox';
import {
  ERRORS,
  closed,
  content,
  definePlugin,
  definePrompt,
  defineResource,
  defineTool,
  inputRequired,
  type ErrorCode,
} from '@service-mcp/core';
import {
  echo,
  fail,
  peopleNamed,
  postJson,
  rpc,
  sampleTool,
  testHost,
  type TestHost,
  type TestHostOptions,
} from '@service-mcp/core/testing';
import mcp from '@service-mcp/transport-mcp';

const { access } = sampleTool;
const described = (description: string) => ({ description });

export { rpc } from '@service-mcp/core/testing';

/** Events of the slow tool, `started` and `aborted`, in order. */
export const log: string[] = [];

export const slow = defineTool({
  ...sampleTool,
  name: 'things_slow',
  title: 'Count slowly',
  description: 'Reports progress, then waits until it is aborted or the time is over.',
  input: Type.Object(
    { ms: Type.Integer({ minimum: 0, maximum: 60_000, ...described('How long.') }) },
    closed,
  ),
  output: Type.Object({ done: Type.Boolean(described('Always true.')) }, closed),
  async handler({ ms }, _deps, call) {
    log.push('started');
    for (const progress of [1, 2, 2, 3]) call.progress?.({ progress, total: 3, message: `step ${progress}` });
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      call.signal.addEventListener('abort', () => {
        log.push('aborted');
        clearTimeout(timer);
        resolve();
      });
    });
    return { done: true };
  },
});

export const big = defineTool({
  ...sampleTool,
  name: 'things_big',
  title: 'A big result',
  description: 'Returns a text of a size.',
  input: Type.Object(
    { limit: Type.Integer({ minimum: 0, maximum: 1_000_000, ...described('Characters.') }) },
    closed,
  ),
  output: Type.Object({ text: Type.String(described('So many.')) }, closed),
  async handler({ limit }) {
    return { text: 'x'.repeat(limit) };
  },
});

export const picture = defineTool({
  ...sampleTool,
  name: 'things_picture',
  title: 'A picture',
  description: 'Returns data and blocks.',
  input: Type.Object({}, closed),
  output: Type.Object({ n: Type.Integer(described('A number.')) }, closed),
  async handler() {
    return content({ n: 1 }, [
      { type: 'image', data: 'aGk=', mimeType: 'image/png' },
      { type: 'resource_link', uri: 'things://one', name: 'one' },
    ]);
  },
});

export const ask = defineTool({
  ...sampleTool,
  name: 'things_ask',
  title: 'Ask',
  description: 'Asks the person.',
  input: Type.Object({}, closed),
  output: Type.Object({}, closed),
  async handler() {
    return inputRequired([{ name: 'city', message: 'Which city?', schema: { type: 'object' } }]);
  },
});

const hidden = defineTool({
  ...sampleTool,
  level: 'complete',
  name: 'things_hidden',
  title: 'Hidden',
  description: 'Complete only.',
  input: Type.Object({}, closed),
  output: Type.Object({}, closed),
  effect: 'delete',
  async handler() {
    return {};
  },
});

const static1 = defineResource({
  uriTemplate: 'things://one',
  name: 'one',
  title: 'One',
  description: 'The first thing.',
  mimeType: 'text/plain',
  access,
  uses: {},
  async read() {
    return [{ uri: 'things://one', mimeType: 'text/plain', text: 'one' }];
  },
});

const template = defineResource({
  uriTemplate: 'things://all/{id}',
  name: 'thing',
  title: 'A thing',
  description: 'Any thing.',
  mimeType: 'text/plain',
  access,
  uses: {},
  async read({ id }) {
    return [{ uri: `things://all/${id}`, text: `thing ${id}` }];
  },
  async complete(_variable, value, _deps, _call, others) {
    return ['alpha', 'beta', ...Object.values(others)].filter((word) => word.startsWith(value));
  },
});

const prompt = definePrompt({
  name: 'things_start',
  title: 'Start',
  description: 'How to start.',
  arguments: [{ name: 'topic', description: 'What about.', required: true }],
  access,
  uses: {},
  async render({ topic }) {
    return [{ role: 'user', content: { type: 'text', text: `Start with ${topic}.` } }];
  },
});

const things = definePlugin({
  id: 'things',
  description: 'Tools for the tests of the transport.',
  api: '^1',
  resources: [static1, template],
  prompts: [prompt],
  toolsets: [
    {
      id: 'things',
      description: 'All.',
      instructions: (visible) => `Tools: ${[...visible].join(', ')}.`,
      tools: [slow, echo, fail, big, picture, ask, hidden],
    },
  ],
});

export const CODES = Object.keys(ERRORS) as ErrorCode[];

export interface Running {
  readonly host: TestHost;
  readonly url: string;
}

export async function start(options: TestHostOptions = {}): Promise<Running> {
  const host = await testHost({ plugins: [things], transports: [mcp], ...options });
  return { host, url: `${host.url}/mcp` };
}

export function startWithPeople(config: TestHostOptions['config'] = {}): Promise<Running> {
  return start({ plugins: [things, peopleNamed('ann', 'bob')], config });
}

const JSON_TYPES = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** One raw POST: a string body is sent as it is, anything else as JSON. */
export function send(url: string, body: unknown, headers: Record<string, string> = {}) {
  return postJson<Reply>(url, body, { ...JSON_TYPES, ...headers });
}

export const INITIALIZE = rpc('initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
});

interface Reply {
  readonly id?: unknown;
  readonly result?: Record<string, never>;
  readonly error?: {
    readonly code: number;
    readonly message: string;
    readonly data: Record<string, unknown>;
  };
}
