import assert from 'node:assert/strict';
import {
  resolveFiles,
  resolveProject,
  type FileLinks,
  type ReadableFile,
  type ResolveFollower,
} from '@service-mcp/plugin-graph/internals';
import { sourceFile } from './support/source-file.js';

const TEXTS: Readonly<Record<string, string>> = {
  'shop/cart.js': `import { price } from './price.js';\nexport function total() { return price(); }`,
  'shop/price.js': `export function price() { return 1; }`,
  'shop/all.js': `export * from './cart.js';`,
  'shop/data.js': `import data from './data.json';\nexport default data;`,
  'shop/data.json': `{ "a": 1 }`,
  'old/main.js': `const tool = require('./tool');\nasync function run() { (await import('./late.js')).late(tool); }`,
  'old/tool.js': `module.exports = class Tool { calibrateLens() {} };`,
  'old/late.js': `export function late(tool) { tool.calibrateLens(); }`,
  'alone/guess.ts': `export function guess(given: any) { given.calibrateLens(); given.sharpenBlade(); }`,
  'alone/one.ts': `export class One { sharpenBlade() {} }`,
  'alone/two.ts': `export class Two { sharpenBlade() {} }`,
  'tools/a.py': `from b import helper\nhelper()`,
  'tools/b.py': `def helper(): pass`,
};

async function readable(texts: Readonly<Record<string, string>>): Promise<ReadableFile[]> {
  return Promise.all(
    Object.entries(texts).map(async ([path, text]) => {
      const file = await sourceFile(path, text);
      const { language } = file;
      // As if there were more than is kept in memory.
      return { path, language, bytes: 2 ** 20, hash: text, version: text, read: () => file };
    }),
  );
}

describe('groups of files without imports between them', () => {
  it('have the same graphs, together or apart', async () => {
    const files = await readable(TEXTS);
    const whole = resolveProject(
      files.map((file) => file.read()),
      [],
    );
    assert.deepEqual(
      [...resolveFiles(files, [])].sort((a, b) => (a.path < b.path ? -1 : 1)),
      whole,
    );
    const old = resolveProject(
      files.filter(({ path }) => path.startsWith('old/')).map((file) => file.read()),
      [],
    );
    assert.deepEqual(
      whole.filter(({ path }) => path.startsWith('old/')),
      old,
    );
    const targets = whole.flatMap(({ edges }) => edges.map(({ target, reason }) => `${target} ${reason}`));
    for (const expected of [
      'shop/data.json import',
      'shop/price.js#price scope',
      'old/tool.js#Tool.calibrateLens type',
      'old/tool.js#Tool.calibrateLens unique_name',
      'tools/b.py#helper scope',
    ])
      assert.ok(targets.includes(expected), expected);
    // Two classes have it.
    assert.ok(!targets.some((target) => target.includes('sharpenBlade')));
  });

  it('are resolved again where their files, imports or unique names changed', async () => {
    const links = new Map<string, FileLinks>();
    const known = new Map<string, ReadonlyMap<string, string | undefined>>();
    /** Groups of scripts that are resolved. */
    const resolve = async (changes: Readonly<Record<string, string>> = {}): Promise<string[]> => {
      const groups: string[] = [];
      const follower: ResolveFollower = {
        skips: ({ key }, idOf) => {
          const names = known.get(key);
          return names !== undefined && [...names].every(([name, id]) => idOf(name) === id);
        },
        resolved: ({ key, paths }, names) => {
          known.set(key, names);
          if (/\.[jt]s$/.test(paths[0] ?? '')) groups.push(paths.join(' '));
        },
      };
      const files = await readable({ ...TEXTS, ...changes });
      for (const graph of resolveFiles(files, [], { links, follower })) assert.ok(graph.path);
      return groups;
    };
    assert.deepEqual(await resolve(), [
      'alone/guess.ts',
      'alone/one.ts',
      'alone/two.ts',
      'old/late.js old/main.js old/tool.js',
      'shop/all.js shop/cart.js shop/price.js',
      'shop/data.js',
    ]);
    assert.deepEqual(await resolve(), []);
    assert.deepEqual(await resolve({ 'shop/price.js': 'export function price() { return 2; }' }), [
      'shop/all.js shop/cart.js shop/price.js',
    ]);
    // Two classes have the name now.
    assert.deepEqual(await resolve({ 'alone/one.ts': `export class One { calibrateLens() {} }` }), [
      'alone/guess.ts',
      'alone/one.ts',
    ]);
    assert.deepEqual(await resolve({ 'alone/two.ts': `import './one';\nexport class Two {}` }), [
      'alone/guess.ts',
      'alone/one.ts alone/two.ts',
    ]);
  });
});
