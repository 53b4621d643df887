import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Gateway } from '@service-mcp/transport-gateway';
import { gatewayTo } from './gateway.js';
import { answering, type Peer } from './peer.js';

const MiB = 1024 * 1024;
const PIECE = Buffer.alloc(256 * 1024, 'x');

describe('gateway: streams of lines', () => {
  let peer: Peer;
  let gateway: Gateway;
  let serve: (req: IncomingMessage, res: ServerResponse) => void;
  before(async () => {
    peer = await answering((req, res) => {
      if (req.url !== '/health') return serve(req, res);
      res.writeHead(200, { 'content-type': 'application/json', 'content-length': 24 });
      res.end('{"server":"service-mcp"}');
    });
    gateway = await gatewayTo(peer.url);
  });
  after(async () => {
    await gateway.stop();
    await peer.close();
  });

  /** Writes pieces at the pace of the gateway, up to so many bytes. */
  function upload(bytes: number) {
    const headers = { 'content-type': 'application/x-ndjson' };
    const sent = request(`${gateway.url}/api/v1/x`, { method: 'POST', headers, agent: false });
    const closed = new AbortController();
    sent.on('error', () => undefined).once('close', () => closed.abort());
    const progress = { bytes: 0 };
    const done = (async () => {
      while (progress.bytes < bytes && !closed.signal.aborted) {
        progress.bytes += PIECE.length;
        if (!sent.write(PIECE)) await once(sent, 'drain', closed).catch(() => undefined);
      }
    })();
    const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
    answered.catch(() => undefined); // of an upload that is given up
    return { sent, progress, done, answered };
  }
  async function still(progress: { readonly bytes: number }): Promise<number> {
    for (let before = -1; before !== progress.bytes; await sleep(300)) before = progress.bytes;
    return progress.bytes;
  }

  it('go up without a limit, at the pace of the service', async () => {
    const gate = { open: () => undefined as void };
    let received = 0;
    serve = (req, res) => {
      gate.open = () =>
        void req
          .on('data', (part: Buffer) => (received += part.length))
          .on('end', () => res.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
    };
    const { sent, progress, done, answered } = upload(128 * MiB);
    const held = await still(progress);
    assert.ok(held < 64 * MiB, `${held} bytes were taken while the service read nothing`);
    gate.open();
    await done;
    sent.end();
    const [answer] = await answered;
    answer.resume();
    assert.deepEqual([answer.statusCode, received], [200, 128 * MiB]);
  });

  it('get the answer of a service that refuses in the middle', async () => {
    serve = (req, res) => {
      req.once('data', () => {
        res.writeHead(403, { 'content-type': 'application/json' }).end('{"success":false}');
      });
    };
    const { sent, answered } = upload(128 * MiB);
    const [answer] = await answered;
    assert.equal(answer.statusCode, 403);
    assert.equal((await answer.toArray()).join(''), '{"success":false}');
    sent.destroy();
  });

  it('get that answer too where the client reads it after the last line, over a connection that closes', async () => {
    serve = (req, res) => {
      req.once('data', () => {
        res.writeHead(413, { 'content-type': 'application/json' }).end('{"success":false}');
      });
    };
    const { host, hostname, port } = new URL(gateway.url);
    const socket = connect(Number(port), hostname);
    const failed = once(socket, 'error').then(([error]: Error[]) => Promise.reject(error as Error));
    failed.catch(() => undefined);
    const length = 64 * MiB;
    socket.write(
      `POST /api/v1/x HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n` +
        `Content-Type: application/x-ndjson\r\nContent-Length: ${length}\r\n\r\n`,
    );
    for (let left = length; left > 0; left -= PIECE.length)
      if (!socket.write(PIECE)) await Promise.race([once(socket, 'drain'), failed]);
    const answer = await Promise.race([socket.toArray() as Promise<Buffer[]>, failed]);
    assert.match(Buffer.concat(answer).toString(), /^HTTP\/1\.1 413 [^]*\{"success":false\}/);
    socket.destroy();
  });

  it('end at the service when the client leaves in the middle', async () => {
    const left = new Promise<void>((resolve) => {
      serve = (req) => void req.on('close', resolve).resume();
    });
    const { sent } = upload(MiB);
    await sleep(50);
    sent.destroy();
    await left;
  });
});
