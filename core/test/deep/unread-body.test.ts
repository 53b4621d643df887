import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { testHost, type TestHost } from '@service-mcp/core/testing';

describe('a body that nobody reads', () => {
  let host: TestHost;
  before(async () => {
    host = await testHost({ listen: true, workers: false });
  });
  after(() => host.stop());

  it('does not hold its connection after the answer', async () => {
    const { hostname, port } = new URL(host.url as string);
    const socket = connect(Number(port), hostname);
    // A server that closes before it has read everything resets the connection, on which Node emits an error first.
    socket.on('error', (error: NodeJS.ErrnoException) =>
      assert.match(error.code ?? '', /^(?:ECONNRESET|EPIPE)$/),
    );
    const closed = new Promise((resolve) => void socket.once('close', resolve));
    socket.write(`POST /nothing-here HTTP/1.1\r\nHost: ${hostname}:${port}\r\nContent-Length: 100\r\n\r\nx`);
    const dripping = setInterval(() => socket.write('x'), 1_000);
    try {
      const [head] = (await once(socket, 'data')) as [Buffer];
      assert.match(head.toString(), /^HTTP\/1\.1 404 /);
      await closed; // 100 s before the body is complete
    } finally {
      clearInterval(dripping);
      socket.destroy();
    }
    assert.ok(socket.bytesWritten < 500);
  });
});
