import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startCommand } from '../support/command.js';

const MODULES = fileURLToPath(new URL('../../../../../node_modules', import.meta.url));
const DEPLOYMENT = {
  plugins: ['./plugin/dist/index.js'],
  transports: ['@service-mcp/transport-mcp', '@service-mcp/transport-rest'],
};
const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** A plugin with one tool that says `word`. */
const plugin = (word: string) => `import { definePlugin, defineTool, closed } from '@service-mcp/core';
import { Type } from 'typebox';
import { again } from './again.js';
const say = defineTool({
  name: 'words_say', title: 'Say a word', description: 'Says ${word}.',
  input: Type.Object({}, closed),
  output: Type.Object({ word: Type.String() }, closed),
  effect: 'read', level: 'light', access: { scope: 'words:read', in: 'deployment' },
  http: { method: 'GET', path: '/v1/word' }, uses: {},
  handler: () => ({ word: again('${word}') }),
});
export default definePlugin({
  id: 'words', description: 'Words.', api: '^1',
  toolsets: [{ id: 'words', description: 'Words.', tools: [say] }],
});
`;

describe('serve --watch', () => {
  let folder: string;
  let service: ChildProcess;
  let said = '';
  let printed = '';
  const dist = (name: string) => join(folder, 'plugin', 'dist', name);
  const start = () => {
    [said, printed] = ['', ''];
    const args = [
      'serve',
      '--watch',
      '--config',
      'deployment.json',
      '--data',
      'data',
      '--port',
      '0',
      '--json',
    ];
    service = startCommand(args, { cwd: folder, env: { SERVICE_WORKERS: 'inside' } });
    service.stderr?.on('data', (part: Buffer) => (said += part.toString()));
    service.stdout?.on('data', (part: Buffer) => (printed += part.toString()));
  };
  const until = async (pattern: RegExp) => {
    while (!pattern.test(said)) {
      assert.equal(service.exitCode, null, `it ended before it said ${String(pattern)}:\n${said}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    said = '';
  };
  const address = () => /"url": "([^"]+)"/.exec(printed)?.[1] ?? '';
  const word = async () => {
    const answer = (await (await fetch(`${address()}/v1/word`)).json()) as { data: { word: string } };
    return answer.data.word;
  };
  const write = (word: string) => writeFile(dist('index.js'), plugin(word));

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'service-mcp-watch-'));
    await symlink(MODULES, join(folder, 'node_modules'), 'junction');
    await mkdir(dist(''), { recursive: true });
    await writeFile(join(folder, 'plugin', 'package.json'), '{ "type": "module" }');
    await writeFile(join(folder, 'deployment.json'), JSON.stringify(DEPLOYMENT));
    await writeFile(dist('again.js'), 'export const again = (word) => word;\n');
    await write('one');
    start();
    await until(/Watching the deployment file/);
    while (address() === '') await once(service.stdout as NodeJS.ReadableStream, 'data');
  });
  after(async () => {
    service.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  it('serves a changed plugin on the same port, to the same session', async () => {
    assert.equal(await word(), 'one');
    const post = (method: string, params: object, headers: Record<string, string> = {}) =>
      fetch(`${address()}/mcp`, {
        method: 'POST',
        headers: { ...HEADERS, ...headers },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      });
    const clientInfo = { name: 'test', version: '1' };
    const opened = await post('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
    const session = opened.headers.get('mcp-session-id');
    assert.ok(session);

    await write('two');
    await until(/Restarting: plugin\/dist\/index\.js changed\.\n[^]*Ready again on http/);
    assert.equal(await word(), 'two');
    const listed = await post('tools/list', {}, { 'mcp-session-id': session });
    assert.equal(listed.status, 200);
    assert.match(await listed.text(), /Says two\./);
  });

  it('restarts once for many files, and for one that only another file imports', async () => {
    await writeFile(dist('again.js'), 'export const again = (word) => word + word;\n');
    for (const name of ['a', 'b', 'c', 'd']) await writeFile(dist(`${name}.js`), '');
    await until(/changed\.\n[^]*Ready again/);
    assert.equal(await word(), 'twotwo');
  });

  it('says what is wrong with a broken plugin, and serves the next one', async () => {
    await writeFile(dist('index.js'), 'export default {');
    await until(/it fails on import: [^]*The service ended \(exit 1\)\. It starts again after a change\./);
    await assert.rejects(word());
    await write('three');
    await until(/Ready again/);
    assert.equal(await word(), 'threethree');
  });

  it('follows a folder that is deleted and built again, and the deployment file', async () => {
    await rm(dist(''), { recursive: true });
    await until(/The service ended/);
    await mkdir(dist(''));
    await writeFile(dist('again.js'), 'export const again = (word) => word;\n');
    await write('four');
    await until(/Ready again/);
    assert.equal(await word(), 'four');
    const server = { call_timeout_ms: 20_000 };
    await writeFile(join(folder, 'deployment.json'), JSON.stringify({ ...DEPLOYMENT, server }));
    await until(/Restarting: deployment\.json changed\.[^]*Ready again/);
    await write('five');
    await until(/Ready again/);
    assert.equal(await word(), 'five');
  });

  it('does not restart for what is not code', async () => {
    await writeFile(dist('index.d.ts'), 'export {};\n');
    await writeFile(dist('index.js.map'), '{}');
    await write('six');
    await until(/Restarting: plugin\/dist\/index\.js changed\.\n[^]*Ready again/);
  });

  it('stops the service with it, by SIGTERM and by SIGKILL', async () => {
    for (const [signal, code] of [
      ['SIGTERM', 0],
      ['SIGKILL', null],
    ] as const) {
      if (service.exitCode !== null) {
        start();
        while (address() === '') await once(service.stdout as NodeJS.ReadableStream, 'data');
      }
      const url = `${address()}/health`;
      assert.equal((await fetch(url)).status, 200);
      service.kill(signal);
      assert.equal((await once(service, 'exit'))[0], code);
      while (await fetch(url).catch(() => undefined))
        await new Promise((resolve) => setTimeout(resolve, 100));
    }
  });

  it('ends with the error of a service that never started', async () => {
    await writeFile(dist('index.js'), 'export default {');
    start();
    assert.equal((await once(service, 'exit'))[0], 1);
    assert.match(said, /it fails on import/);
  });
});
