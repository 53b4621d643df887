import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { closed, definePlugin, defineTool, type ErrorBody, type Progress } from '@service-mcp/core';
import { callerWith, testHost, type TestHost } from '@service-mcp/core/testing';
import auth from '@service-mcp/plugin-auth';
import workspaces from '@service-mcp/plugin-workspaces';
import ndjson from 'service-mcp-transport-ndjson';
import { Type } from 'typebox';

interface Line {
  readonly id?: number;
  readonly ready?: boolean;
  readonly tools?: readonly { readonly name: string }[];
  readonly result?: { readonly structuredContent: unknown };
  readonly error?: ErrorBody;
  readonly progress?: Progress;
}

const ends: unknown[] = [];
const wait = defineTool({
  name: 'clock_wait',
  title: 'Wait',
  description: 'Waits until the call is aborted, and notes why it was.',
  input: Type.Object({}, closed),
  output: Type.Object({}, closed),
  effect: 'read',
  access: { scope: 'clock:read', in: 'deployment' },
  level: 'light',
  uses: {},
  async handler(_input, _deps, { signal }) {
    await once(signal, 'abort');
    ends.push(signal.reason);
    return {};
  },
});
const count = defineTool({
  name: 'clock_count',
  title: 'Count',
  description: 'Counts to two, and takes a moment.',
  input: Type.Object({}, closed),
  output: Type.Object({}, closed),
  effect: 'read',
  access: { scope: 'clock:read', in: 'deployment' },
  level: 'light',
  uses: {},
  async handler(_input, _deps, { progress }) {
    progress?.({ progress: 1, total: 2 });
    await new Promise((resolve) => setTimeout(resolve, 200));
    progress?.({ progress: 2, total: 2 });
    return {};
  },
});
const restOnly = defineTool({
  name: 'clock_rest_only',
  title: 'Do nothing',
  description: 'Does nothing, on one surface.',
  input: Type.Object({}, closed),
  output: Type.Object({}, closed),
  effect: 'read',
  access: { scope: 'clock:read', in: 'deployment' },
  uses: {},
  surfaces: ['rest'],
  handler: () => Promise.resolve({}),
});
const clock = definePlugin({
  id: 'clock',
  description: 'A tool that waits.',
  api: '^1',
  toolsets: [{ id: 'clock', description: 'A tool that waits.', tools: [wait, count, restOnly] }],
});

/** The lines that a connection receives, one at a time. */
class Connection {
  readonly #socket: Socket;
  readonly #lines: AsyncIterator<string>;

  constructor(path: string) {
    this.#socket = connect(path);
    this.#lines = createInterface({ input: this.#socket })[Symbol.asyncIterator]();
  }

  send(value: object): void {
    this.#socket.write(`${JSON.stringify(value)}\n`);
  }

  /** Undefined once the connection has ended. */
  async receive(): Promise<Line | undefined> {
    const { done, value } = await this.#lines.next();
    return done ? undefined : (JSON.parse(value) as Line);
  }

  async ask(value: object): Promise<Line | undefined> {
    this.send(value);
    return this.receive();
  }

  close(): void {
    this.#socket.destroy();
  }
}

describe('ndjson', () => {
  let folder: string;
  let path: string;
  let host: TestHost;
  let key: string;
  let open: Connection[] = [];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ndjson-'));
    path = join(folder, 'socket');
    host = await testHost({
      plugins: [workspaces, auth, clock],
      transports: [ndjson],
      config: { ndjson: { path }, server: { call_timeout_ms: 300 } },
    });
    const { account } = await host.use<{ account: { id: string } }>('auth_create_account', {
      email: 'ann@example.com',
      name: 'Ann',
    });
    const made = await host.use<{ secret_key: string }>(
      'auth_create_api_key',
      { name: 'socket' },
      { caller: callerWith({ userId: account.id }) },
    );
    key = made.secret_key;
  });
  after(async () => {
    await host.stop();
    await rm(folder, { recursive: true });
  });
  afterEach(() => {
    for (const connection of open) connection.close();
    open = [];
  });

  const connected = (): Connection => {
    const connection = new Connection(path);
    open.push(connection);
    return connection;
  };
  const withKey = async (): Promise<Connection> => {
    const connection = connected();
    const hello = await connection.ask({ headers: { 'x-service-api-key': key } });
    assert.equal(hello?.ready, true);
    return connection;
  };

  it('refuses a connection without a credential, and ends it', async () => {
    for (const headers of [{}, { 'x-service-api-key': 'wrong' }]) {
      const connection = connected();
      assert.equal((await connection.ask({ headers }))?.error?.code, 'UNAUTHENTICATED');
      assert.equal(await connection.receive(), undefined);
    }
  });

  it('lists what is on every surface, and calls it', async () => {
    const connection = await withKey();
    const listed = await connection.ask({ id: 1 });
    const names = listed?.tools?.map(({ name }) => name) ?? [];
    assert.ok(names.includes('clock_wait'), names.join());
    assert.ok(!names.includes('clock_rest_only'));
    const made = await connection.ask({ id: 2, tool: 'workspaces_create', arguments: { name: 'Team' } });
    assert.equal((made?.result?.structuredContent as { name: string } | undefined)?.name, 'Team');
    assert.equal((await connection.ask({ id: 3, tool: 'clock_rest_only' }))?.error?.code, 'UNKNOWN_TOOL');
  });

  it('ends a call at its deadline', async () => {
    const connection = await withKey();
    const late = await connection.ask({ id: 4, tool: 'clock_wait' });
    assert.deepEqual([late?.id, late?.error?.code], [4, 'DEADLINE_EXCEEDED']);
  });

  it('aborts what runs when the client disconnects', async () => {
    ends.length = 0;
    const connection = await withKey();
    connection.send({ id: 5, tool: 'clock_wait' });
    await new Promise((resolve) => setTimeout(resolve, 50));
    connection.close();
    while (ends.length === 0) await new Promise((resolve) => setImmediate(resolve));
    assert.match(String(ends[0]), /client went away/);
  });

  it('counts calls under its own surface', async () => {
    const metrics = await (await fetch(`${host.url}/metrics`)).text();
    assert.match(metrics, /service_mcp_calls_total\{tool="workspaces_create",surface="ndjson",code="OK"\} 1/);
  });

  it('opens a socket for its own user, and refuses to boot where it cannot', async () => {
    assert.equal((await stat(path)).mode & 0o777, 0o600);
    await assert.rejects(
      testHost({ plugins: [workspaces], transports: [ndjson], config: { ndjson: { path } } }),
      /transport ndjson: it does not start: .*EADDRINUSE/,
    );
  });

  it('tells of progress, and answers the calls in progress before it stops', async () => {
    const connection = await withKey();
    const first = await connection.ask({ id: 6, tool: 'clock_count' });
    assert.deepEqual([first?.id, first?.progress?.progress], [6, 1]);
    const stopped = host.stop();
    assert.equal((await connection.receive())?.progress?.progress, 2);
    assert.deepEqual((await connection.receive())?.result?.structuredContent, {});
    assert.equal(await connection.receive(), undefined);
    await stopped;
  });
});
