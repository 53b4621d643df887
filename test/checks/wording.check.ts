import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, trackedFiles } from './repository.js';

/** Written in parts, so that this file does not hold what it looks for. */
const FORBIDDEN: readonly { readonly what: string; readonly pattern: RegExp }[] = [
  {
    what: 'a path of some machine',
    pattern: new RegExp(String.raw`(?<![\w.)}\]/-])/(?:${'wo'}rk|${'ro'}ot)/`),
  },
  { what: 'a path of some temporary folder', pattern: new RegExp(String.raw`(?<![\w.)}\]/-])/${'tm'}p/\w`) },
  { what: 'a note to do later', pattern: new RegExp(String.raw`\b(?:${'TO'}DO|${'FIX'}ME)\b`) },
];

/** Made by npm; its own rule is below. */
const LOCK_FILE = 'package-lock.json';
const PUBLIC_REGISTRY = 'https://registry.npmjs.org/';

describe('wording: what no tracked file may hold', () => {
  const texts = trackedFiles()
    .filter((path) => path !== LOCK_FILE && existsSync(join(ROOT, path)))
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));

  for (const { what, pattern } of FORBIDDEN) {
    it(what, () => {
      const found = texts.flatMap(({ path, text }) =>
        text
          .split('\n')
          .flatMap((line, i) => (pattern.test(line) ? [`${path}:${i + 1}: ${line.trim()}`] : [])),
      );
      assert.deepEqual(found, []);
    });
  }

  it('package-lock.json names no registry but the public one', () => {
    const { packages } = JSON.parse(readFileSync(join(ROOT, LOCK_FILE), 'utf8')) as {
      packages: Record<string, { resolved?: string; link?: boolean }>;
    };
    const foreign = Object.entries(packages).filter(
      ([, { resolved, link }]) => resolved !== undefined && !link && !resolved.startsWith(PUBLIC_REGISTRY),
    );
    assert.deepEqual(foreign, []);
  });

  it('.npmrc names no registry', () => {
    assert.doesNotMatch(readFileSync(join(ROOT, '.npmrc'), 'utf8'), /registry\s*=/);
  });
});
