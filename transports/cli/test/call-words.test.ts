import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ownWords } from '#cli/commands/call.js';
import { runCommand } from './support/command.js';

/** The tools of a service, one of which has arguments named like options of the command line. */
const TOOLS = [
  {
    name: 'bookmarks_create',
    title: 'Create a bookmark',
    description: 'For tests.',
    annotations: {},
    inputSchema: {
      type: 'object',
      properties: { url: { type: 'string' }, json: { type: 'boolean' }, key_stdin: { type: 'string' } },
    },
  },
  {
    name: 'bookmarks_list',
    title: 'List bookmarks',
    description: 'For tests.',
    annotations: {},
    inputSchema: { type: 'object', properties: {} },
  },
];

describe('the words of call', () => {
  it('that name a service after the tool are told of where none is found', async () => {
    for (const words of [['--url', 'http://127.0.0.1:1'], ['--url=http://127.0.0.1:1']]) {
      const { code, stderr } = await runCommand(['call', 'help', ...words], {
        env: { SERVICE_DATA_DIR: '/proc/none', SERVICE_API_URL: '' },
      });
      assert.notEqual(code, 0);
      assert.match(stderr, /→ --url after the tool's name .* call --url … help/);
      assert.doesNotMatch(stderr, /working in this process/);
    }
  });

  let server: Server;
  let url: string;
  let bodies: unknown[];
  before(async () => {
    server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        if (request.method === 'POST') bodies.push(JSON.parse(Buffer.concat(parts).toString('utf8')));
        const body = request.url?.endsWith('/health')
          ? { server: 'service-mcp' }
          : request.url?.endsWith('/tools/list')
            ? { tools: TOOLS }
            : { structuredContent: { ok: true }, content: [{ type: 'text', text: 'Two bookmarks.' }] };
        response.end(JSON.stringify(body));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    bodies = [];
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  it("belong to the tool after its name: a tool's --url is not where the key goes", async () => {
    const args = ['--url', 'http://127.0.0.1:1/bookmark', '--json', '--key-stdin=k'];
    const { code, stderr } = await runCommand(['call', '--url', url, 'bookmarks_create', ...args]);
    assert.equal(code, 0, stderr);
    assert.deepEqual(bodies, [{ url: 'http://127.0.0.1:1/bookmark', json: true, key_stdin: 'k' }]);
  });

  it('ask for the text that a model reads', async () => {
    const { stdout } = await runCommand(['call', '--url', url, '--text', 'bookmarks_list']);
    assert.equal(stdout, 'Two bookmarks.\n');
  });

  it('say where an option of call goes that stands after the name', async () => {
    const misplaced = await runCommand(['call', '--url', url, 'bookmarks_list', '--data', 'x']);
    assert.equal(misplaced.code, 1);
    assert.match(misplaced.stderr, /takes no argument --data[^]*call --data … bookmarks_list/);
    const mixed = await runCommand(['call', '--url', url, 'bookmarks_list', '{}', '--json']);
    assert.match(mixed.stderr, /one JSON object, or flags[^]*before the tool's name/);
    const unknown = await runCommand(['call', '--nosuch', 'bookmarks_list']);
    assert.match(unknown.stderr, /call has no option --nosuch/);
    assert.deepEqual(bodies, []);
  });

  it('name the service in the hints', async () => {
    const help = await runCommand(['call', '--url', url, 'bookmarks_list', '--help']);
    assert.match(help.stdout, new RegExp(`call --url ${url} bookmarks_list\n$`));
    assert.deepEqual(bodies, []);
  });

  it('are those before the name for the command line itself', () => {
    const own = (...words: string[]) => ownWords(['call', ...words]).slice(1);
    assert.deepEqual(own('--json', 'x', '--json'), ['--json']);
    assert.deepEqual(own('--url', 'a', '--data=b', 'x', '--url', 'c'), ['--url', 'a', '--data=b']);
    assert.deepEqual(own('x', '--json'), []);
    assert.deepEqual(own('--json'), ['--json']);
    assert.deepEqual(ownWords(['search', 'call', '--json']), ['search', 'call', '--json']);
  });
});
