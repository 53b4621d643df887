import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, posix } from 'node:path';
import { importsIn, importsOf, packageOf, type Import } from './imports.js';
import { packages, readPackage, ROOT, trackedFiles, type Package } from './repository.js';

const OURS = /^(?:@service-mcp\/|service-mcp$)/;
const EXACT = /^(?:npm:[^@]+@)?\d+\.\d+\.\d+(?:-[\w.]+)?$/;
const SDK = /^@modelcontextprotocol\//;

/** architecture.md, "Rules, kept by a check": which packages of this repository a package may import. */
function mayImport(folder: string): RegExp {
  if (folder === 'core') return /^$/;
  if (folder === 'plugins/auth') return /^@service-mcp\/core(?:\/http)?$/;
  if (folder.startsWith('plugins/'))
    return /^@service-mcp\/(?:core(?:\/errors)?|plugin-[a-z-]+\/contract(?:\/[a-z-]+)?)$/;
  // The command line hosts, and serves MCP on its own standard input and output. It knows keys, so as to send none in a file.
  if (folder === 'transports/cli')
    return /^@service-mcp\/(?:core(?:\/(?:http|wire|host))?|plugin-auth\/contract|transport-(?:mcp(?:\/client-settings)?|gateway(?:\/stdio)?))$/;
  // A gateway is a host of its own, and treats credentials and documents as the service does.
  if (folder === 'transports/gateway')
    return /^@service-mcp\/(?:core(?:\/(?:http|wire|host))?|plugin-auth\/contract|transport-mcp)$/;
  return /^@service-mcp\/core(?:\/(?:http|wire))?$/;
}

/** Imports that only some files may have, of types too. */
const KEPT: readonly { readonly specifier: RegExp; readonly in: RegExp }[] = [
  { specifier: /^tsyringe$/, in: /^core\/src\/call\/container\.ts$/ },
  { specifier: /^knex$/, in: /^core\/src\// },
  { specifier: /^@?koa/, in: /^(?:core\/src\/http\/|plugins\/auth\/src\/(?:oauth|pages)\/|transports\/)/ },
  // The one plugin with pages and documents of its own.
  { specifier: /^@service-mcp\/core\/http$/, in: /^(?:plugins\/auth\/src\/(?:oauth|pages)\/|transports\/)/ },
  { specifier: SDK, in: /^transports\/(?:mcp|gateway)\/src\// },
];

function faultOf({ file, specifier, typeOnly }: Import, home: Package): string | undefined {
  if (isBuiltin(specifier)) {
    return specifier.startsWith('node:') ? undefined : `write node:${specifier}`;
  }
  if (specifier.startsWith('.')) {
    const target = posix.join(posix.dirname(file), specifier);
    return target.startsWith(`${home.folder}/`) ? undefined : `leaves its package`;
  }
  const name = packageOf(specifier);
  const declared = name in home.dependencies || (typeOnly && name in home.devDependencies);
  if (!declared) return `is not declared in ${home.folder}/package.json`;
  if (OURS.test(name) && !mayImport(home.folder).test(specifier)) return 'is not for it (architecture.md)';
  const kept = KEPT.find((rule) => rule.specifier.test(specifier));
  return kept && !kept.in.test(file) ? 'is kept to other files (architecture.md)' : undefined;
}

describe('boundaries: allowed imports', () => {
  for (const home of packages()) {
    it(`${home.folder} imports only declared and allowed packages`, () => {
      const faults = importsIn(`${home.folder}/src`).flatMap((found) => {
        const fault = faultOf(found, home);
        return fault === undefined ? [] : [`${found.file}: "${found.specifier}" ${fault}`];
      });
      assert.deepEqual(faults, []);
    });
  }

  for (const home of [...packages(), readPackage('test'), readPackage('.')]) {
    it(`${home.folder}/package.json pins exact versions`, () => {
      const all = Object.entries({ ...home.dependencies, ...home.devDependencies });
      assert.deepEqual(
        all.filter(([, version]) => !EXACT.test(version)),
        [],
      );
    });
  }

  it('limits of time are made by timeLimit of core, which Node 20 keeps until they end', () => {
    // The generated client imports nothing; browsers have no such fault.
    const files = trackedFiles().filter(
      (path) => /^(?:core|plugins|transports)\/.*\.[jt]sx?$/.test(path) && !/\/(?:test|client)\//.test(path),
    );
    const made = files.filter((path) =>
      /AbortSignal\.timeout\(/.test(readFileSync(join(ROOT, path), 'utf8')),
    );
    assert.deepEqual(made, []);
  });

  it('the import finder recognises every form, and skips comments', () => {
    const source = [
      `import a, { b,\n  c } from 'one';`,
      `import type { D } from 'two';`,
      `import 'three';`,
      `export { e } from 'four';`,
      `const f = await import('five');`,
      `// import 'six';`,
      `/* import 'seven'; */`,
    ].join('\n');
    const found = importsOf('x.ts', source).map(({ specifier, typeOnly }) => [specifier, typeOnly]);
    assert.deepEqual(found, [
      ['one', false],
      ['two', true],
      ['four', false],
      ['three', false],
      ['five', false],
    ]);
  });
});
