import assert from 'node:assert/strict';
import { Agent, request, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { startHosted, withKey, type Hosted } from '../security/start-hosted.js';

/** Sends the bytes and then one more each second; resolves with the answer and the seconds when the other end closes. */
function dribble(url: string, start: string, more: string): Promise<{ heard: string; seconds: number }> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const startedAt = Date.now();
    let heard = '';
    const socket = connect(Number(port), hostname, () => socket.write(start));
    const pulse = setInterval(() => socket.write(more), 1000);
    socket.on('data', (chunk: Buffer) => (heard += chunk.toString('latin1')));
    socket.on('error', () => undefined); // the expected close, in the middle of a write
    socket.on('close', () => {
      clearInterval(pulse);
      resolve({ heard, seconds: (Date.now() - startedAt) / 1000 });
    });
  });
}

describe('threat: slow requests, waited out', () => {
  let service: Hosted;
  before(async () => {
    service = await startHosted();
  });
  after(() => service.stop());

  const head = (path: string, type: string) =>
    `POST ${path} HTTP/1.1\r\nHost: ${new URL(service.url).host}\r\nOrigin: ${service.url}\r\nContent-Type: ${type}\r\n`;

  it('headers that dribble are cut off within 15 s', async () => {
    const { heard, seconds } = await dribble(
      service.url,
      head('/v1/auth/login', 'application/json'),
      'X-A: b\r\n',
    );
    assert.ok(seconds < 15, `${seconds} s`);
    assert.match(heard, /^HTTP\/1\.1 408 /);
  });

  it('bodies of at most 1 MiB that dribble are cut off within 35 s, on every public route', async () => {
    const form = 'application/x-www-form-urlencoded';
    const json = 'application/json';
    const places: readonly (readonly [string, string])[] = [
      ['/api/v1/oauth/token', form],
      ['/api/v1/oauth/revoke', form],
      ['/api/v1/oauth/register', json],
      ['/oauth/login', form],
      ['/v1/auth/login', json],
      ['/v1/auth/register', json],
    ];
    await Promise.all(
      places.map(async ([path, type]) => {
        const { heard, seconds } = await dribble(
          service.url,
          `${head(path, type)}Content-Length: 1000\r\n\r\n{`,
          'x',
        );
        assert.ok(seconds > 25 && seconds < 35, `${path}: ${seconds} s`);
        assert.match(heard, /^HTTP\/1\.1 (?:400|504) /, path);
        assert.match(heard, /30 s/, `${path}: it says why`);
      }),
    );
  });

  it('a connection that is in use outlives the limits on bodies that were not read', async () => {
    const { key } = await service.account('ann');
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const sockets = new Set<Socket>();
    const url = `${service.local}/api/v1/tools/workspaces_list`;
    const headers = { 'content-type': 'application/json', ...withKey(key) };
    for (const until = Date.now() + 15_000; Date.now() < until; await delay(250)) {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        const sent = request(url, { method: 'POST', headers, agent }, resolve);
        sent
          .once('socket', (socket) => sockets.add(socket))
          .once('error', reject)
          .end('{}');
      });
      assert.equal(response.statusCode, 200);
      for await (const _part of response);
    }
    agent.destroy();
    assert.equal(sockets.size, 1, 'the service closed a connection in use');
  });
});
