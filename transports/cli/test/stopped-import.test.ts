import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { httpConnection } from '#cli/connection/http.js';
import { Failure } from '#cli/failure.js';
import { ended, runCommand, startCommand } from './support/command.js';
import { folderWith } from './support/folder.js';

/** What a service answers an import with; a real one does not refuse it on demand. */
const ANSWERS = {
  imported: [200, { data: { imported: 2, skipped: 0, failed: 0, errors: [] } }],
  full: [
    503,
    { error: { code: 'UNAVAILABLE', message: 'The disk is full.', details: { reason: 'disk_full' } } },
  ],
  away: [503, { error: { code: 'UNAVAILABLE', message: 'No answer.', details: { reason: 'unreachable' } } }],
} as const;

describe('an import that does not come to its end', () => {
  let folder: Awaited<ReturnType<typeof folderWith>>;
  let server: Server;
  let url: string;
  let answer: keyof typeof ANSWERS | undefined;
  let received: string;
  before(async () => {
    const event = { record: 'event', id: 'e', event_type: 'note', title: 't', content: 'c' };
    folder = await folderWith({ 'memory.ndjson': `${JSON.stringify(event)}\n`.repeat(3) });
    server = createServer((request, response) => {
      const send = (status: number, body: object) => {
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(JSON.stringify(body));
      };
      if (request.url === '/api/v1/health') return send(200, { server: 'service-mcp' });
      if (request.url?.includes('workspaces_list'))
        return send(200, { structuredContent: { items: [{ id: 'w', name: 'W' }], total: 1 } });
      received = '';
      request.on('end', () => {
        if (answer === undefined) return void server.emit('taken');
        const [status, body] = ANSWERS[answer];
        send(status, body);
      });
      return void request.on('data', (part: Buffer) => (received += part.toString()));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(async () => {
    server.closeAllConnections();
    server.close();
    await folder.remove();
  });

  const command = () => ['import', join(folder.path, 'memory.ndjson'), '--url', url];
  const fails = async (how: keyof typeof ANSWERS, message: RegExp) => {
    answer = how;
    const { code, stderr } = await runCommand(command());
    assert.equal(code, 1);
    assert.match(stderr, message);
  };

  it('says to make room first where the disk is full, else to run it again', async () => {
    await fails('full', /→ When there is space: Run the same command again/);
    await fails('away', /→ Run the same command again to go on: what is there is skipped\./);
  });

  it('leaves out notes and folders that cannot be read, names them, and exits 1', async () => {
    answer = 'imported';
    const notes = join(folder.path, 'notes');
    await mkdir(notes);
    await writeFile(join(notes, 'a.md'), 'A');
    // Names that are not UTF-8 are listed as others, which do not exist.
    const unreadable = (name: string, end = '') =>
      Buffer.concat([Buffer.from(join(notes, name)), Buffer.from([0xff]), Buffer.from(end)]);
    await writeFile(unreadable('b', '.md'), 'B');
    await mkdir(unreadable('d'));
    await writeFile(join(notes, 'c.md'), 'C');
    const args = ['import', notes, '--url', url];
    const { code, stdout, stderr } = await runCommand(args);
    assert.equal(code, 1, stderr);
    assert.match(stdout, /^2 records imported \(basic-memory\), 2 records failed\./);
    assert.match(stderr, /b\ufffd\.md: it cannot be read \(no such file or folder, ENOENT\)/);
    const notesSent = received
      .split('\n')
      .map((line) => (JSON.parse(line || '{}') as { path?: string }).path);
    assert.deepEqual(
      notesSent,
      ['a.md', undefined, 'c.md', undefined, undefined],
      'the numbers of the lines stay',
    );
    const { failed, errors } = JSON.parse((await runCommand([...args, '--json'])).stdout) as {
      failed: number;
      errors: object[];
    };
    const message = 'it cannot be read (no such file or folder, ENOENT)';
    assert.deepEqual(
      [failed, errors],
      [
        2,
        [
          { line: 2, message, name: 'b\ufffd.md' },
          { line: 4, message, name: 'd\ufffd' },
        ],
      ],
    );
  });

  it('does not blame the service for what cannot be read', async () => {
    const { signal } = new AbortController();
    async function* lines() {
      yield Buffer.from('{}\n');
      await Promise.resolve();
      throw new Failure('FILE cannot be read.');
    }
    await assert.rejects(httpConnection(url, undefined, signal).upload('memory_import', {}, lines()), {
      message: 'FILE cannot be read.',
    });
  });

  it('says how far it came and how it goes on when it is stopped', async () => {
    answer = undefined;
    const sent = once(server, 'taken');
    const child = startCommand(command());
    const outcome = ended(child);
    await sent;
    child.kill('SIGINT');
    const { code, stderr } = await outcome;
    assert.equal(code, 130);
    assert.match(stderr, /Stopped after 3 lines sent\. Run the same command again to go on: what is there/);
  });
});
