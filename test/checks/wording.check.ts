import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, trackedFiles } from './repository.js';

/** Written in parts, so that this file does not match itself. */
const FORBIDDEN: readonly { readonly what: string; readonly pattern: RegExp }[] = [
  {
    what: 'a path of some machine',
    pattern: new RegExp(String.raw`(?<![\w.)}\]/-])/(?:${'wo'}rk|${'ro'}ot)/`),
  },
  { what: 'a path of some temporary folder', pattern: new RegExp(String.raw`(?<![\w.)}\]/-])/${'tm'}p/\w`) },
  { what: 'a note to do later', pattern: new RegExp(String.raw`\b(?:${'TO'}DO|${'FIX'}ME)\b`) },
];

/** English and names everywhere: CONTRIBUTING.md, "Style". */
const ENGLISH: readonly { readonly what: string; readonly pattern: RegExp }[] = [
  { what: 'a limit that is not named MAX_ or MIN_', pattern: /\b(?:MOST|LONGEST|SHORTEST|LEAST)_[A-Z]/ },
  { what: 'a person who is not "they"', pattern: /\b(?:he|his|himself)\b/i },
  { what: '"is no …" for "is not a …"', pattern: /\b(?<![Tt]here )(?:is|are|be) no (?!longer\b|more\b)\w/ },
  { what: '"is none" for "is not one"', pattern: /\b(?<![Tt]here )(?:is|are|of) none\b/ },
  { what: '"good for nothing", "no good"', pattern: /\b(?:good for nothing|no good)\b/ },
  { what: '"mend", "believe", "anew"', pattern: /\b(?:mend(?:s|ed|ing)?|belie(?:ves?|ved|f)|anew)\b/i },
];

/** Files that hold such words as data: the patterns above, and function words. */
const EXEMPT = new Set([
  'test/checks/wording.check.ts',
  'plugins/search/src/services/analysis/stop-words.ts',
  'plugins/memory/src/services/gist.ts',
]);

/** Made by npm; its own rule is below. */
const LOCK_FILE = 'package-lock.json';
const PUBLIC_REGISTRY = 'https://registry.npmjs.org/';

describe('wording: forbidden in tracked files', () => {
  const texts = trackedFiles()
    .filter((path) => path !== LOCK_FILE && existsSync(join(ROOT, path)))
    .filter((path) => !path.endsWith('.webp')) // pictures
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));

  const linesWith = (pattern: RegExp, files: typeof texts) =>
    files.flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, i) => (pattern.test(line) ? [`${path}:${i + 1}: ${line.trim()}`] : [])),
    );

  for (const { what, pattern } of FORBIDDEN) {
    it(what, () => assert.deepEqual(linesWith(pattern, texts), []));
  }

  const covered = texts.filter(({ path }) => !EXEMPT.has(path));
  for (const { what, pattern } of ENGLISH) {
    it(what, () => assert.deepEqual(linesWith(pattern, covered), []));
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
