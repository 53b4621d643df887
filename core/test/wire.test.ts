import assert from 'node:assert/strict';
import {
  LOCAL_OWNER,
  ServiceError,
  amendCall,
  invalidArgument,
  lazyCall,
  type CallContext,
  type CallFacts,
  type Log,
  type ToolInfo,
} from '@service-mcp/core';
import {
  Cancellations,
  OpenCount,
  completeResult,
  errorResult,
  idOf,
  isDeeperThan,
  largestBody,
  negotiateVersion,
  readRpc,
  rpcError,
  rpcFailure,
  toolEntry,
} from '@service-mcp/core/wire';
import { callerWith } from '@service-mcp/core/testing';

const quiet = () => undefined;
const log: Log = { debug: quiet, info: quiet, warn: quiet, error: quiet, child: () => log };
const facts: CallFacts = {
  caller: LOCAL_OWNER,
  surface: 'mcp',
  requestId: 'r',
  deadline: 0,
  selection: { toolsets: [], readOnly: false },
  log,
};

const info = (effect: ToolInfo['effect'], more: Partial<ToolInfo> = {}): ToolInfo => ({
  name: 'things_do',
  title: 'Do a thing',
  description: 'Does it.',
  inputSchema: { type: 'object' },
  outputSchema: { type: 'object' },
  effect,
  openWorld: false,
  access: { scope: 'things:read', in: 'visible' },
  level: 'light',
  plugin: 'things',
  toolset: 'things',
  surfaces: ['mcp'],
  ...more,
});

describe('wire: tools and results', () => {
  it('emits a title and all four hints for each effect', () => {
    const hints = (effect: ToolInfo['effect']) => {
      const { title, ...rest } = toolEntry(info(effect)).annotations;
      assert.equal(title, 'Do a thing');
      return Object.values(rest);
    };
    assert.deepEqual(hints('read'), [true, false, true, false]);
    assert.deepEqual(hints('create'), [false, false, false, false]);
    assert.deepEqual(hints('update'), [false, true, true, false]);
    assert.deepEqual(hints('delete'), [false, true, true, false]);
    assert.equal(toolEntry(info('read', { openWorld: true })).annotations.openWorldHint, true);
  });

  it('shows nothing of a tool beyond its entry', () => {
    const keys = ['name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations'];
    assert.deepEqual(Object.keys(toolEntry(info('read'))), keys);
  });

  it('gives the data twice, and the blocks of a tool after it', () => {
    const link = { type: 'resource_link', uri: 'service://a', name: 'a' } as const;
    const result = completeResult({ kind: 'complete', structured: { a: [1, 'ü'] }, content: [link] });
    assert.deepEqual(result, {
      content: [{ type: 'text', text: '{"a":[1,"ü"]}' }, link],
      structuredContent: { a: [1, 'ü'] },
      isError: false,
    });
  });

  it('has the text of the tool in place of the JSON', () => {
    const link = { type: 'resource_link', uri: 'x://y', name: 'y' } as const;
    const text = ({ n }: Readonly<Record<string, unknown>>) => `n is ${String(n)}`;
    const result = completeResult({ kind: 'complete', structured: { n: 1 }, content: [link], text });
    assert.deepEqual(result.content, [{ type: 'text', text: 'n is 1' }, link]);
    assert.deepEqual(result.structuredContent, { n: 1 });
  });

  it('refuses a question that it cannot pass on, and repeats it', () => {
    const asks = { name: 'city', message: 'Which city?', schema: {} };
    assert.throws(
      () => completeResult({ kind: 'input_required', requests: [asks], state: '' }),
      (error: ServiceError) => error.code === 'UNAVAILABLE' && error.message.includes('Which city?'),
    );
    assert.throws(
      () => completeResult({ kind: 'input_required', requests: [asks], state: '', instead: 'city' }),
      (error: ServiceError) =>
        error.details?.['argument'] === 'city' && /argument city\./.test(error.message),
    );
  });

  it('lists the issues of an error where there are several', () => {
    const issues = [
      { path: '/limit', message: 'must be <= 100' },
      { path: '', message: 'must have query' },
    ];
    const error = new ServiceError('INVALID_ARGUMENT', 'Two arguments are wrong.', { details: { issues } });
    const result = errorResult(error);
    assert.deepEqual(result.content, [
      {
        type: 'text',
        text: 'INVALID_ARGUMENT: Two arguments are wrong.\n- /limit: must be <= 100\n- /: must have query',
      },
    ]);
    assert.deepEqual(result._meta['service-mcp/error'], error.body);
    assert.equal('structuredContent' in result, false);
    const one = errorResult(invalidArgument('/limit', 'must be <= 100')).content[0];
    assert.deepEqual(one, { type: 'text', text: 'INVALID_ARGUMENT: limit: must be <= 100' });
  });

  it('gives JSON-RPC the number of the table and the code in data', () => {
    assert.deepEqual(rpcError(new ServiceError('NOT_FOUND', 'No.')), {
      code: -32004,
      message: 'No.',
      data: { code: 'NOT_FOUND' },
    });
    assert.deepEqual(rpcFailure(new ServiceError('PARSE_ERROR', 'No.')), {
      jsonrpc: '2.0',
      id: null,
      error: { code: -32700, message: 'No.', data: { code: 'PARSE_ERROR' } },
    });
  });

  it('negotiates a known version, otherwise the newest', () => {
    assert.equal(negotiateVersion('2024-11-05'), '2024-11-05');
    for (const odd of ['1999-01-01', undefined, 7]) assert.equal(negotiateVersion(odd), '2025-11-25');
  });

  it('takes the largest declared body, 1 MiB at least', () => {
    const http = { method: 'POST', path: '/v1/x', status: 200 } as const;
    assert.equal(largestBody([info('read')]), 1024 * 1024);
    assert.equal(largestBody([info('read', { http: { ...http, bodyLimit: 5_000_000 } })]), 5_000_000);
    assert.equal(largestBody([]), 1024 * 1024);
  });
});

