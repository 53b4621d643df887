import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { ended, runCommand, startCommand } from './support/command.js';
import { folderWith } from './support/folder.js';

/** What a service refuses an import with, that a real one does not on demand. */
const REFUSALS = {
  full: [503, { code: 'UNAVAILABLE', message: 'The disk is full.', details: { reason: 'disk_full' } }],
  away: [503, { code: 'UNAVAILABLE', message: 'No answer.', details: { reason: 'unreachable' } }],
  unplaced: [
    400,
    {
      code: 'INVALID_ARGUMENT',
      message: 'Which workspace?',
      details: { issues: [{ path: '/workspace_id', message: 'is required' }] },
    },
  ],
} as const;

describe('an import that does not come to its end', () => {
  let folder: Awaited<ReturnType<typeof folderWith>>;
  let server: Server;
  let url: string;
  let refusal: keyof typeof REFUSALS | undefined;
  before(async () => {
    const event = { record: 'event', id: 'e', event_type: 'note', title: 't', content: 'c' };
    folder = await folderWith({ 'memory.ndjson': `${JSON.stringify(event)}\n`.repeat(3) });
    server = createServer((request, response) => {
      const answer = (status: number, body: object) => {
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(JSON.stringify(body));
      };
      if (request.url === '/api/v1/health') return answer(200, { server: 'service-mcp' });
      if (request.url?.includes('workspaces_list'))
        return answer(200, { structuredContent: { items: [], total: 0 } });
      request.on('end', () => {
        if (refusal === undefined) return void server.emit('received');
        const [status, error] = REFUSALS[refusal];
        answer(status, { error });
      });
      return void request.resume();
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
  const fails = async (how: keyof typeof REFUSALS, message: RegExp) => {
    refusal = how;
    const { code, stderr } = await runCommand(command());
    assert.equal(code, 1);
    assert.match(stderr, message);
  };

  it('says to make room first where the disk is full, else to run it again', async () => {
    await fails('full', /→ When there is space: Run the same command again/);
    await fails('away', /→ Run the same command again to go on: what is there is skipped\./);
  });

  it('says how to make a workspace where there is none', async () => {
    await fails('unplaced', /→ Make one: .* call --url \S+ workspaces_create --name NAME/);
  });

  it('says how far it came and how it goes on when it is stopped', async () => {
    refusal = undefined;
    const received = once(server, 'received');
    const child = startCommand(command());
    const outcome = ended(child);
    await received;
    child.kill('SIGINT');
    const { code, stderr } = await outcome;
    assert.equal(code, 130);
    assert.match(stderr, /Stopped after 3 lines sent\. Run the same command again to go on: what is there/);
  });
});
