import { Type } from 'typebox';
import { ServiceError, definePlugin, defineTool, type ErrorCode } from '@service-mcp/core';
import { peopleNamed, testHost, type TestHost, type TestHostOptions } from '@service-mcp/core/testing';
import jsonrpc from '@service-mcp/transport-jsonrpc';

const closed = { additionalProperties: false };
const access = { scope: 'things:read', in: 'deployment' } as const;
const common = { effect: 'read', access, level: 'light', uses: {} } as const;

const echo = defineTool({
  ...common,
  name: 'things_echo',
  title: 'Echo a text',
  description: 'Gives the text back.',
  input: Type.Object({ text: Type.String({ maxLength: 2_000_000, description: 'The text.' }) }, closed),
  output: Type.Object(
    { text: Type.String({ description: 'The same.' }), by: Type.String({ description: 'Who called.' }) },
    closed,
  ),
  http: { method: 'POST', path: '/v1/things/echo', bodyLimit: 2_000_000 },
  async handler({ text }, _deps, call) {
    return { text, by: call.caller.name };
  },
});

const fail = defineTool({
  ...common,
  name: 'things_fail',
  title: 'Fail',
  description: 'Fails with a code.',
  input: Type.Object(
    { code: Type.String({ maxLength: 50, description: 'The code, or "foreign".' }) },
    closed,
  ),
  output: Type.Object({}, closed),
  async handler({ code }) {
    if (code === 'foreign') throw new Error('SELECT secret FROM vault');
    throw new ServiceError(code as ErrorCode, 'Failed as asked. Ask for less.', { details: { asked: code } });
  },
});

/** Calls of the waiting tool: `started` and `aborted` in order. */
export const log: string[] = [];

const wait = defineTool({
  ...common,
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

export interface Sent {
  readonly status: number;
  readonly header: (name: string) => string | null;
  readonly raw: string;
  readonly body: Reply;
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

/** One POST: `undefined` sends no body, a string goes as it is, anything else as JSON. */
export async function send(url: string, body?: unknown, headers: Record<string, string> = {}): Promise<Sent> {
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...(text !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(text !== undefined && { body: text }),
  });
  const raw = await response.text();
  return { status: response.status, header: (name) => response.headers.get(name), raw, body: parse(raw) };
}

function parse(raw: string): Reply {
  try {
    return JSON.parse(raw) as Reply;
  } catch {
    return {};
  }
}

export function rpc(method: string, params: object = {}, id: unknown = 1): object {
  return { jsonrpc: '2.0', id, method, params };
}