describe('wire: messages', () => {
  const code = (body: unknown) => {
    try {
      readRpc(body);
    } catch (error) {
      return (error as ServiceError).code;
    }
    return undefined;
  };

  it('reads a request with any id, and a notification', () => {
    for (const id of ['a', '', 0, 7, null]) assert.equal(readRpc({ jsonrpc: '2.0', id, method: 'm' }).id, id);
    assert.deepEqual(readRpc({ jsonrpc: '2.0', method: 'm', params: { a: 1 } }), {
      method: 'm',
      params: { a: 1 },
      id: undefined,
    });
  });

  it('drops unusable params of a notification, which gets no response', () => {
    const deep = JSON.parse('{"a":'.repeat(200) + '1' + '}'.repeat(200)) as unknown;
    for (const params of [[], [1], null, 7, 'x', deep])
      assert.deepEqual(readRpc({ jsonrpc: '2.0', method: 'm', params }), {
        method: 'm',
        params: {},
        id: undefined,
      });
  });

  it('refuses anything but a single JSON-RPC message', () => {
    assert.equal(code(undefined), 'PARSE_ERROR');
    const ok = { jsonrpc: '2.0', id: 1, method: 'm' };
    const broken: unknown[] = [[], [ok], null, 7, 'x', {}, { ...ok, jsonrpc: '1.0' }, { ...ok, method: 5 }];
    broken.push(
      { ...ok, id: {} },
      { ...ok, id: true },
      { ...ok, id: 1.5 },
      { ...ok, params: [] },
      { ...ok, params: null },
    );
    for (const body of broken) assert.equal(code(body), 'INVALID_REQUEST', JSON.stringify(body));
    assert.equal(idOf({ id: 0 }), 0);
    assert.equal(idOf([{ id: 1 }]), null);
    assert.equal(idOf({ id: {} }), null);
  });

  it('measures nesting without recursion', () => {
    const nested = (depth: number) =>
      JSON.parse('[{"a":'.repeat(depth / 2) + '1' + '}]'.repeat(depth / 2)) as unknown;
    assert.equal(isDeeperThan(nested(128), 128), false);
    assert.equal(isDeeperThan(nested(130), 128), true);
    assert.equal(isDeeperThan(nested(200_000), 128), true);
    assert.equal(
      code({ jsonrpc: '2.0', id: 1, method: 'm', params: { deep: nested(5000) } }),
      'INVALID_REQUEST',
    );
  });
});

describe('wire: open streams', () => {
  it('are bounded for each user, whichever credentials they are opened with', () => {
    const open = new OpenCount();
    const ann = callerWith();
    const keyOf = (n: number) => ({ ...ann, credentialId: `k${n}` });
    const leaves = Array.from({ length: 1000 }, (_, n) => open.enter(keyOf(n)));
    assert.throws(() => open.enter(keyOf(1001)), /Too many event streams are open/);
    const leave = open.enter(callerWith());
    assert.equal(open.count, 1001);
    leaves[0]?.();
    leaves[0] = open.enter(keyOf(1001));
    for (const end of [...leaves, leave]) end();
    assert.equal(open.count, 0);
  });
});

describe('wire: cancellations', () => {
  it('cancel the call they name and no other', async () => {
    const cancellations = new Cancellations();
    const never = new AbortController().signal;
    const call = amendCall(
      lazyCall(facts, () => never),
      { session: 's' },
    );
    const wait = ({ signal }: CallContext) =>
      new Promise<string>((resolve) =>
        signal.addEventListener('abort', () => resolve(String(signal.reason))),
      );
    const first = cancellations.run(call, 1, async (own, isCancelled) => {
      assert.equal(isCancelled(), false);
      return `${await wait(own)} ${isCancelled()}`;
    });
    const twin = cancellations.run(call, '1', async ({ signal }) => signal);
    cancellations.cancel('other', 1);
    cancellations.cancel('s', 1);
    assert.match(await first, /The client cancelled this call\. true$/);
    assert.equal((await twin).aborted, false);
    cancellations.cancel('s', 1);
  });
});
