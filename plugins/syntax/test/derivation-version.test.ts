import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { derivationVersion } from '@service-mcp/plugin-syntax/contract';

describe('syntax: the version of derived data', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'service-mcp-version-'));
    await mkdir(join(folder, 'languages'));
  });
  after(() => rm(folder, { recursive: true }));

  it('changes with the modules of the consumer, and with nothing else', async () => {
    const version = () => derivationVersion([pathToFileURL(`${folder}/`)]);
    const write = (path: string, text: string) => writeFile(join(folder, path), text);
    await write('languages/go.js', 'export const a = 1;');
    const first = version();
    await write('languages/go.d.ts', 'export declare const a = 1;');
    assert.equal(version(), first);
    await write('languages/go.js', 'export const a = 2;');
    const second = version();
    await write('rules.js', '');
    await write('languages/java.js', 'export const b = 1;');
    assert.equal(new Set([derivationVersion([]), first, second, version()]).size, 4);
    await write('languages/go.js', 'export const a = 1;');
    await rm(join(folder, 'languages/java.js'));
    await rm(join(folder, 'rules.js'));
    assert.equal(version(), first);
  });
});
