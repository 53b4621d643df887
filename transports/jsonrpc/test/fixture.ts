import { Type } from 'typebox';
import { closed, definePlugin, defineTool } from '@service-mcp/core';
import {
  echo,
  fail,
  peopleNamed,
  postJson,
  sampleTool,
  testHost,
  type TestHost,
  type TestHostOptions,
} from '@service-mcp/core/testing';
import jsonrpc from '@service-mcp/transport-jsonrpc';

export { rpc } from '@service-mcp/core/testing';

/** Calls of the waiting tool: `started` and `aborted` in order. */
export const log: string[] = [];

const wait = defineTool({
  ...sampleTool,
  name: 'things_wait',
  title: 'Wait',
  description: 'Waits until it is aborted.',
  input: Type.Object({}, closed),
  output: Type.Object({}, closed),
  async handler(_input, _deps, call) {
    log.push('started');
    await new Promise<void>((resolve) => call.signal.addEventListener('abort', () => resolve()));
    log.push('aborted');
    return {};
  },
});

const things = definePlugin({
  id: 'things',
  description: 'Tools for the tests of the transport.',
  api: '^1',
  toolsets: [{ id: 'things', description: 'All.', tools: [wait, fail, echo] }],
});

export interface Running {
  readonly host: TestHost;
  /** `http://127.0.0.1:1234/api/v1` */
  readonly url: string;
}

export async function start(options: TestHostOptions = {}): Promise<Running> {
  const host = await testHost({ plugins: [things], transports: [jsonrpc], ...options });
  return { host, url: `${host.url}/api/v1` };
}

export function startWithPeople(): Promise<Running> {
  return start({ plugins: [things, peopleNamed('ann', 'bob')] });
}

interface Reply {
  readonly jsonrpc?: string;
  readonly id?: unknown;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: {
    readonly code: number | string;
    readonly message: string;
    readonly data?: unknown;
    readonly details?: unknown;
  };
  readonly [field: string]: unknown;
}

export const send = (url: string, body?: unknown, headers?: Record<string, string>) =>
  postJson<Reply>(url, body, headers);
