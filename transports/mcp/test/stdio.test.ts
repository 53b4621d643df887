import assert from 'node:assert/strict';
import { INITIALIZE, rpc, start, type Running } from './fixture.js';
import { connect } from './stdio-client.js';

const MiB = 1024 * 1024;

describe('mcp: stdio', () => {
  let running: Running;
  before(async () => {
    running = await start();
  });
  after(() => running.host.stop());

  it('serves a client that opens with initialize', async () => {
    const { stdin, connection, next, write } = connect(running);
    write(INITIALIZE);
    const { result } = await next();
    assert.equal(result?.['protocolVersion'], '2025-11-25');
    assert.deepEqual(result?.['serverInfo'], { name: 'service-mcp', version: '9.9.9' });
    write({ jsonrpc: '2.0', method: 'notifications/initialized' });
    write(rpc('tools/call', { name: 'things_slow', arguments: { ms: 0 }, _meta: { progressToken: 'p' } }, 2));
    const seen = [await next(), await next(), await next(), await next()];
    assert.deepEqual(
      seen.map(({ id, method }) => id ?? method),
      ['notifications/progress', 'notifications/progress', 'notifications/progress', 2],
    );
    stdin.end();
    await connection.closed;
  });

  it('ignores a byte order mark before the first message, in one piece or two', async () => {
    for (const pieces of [['\ufeff'], [Buffer.of(0xef), Buffer.of(0xbb, 0xbf)], ['']]) {
      const { stdin, connection, next, write } = connect(running);
      for (const piece of pieces) {
        stdin.write(piece);
        await new Promise((resolve) => setImmediate(resolve));
      }
      write(INITIALIZE);
      assert.ok((await next()).result?.['serverInfo']);
      stdin.end();
      await connection.closed;
    }
  });

  it('serves a modern client', async () => {
    const { stdin, connection, next, write } = connect(running);
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    write(rpc('server/discover', { _meta }));
    assert.deepEqual((await next()).result?.['supportedVersions'], ['2026-07-28']);
    write(rpc('tools/call', { name: 'things_echo', arguments: { text: 'x' }, _meta }, 2));
    assert.deepEqual((await next()).result?.['structuredContent'], { text: 'x', by: 'local owner' });
    stdin.end();
    await connection.closed;
  });

  it('answers pending requests before it ends with its input', async () => {
    const { stdin, connection, next, write } = connect(running);
    write(INITIALIZE);
    const slow = rpc('tools/call', { name: 'things_slow', arguments: { ms: 50 } }, 2);
    stdin.end(JSON.stringify(slow)); // without the last line break
    assert.ok((await next()).result?.['serverInfo']);
    const { id, result } = await next();
    assert.equal(id, 2);
    assert.ok(result?.['structuredContent']);
    await connection.closed;
  });

  it('waits for answers up to its limit', async () => {
    const { stdin, connection, next, write } = connect(running, { drainMs: 20 });
    write(INITIALIZE);
    await next();
    write(rpc('tools/call', { name: 'things_slow', arguments: { ms: 60_000 } }, 2));
    stdin.end();
    await connection.closed;
  });

  it('does not wait for a cancelled request', async () => {
    const { stdin, connection, next, write } = connect(running);
    write(INITIALIZE);
    await next();
    write(rpc('tools/call', { name: 'things_slow', arguments: { ms: 60_000 } }, 2));
    write({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } });
    stdin.end();
    await connection.closed;
  });

  it('reports a malformed line in one line, and continues', async () => {
    const errors: Error[] = [];
    const { stdin, connection, next, write } = connect(running, { onError: (error) => errors.push(error) });
    stdin.write('[]\n');
    write(INITIALIZE);
    assert.ok((await next()).result?.['serverInfo']);
    stdin.end();
    await connection.closed;
    assert.equal(errors.length, 1);
    assert.match(errors[0]?.message ?? '', /^An input line is not a JSON-RPC 2\.0 message.*$/);
  });

  it('takes a line as large as a call may be, and answers a larger one by its id', async () => {
    const errors: Error[] = [];
    const { stdin, connection, next, write } = connect(running, { onError: (error) => errors.push(error) });
    write(INITIALIZE);
    await next();
    const writeLong = (bytes: number, start: string, end: string): void => {
      for (const part of [start, Buffer.alloc(bytes, 'x'), `${end}\n`]) stdin.write(part);
    };
    const params = '"params":{"name":"things_echo","arguments":{"text":"';
    const first = `{"jsonrpc":"2.0","id":2,"method":"tools/call",${params}`;
    writeLong(11 * MiB, first, '","more":1}}}');
    const { id, result } = await next();
    assert.deepEqual([id, result?.['isError']], [2, true], 'the tool knows no such argument');
    writeLong(33 * MiB, first, '"}}}');
    writeLong(33 * MiB, `{"method":"tools/call",${params}`, '"}},"jsonrpc":"2.0","id":"three"}');
    for (const of of [2, 'three']) {
      const refused = await next();
      assert.deepEqual([refused.id, refused.error?.code], [of, -32013]);
    }
    writeLong(33 * MiB, '{"jsonrpc":"2.0","id":4,"result":{"text":"', '"}}');
    write(rpc('ping', {}, 6));
    assert.equal((await next()).id, 6);
    assert.equal(errors.length, 1);
    assert.match(errors[0]?.message ?? '', /line is over 33554432 bytes/);
    stdin.end();
    await connection.closed;
  });

  it('ends on close', async () => {
    const { connection } = connect(running);
    await connection.close();
    await connection.closed;
  });
});
