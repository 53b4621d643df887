import assert from 'node:assert/strict';
import { isManifest, rulesOf, type ModuleTarget } from '@service-mcp/plugin-graph/internals';

type Texts = Readonly<Record<string, unknown>>;

/** Finds modules in a project of source files without text and manifests with one, JSON or as it is. */
function finder(paths: readonly string[], manifests: Texts = {}): (from: string, module: string) => string {
  const all = new Set(paths);
  const modules = rulesOf('typescript').modules({
    manifests: Object.entries(manifests).map(([path, content]) => ({
      path,
      text: typeof content === 'string' ? content : JSON.stringify(content),
    })),
    paths,
    has: (path) => all.has(path),
    inDirectory: () => [],
    endingWith: () => [],
    ofPackage: () => [],
    ofNamespace: () => [],
    packageOf: () => undefined,
    importsOf: () => [],
    openedByMacros: () => 0,
    constraintOf: () => undefined,
  });
  return (from, module) => shown(modules.find({ module }, from));
}

function shown(target: ModuleTarget): string {
  if (target.kind === 'files') return target.paths.join(' ');
  return target.kind === 'external' ? `external ${target.module}` : 'unresolved';
}

describe('graph: modules of TypeScript and JavaScript', () => {
  it('finds relative paths with other extensions, as directories and outputs', () => {
    const find = finder(
      [
        'a.ts',
        'b.tsx',
        'c.js',
        'd/index.ts',
        'e.d.ts',
        'f.mts',
        'g.json',
        'h.ts',
        'h.js',
        'src/i.ts',
        'index.ts',
        'j.k.ts',
      ],
      { 'package.json': { name: 'self' } },
    );
    const cases = [
      ['a.ts', './a.js', 'a.ts'],
      ['a.ts', './a', 'a.ts'],
      ['a.ts', './b.js', 'b.tsx'],
      ['a.ts', './c', 'c.js'],
      ['a.ts', './d', 'd/index.ts'],
      ['a.ts', './d/', 'd/index.ts'],
      ['d/index.ts', '..', 'index.ts'],
      ['a.ts', '.', 'index.ts'],
      ['a.ts', './e.js', 'e.d.ts'],
      ['a.ts', './f.mjs', 'f.mts'],
      ['a.ts', './g.json', 'g.json'],
      ['a.ts', './h.js', 'h.ts'],
      ['c.js', './h.js', 'h.js'],
      ['c.js', './h', 'h.js'],
      ['c.js', './dist/i.js', 'src/i.ts'],
      ['a.ts', './j.k', 'j.k.ts'],
      ['a.ts', './a.ts?raw', 'a.ts'],
      ['a.ts', './x.js', 'unresolved'],
      ['a.ts', '../a.js', 'unresolved'],
    ];
    for (const [from = '', module = '', expected] of cases)
      assert.equal(find(from, module), expected, module);
  });

  it('finds directories alone under paths that end as such', () => {
    const find = finder(
      [
        'index.ts',
        'one.ts',
        'one/index.ts',
        'one/a.ts',
        'one/two.ts',
        'one/two/a.ts',
        'three.ts',
        'three/lib/x.ts',
      ],
      { 'three/package.json': { main: 'lib/x' } },
    );
    const cases = [
      ['one/two/a.ts', '..', 'one/index.ts'],
      ['one/two/a.ts', '.', 'unresolved'],
      ['one/a.ts', '.', 'one/index.ts'],
      ['one/a.ts', './', 'one/index.ts'],
      ['one/a.ts', '../one/', 'one/index.ts'],
      ['one/a.ts', '../one', 'one.ts'],
      ['one/a.ts', './two', 'one/two.ts'],
      ['one/a.ts', './two/', 'unresolved'],
      ['one/a.ts', '../', 'index.ts'],
      ['one/a.ts', '../three/', 'three/lib/x.ts'],
      ['three/lib/x.ts', '..', 'three/lib/x.ts'],
      ['three/lib/x.ts', './..', 'three/lib/x.ts'],
    ];
    for (const [from = '', module = '', expected] of cases)
      assert.equal(find(from, module), expected, `${from} ${module}`);
  });

  it('finds packages of the project by name, through exports, main and their sources', () => {
    const find = finder(
      [
        'one/src/index.ts',
        'one/src/sub.ts',
        'one/src/deep/x.ts',
        'two/lib/main.js',
        'two/lib/y.js',
        'three/index.ts',
        'four/src/node.ts',
        'five/src/index.ts',
        'test/fixtures/five/index.ts',
      ],
      {
        'one/package.json': {
          name: '@my/one',
          exports: {
            '.': { types: './dist/index.d.ts', default: './dist/index.js' },
            './sub': './dist/sub.js',
            './deep/*': './dist/deep/*.js',
            './hidden/*': null,
          },
        },
        'two/package.json': { name: 'two', main: 'lib/main' },
        'three/package.json': { name: 'three' },
        'four/package.json': {
          name: 'four',
          exports: { browser: './missing.js', node: ['./build/esm/node.js'] },
        },
        'five/package.json': { name: 'five', module: 'dist/index.mjs', main: 'dist/index.cjs' },
        'test/fixtures/five/package.json': { name: 'five' },
      },
    );
    const cases = [
      ['@my/one', 'one/src/index.ts'],
      ['@my/one/sub', 'one/src/sub.ts'],
      ['@my/one/deep/x', 'one/src/deep/x.ts'],
      ['two', 'two/lib/main.js'],
      ['two/lib/y', 'two/lib/y.js'],
      ['three', 'three/index.ts'],
      ['four', 'four/src/node.ts'],
      ['five', 'five/src/index.ts'],
      ['@my/other', 'external @my/other'],
    ];
    for (const [module = '', expected] of cases) assert.equal(find('two/lib/y.js', module), expected, module);
  });

  it('finds imports of a package by #, and mapped paths of a configuration', () => {
    const base =
      '{ // comment\n "compilerOptions": { "baseUrl": ".", "paths": { "@/*": ["app/*"], "exact": ["app/exact.ts",], "url": ["a//b"] } }, }';
    const find = finder(
      [
        'src/db.ts',
        'src/util/a.ts',
        'app/page.tsx',
        'app/exact.ts',
        'web/src/x.ts',
        'web/src/own.ts',
        'lib/z.ts',
        'vite/src/v.ts',
        'vite/src/w.ts',
      ],
      {
        'package.json': {
          name: 'root',
          imports: {
            '#db': { node: './src/db.js', default: 'pg' },
            '#util/*': './src/util/*.js',
            '#out': 'pg',
          },
        },
        'tsconfig.base.json': base,
        'tsconfig.json': { extends: './tsconfig.base' },
        'web/tsconfig.json': { extends: ['../tsconfig.base.json', './more.json'] },
        'web/more.json': { compilerOptions: { paths: { '~/*': ['./src/*'] } } },
        'vite/tsconfig.json': {
          files: [],
          references: [{ path: './tsconfig.app.json' }, { path: '../web' }],
        },
        'vite/tsconfig.app.json': { compilerOptions: { paths: { '$/*': ['./src/*'] } } },
      },
    );
    const cases = [
      ['src/db.ts', '#db', 'src/db.ts'],
      ['src/db.ts', '#util/a', 'src/util/a.ts'],
      ['src/db.ts', '#out', 'external pg'],
      ['src/db.ts', '#none', 'unresolved'],
      ['src/db.ts', '@/page', 'app/page.tsx'],
      ['src/db.ts', 'exact', 'app/exact.ts'],
      ['src/db.ts', 'lib/z', 'lib/z.ts'],
      ['src/db.ts', '@/none', 'external @/none'],
      ['web/src/x.ts', '~/own', 'web/src/own.ts'],
      ['web/src/x.ts', '@/page', 'external @/page'],
      ['vite/src/v.ts', '$/w', 'vite/src/w.ts'],
    ];
    for (const [from = '', module = '', expected] of cases)
      assert.equal(find(from, module), expected, `${from} ${module}`);
  });

  it('tells packages and builtins from files', () => {
    const find = finder(['a.ts'], { 'package.json': '{ broken' });
    const cases = [
      ['fs', 'external node:fs'],
      ['node:test', 'external node:test'],
      ['fs/promises', 'external node:fs/promises'],
      ['react', 'external react'],
      ['react/jsx-runtime', 'external react'],
      ['@a/b/c/d', 'external @a/b'],
      ['https://esm.sh/x@1', 'external https://esm.sh/x@1'],
      ['', 'external '],
      ['@', 'external @'],
      ['constructor', 'external constructor'],
    ];
    for (const [module = '', expected] of cases) assert.equal(find('a.ts', module), expected, module);
  });

  it('finds paths in the directory of the configuration that extends one, wherever that is', () => {
    const find = finder(['tooling/src/x.ts', 'a/src/x.ts', 'b/src/x.ts'], {
      'tooling/base.json': { compilerOptions: { baseUrl: '${configDir}/src', paths: { '@/*': ['./*'] } } },
      'a/tsconfig.json': { extends: '../tooling/base.json' },
      'b/tsconfig.json': {
        extends: '../tooling/base.json',
        compilerOptions: { paths: { '@/*': ['${configDir}/src/*'] } },
      },
    });
    for (const from of ['a/src/x.ts', 'b/src/x.ts']) {
      assert.equal(find(from, '@/x'), from);
      assert.equal(find(from, 'x'), from);
    }
  });

  it('takes configurations that others extend from folders named for them', () => {
    for (const path of ['tooling/tsconfig/base.json', 'typescript-config/nextjs.json', 'tsconfig.base.json'])
      assert.equal(isManifest(path), true, path);
    for (const path of ['src/base.json', 'tsconfig/src/a.json', 'mytsconfig/a.json'])
      assert.equal(isManifest(path), false, path);
  });

  it('prefers mapped names, and files unless there are types of Node, to builtins of the same name', () => {
    const paths = ['src/util.ts', 'src/events.ts', 'server/src/events.ts', 'lib/url.ts', 'lib/deep/a.ts'];
    const find = finder(paths, {
      'tsconfig.json': { compilerOptions: { baseUrl: 'src', paths: { util: ['./util.ts'] } } },
      'server/package.json': { devDependencies: { '@types/node': '24' } },
      'server/tsconfig.json': { compilerOptions: { baseUrl: 'src' } },
      'lib/deno.json': { imports: { url: './url.ts', '@/': './deep/', x: 'jsr:@std/x' } },
    });
    const cases = [
      ['src/main.ts', 'util', 'src/util.ts'],
      ['src/main.ts', 'node:util', 'external node:util'],
      ['src/main.ts', 'events', 'src/events.ts'],
      ['src/main.ts', 'path', 'external node:path'],
      ['server/src/main.ts', 'events', 'external node:events'],
      ['lib/main.ts', 'url', 'lib/url.ts'],
      ['lib/main.ts', '@/a.ts', 'lib/deep/a.ts'],
      ['lib/main.ts', 'x', 'external x'],
    ];
    for (const [from = '', module = '', expected] of cases)
      assert.equal(find(from, module), expected, `${from} ${module}`);
  });

  it('ends on configurations that extend each other', () => {
    const find = finder(['a.ts'], {
      'tsconfig.json': { extends: './b.json' },
      'b.json': { extends: './tsconfig.json', references: [{ path: '.' }] },
    });
    assert.equal(find('a.ts', 'x'), 'external x');
  });

  it('reads a configuration once, however many ways lead to it', () => {
    const names = Array.from({ length: 30 }, (_, index) => `tsconfig.${index}.json`);
    const all = names.map((name) => `./${name}`);
    const options = { paths: { 'lib/*': ['./src/*'] } };
    const find = finder(['src/a.ts', 'src/b.ts', 'web/c.ts'], {
      ...Object.fromEntries(names.map((name) => [name, { extends: [...all, './tsconfig.json'] }])),
      'tsconfig.json': { references: all.map((path) => ({ path })) },
      'tsconfig.last.json': { extends: all, compilerOptions: options },
      'web/tsconfig.json': {
        extends: [...all, '../tsconfig.last.json'].map((path) => path.replace(/^\.\//, '../')),
      },
    });
    assert.equal(find('src/a.ts', 'lib/b'), 'external lib');
    assert.equal(find('web/c.ts', 'lib/b'), 'src/b.ts');
  });
});
