import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ended, runBinary, startCommand } from '../support/command.js';
import { folderWith } from '../support/folder.js';
import { FaultyService } from '../support/service.js';

describe('usage', () => {
  it('prints help and version without a service', async () => {
    const help = await runBinary(['--help']);
    assert.equal(help.code, 0);
    for (const name of [
      'serve',
      'stdio',
      'ingest',
      'search',
      'tools',
      'call',
      'export',
      'migrate',
      'doctor',
    ]) {
      assert.match(help.stdout, new RegExp(`^  ${name}`, 'm'));
    }
    for (const name of ['ingest', 'search']) {
      assert.doesNotMatch((await runBinary([name, '--help'])).stdout, /\[\]/);
    }
    assert.match((await runBinary(['--version'])).stdout, /^\d+\.\d+\.\d+\n$/);
  });

  const refusals: [string, string[], number, RegExp][] = [
    ['an unknown command', ['serch', 'x'], 1, /Did you mean search\?/],
    ['one like no other', ['nosuch'], 1, /Commands: serve, .*, doctor\.\nRun service-mcp --help/],
    ['one that objects have', ['constructor'], 1, /unknown command 'constructor'/],
    ['an empty command', [''], 1, /unknown command ''/],
    ['an unknown command below another', ['keys', 'creat'], 1, /Did you mean create\?/],
    ['one like no other there', ['accounts', 'x'], 1, /Commands: list, .*\nRun service-mcp accounts --help/],
    ['help on an unknown command', ['help', 'nosuch'], 1, /unknown command 'nosuch'/],
    ['help on one below another', ['help', 'keys', 'nosuch'], 1, /unknown command 'nosuch'\nCommands: list/],
    ['help of another on it', ['keys', 'help', 'nosuch'], 1, /unknown command 'nosuch'/],
    ['an unknown command with --help', ['nosuch', '--help'], 1, /unknown command 'nosuch'/],
    ['one below another with --help', ['keys', 'nosuch', '-h'], 1, /unknown command 'nosuch'/],
    ['nothing at all', [], 1, /Usage: service-mcp \[options\] \[command\][^]*Try:/],
    ['a command that needs one below it', ['keys'], 1, /Commands:\n {2}list/],
    ['an option before any command', ['--nosuch'], 1, /unknown option '--nosuch'\nCommands: serve/],
    ['an option of no command', ['serve', '--nosuch'], 1, /Run service-mcp serve --help/],
    ['an argument too many', ['doctor', 'x'], 1, /too many arguments[^]*Run service-mcp doctor --help/],
    ['an option without its value', ['tools', '--url'], 1, /argument missing[^]*service-mcp tools --help/],
    ['an unknown option', ['search', 'x', '--limt', '3'], 1, /Did you mean --limit\?/],
    ['a value out of bounds', ['search', 'x', '--limit', '1000'], 1, /between 1 and 100/],
    ['a missing argument', ['ingest'], 1, /missing required argument 'dir'/],
    ['a folder that does not exist', ['ingest', '/does/not/exist'], 1, /does not exist/],
    ['an invalid address', ['tools', '--url', 'nonsense'], 1, /is not the address/],
    ['two ways at once', ['tools', '--url', 'http://127.0.0.1:1', '--data', 'x'], 1, /one or the other/],
    ['a service out of reach', ['tools', '--url', 'http://127.0.0.1:1'], 2, /service-mcp serve/],
    ['arguments that are not JSON', ['call', 'help', '{x'], 1, /not valid JSON/],
    ['arguments that are not an object', ['call', 'help', '[1]'], 1, /one JSON object/],
    ['a call without a tool', ['call'], 1, /service-mcp tools/],
    [
      'a deployment file that is not there',
      ['doctor', '--config', '/does/not/exist.json'],
      1,
      /cannot be read/,
    ],
  ];
  for (const [what, args, code, hint] of refusals) {
    it(`refuses ${what} and says what to do`, async () => {
      const outcome = await runBinary(args);
      assert.equal(outcome.code, code, outcome.stderr);
      assert.match(outcome.stderr + (args[0] === 'doctor' ? outcome.stdout : ''), hint);
    });
  }

  it('helps on a command below another either way', async () => {
    for (const args of [
      ['help', 'keys', 'create'],
      ['keys', 'help', 'create'],
      ['keys', 'create', '--help'],
    ]) {
      const outcome = await runBinary(args);
      assert.equal(outcome.code, 0, args.join(' '));
      assert.match(outcome.stdout, /^Usage: service-mcp keys create /);
    }
    for (const args of [['help'], ['help', 'help'], ['help', 'search'], ['call', '--help']])
      assert.equal((await runBinary(args)).code, 0, args.join(' '));
  });

  it('prints a failure as JSON with --json', async () => {
    const outcome = await runBinary(['tools', '--json', '--url', 'http://127.0.0.1:1']);
    assert.equal(outcome.code, 2);
    assert.equal(outcome.stdout, '');
    assert.match(JSON.parse(outcome.stderr).error.message, /cannot be reached/);
  });

  it('does not take something else that listens for the service', async () => {
    const other = createServer((_request, response) => response.end('{"hello":1}'));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = other.address() as AddressInfo;
      assert.equal((await runBinary(['tools', '--url', `http://127.0.0.1:${port}`])).code, 2);
    } finally {
      other.close();
    }
  });

  it('ends with 130 on Ctrl-C in the middle of an ingest and goes on from there', async () => {
    const service = new FaultyService();
    const url = await service.start();
    const folder = await folderWith({ 'a.txt': 'a', 'b.txt': 'b' });
    try {
      const arrived = service.called(1);
      service.faults.push('hang');
      const child = startCommand(['ingest', folder.path, '--url', url]);
      const outcome = ended(child);
      await arrived;
      child.kill('SIGINT');
      const { code, stderr } = await outcome;
      assert.equal(code, 130, stderr);
      assert.match(stderr, /Run the same command again/);
      const again = await runBinary(['ingest', folder.path, '--url', url, '--json']);
      assert.equal(JSON.parse(again.stdout).sent, 2);
    } finally {
      await service.stop();
      await folder.remove();
    }
  });

  it('is quiet when its reader goes away', async () => {
    const child = startCommand(['--help']);
    child.stdout?.destroy();
    const { code, stderr } = await ended(child);
    assert.equal(code, 0);
    assert.equal(stderr, '');
  });

  it('carries the same deployment as deploy/hosted.json', async () => {
    const read = async (path: string) =>
      JSON.parse(await readFile(new URL(path, import.meta.url), 'utf8')) as unknown;
    assert.deepEqual(
      await read('../../../default-deployment.json'),
      await read('../../../../../deploy/hosted.json'),
    );
  });
});
