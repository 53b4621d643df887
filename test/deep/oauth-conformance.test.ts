import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freshDatabase, type TestDatabase } from '@service-mcp/core/testing';
import { Browser } from '../oauth/support/browser.js';
import { allow } from '../oauth/support/browser-consent.js';
import { PASSWORD } from '../oauth/support/oauth-deployment.js';
import { freePort } from '../free-port.js';
import { prepareServing, type ServeProcess } from '../oauth/support/serve-process.js';

/** Needs a newer Node than the service; both come from the package registry, into a folder that goes with the test. */
const PACKAGES = ['@modelcontextprotocol/conformance@0.2.0-alpha.12', 'node@24.21.0'];
const SCENARIOS = ['authorization-server-metadata-endpoint', 'authorization-code-grant'];

interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

describe('the conformance suite of MCP for authorization servers', () => {
  let folder: string;
  let database: TestDatabase;
  let service: ServeProcess;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'service-mcp-conformance-'));
    await writeFile(join(folder, 'package.json'), '{"private":true,"allowScripts":{"node":true}}');
    const args = ['install', '--no-audit', '--no-fund', '--engine-strict=false', ...PACKAGES];
    const { code, text } = await run('npm', args, folder);
    assert.equal(code, 0, `needs ${PACKAGES.join(' and ')} by npm install, which failed:\n${text}`);
    const { text: version } = await run(node(), ['--version'], folder);
    assert.match(version, /^v24\./, `needs Node 24, which the package node was to bring, and got ${version}`);
    database = await freshDatabase('sqlite');
    service = await (
      await prepareServing(database, {
        auth: { registration: 'open', client_documents: 'always' },
      })
    ).start();
  });
  after(async () => {
    await service?.stop();
    await database?.drop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  const node = () => join(folder, 'node_modules', 'node', 'bin', 'node');

  it(`passes ${SCENARIOS.join(' and ')}`, async () => {
    const { url } = service.told;
    const port = await freePort();
    const callback = `http://127.0.0.1:${port}/callback`;
    const post = async (path: string, body: object) => {
      const response = await fetch(`${url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      assert.equal(response.status, 201);
      return (await response.json()) as Record<string, string>;
    };
    const person = { email: 'ann@example.com', password: PASSWORD };
    await post('/v1/auth/register', person);
    const client = await post('/api/v1/oauth/register', {
      client_name: 'Conformance',
      redirect_uris: [callback],
    });

    let isAsked = false;
    let failure: unknown;
    const { code, text } = await run(
      node(),
      [
        join('node_modules', '@modelcontextprotocol', 'conformance', 'dist', 'index.js'),
        'authorization',
        `--url=${url}`,
        `--resource=${url}/mcp`,
        `--client-id=${client['client_id']}`,
        `--port=${port}`,
        '--output-dir=results',
      ],
      folder,
      (printed, suite) => {
        const [address] = /^http\S+\/oauth\/authorize\?\S+$/m.exec(printed) ?? [];
        if (address === undefined || isAsked) return;
        isAsked = true; // it asks a person to open this address in a browser
        allow(new Browser(fetch, callback), address, person)
          .then((back) => fetch(back))
          .catch((error: unknown) => {
            failure = error;
            suite.kill(); // it would wait for five minutes
          });
      },
    );
    assert.ifError(failure);
    assert.equal(code, 0, text);
    const results = join(folder, 'results');
    const checks = new Map<string, readonly Check[]>();
    for (const name of await readdir(results)) {
      const found = JSON.parse(await readFile(join(results, name, 'checks.json'), 'utf8')) as Check[];
      checks.set(name, found);
    }
    for (const scenario of SCENARIOS) {
      const [, found = []] = [...checks].find(([name]) => name.includes(scenario)) ?? [];
      assert.ok(found.length > 0, `${scenario} did not run: ${text}`);
      for (const { id, status, errorMessage } of found)
        assert.equal(status, 'SUCCESS', `${id}: ${errorMessage}`);
    }
  });
});

/** Runs a program to its end. `watch` sees all that it has printed so far. */
async function run(
  command: string,
  args: readonly string[],
  cwd: string,
  watch?: (printed: string, child: ChildProcess) => void,
): Promise<{ code: number; text: string }> {
  const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      watch?.(text, child);
    });
  const [code] = (await once(child, 'close')) as [number];
  return { code, text };
}
