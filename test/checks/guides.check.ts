import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { assemble } from '@service-mcp/core/host';
import { defaultPlugins } from './deployment.js';
import { ROOT } from './repository.js';
import { HOSTED_DEPLOYMENT } from '../start-service.js';

const GUIDES = join(ROOT, 'docs', 'guides');
const EXAMPLES = ['bookmarks', 'ndjson', 'client'].map((name) => join(GUIDES, 'examples', name));

interface Block {
  readonly guide: string;
  readonly language: string;
  readonly text: string;
}

function blocks(): Block[] {
  return pages(GUIDES).flatMap((guide) =>
    [...read(guide).matchAll(/^```(\w+)\n([^]*?)^```$/gm)].map(([, language = '', text = '']) => ({
      guide,
      language,
      text,
    })),
  );
}

const read = (path: string) => readFileSync(path, 'utf8');
const pages = (folder: string) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));

describe('guides', () => {
  it('quote code that is compiled and tested: docs/guides/examples', () => {
    const quoted = blocks().filter(({ language }) => language === 'ts');
    assert.ok(quoted.length > 5);
    for (const { guide, text } of quoted) {
      const [, file, code] = /^\/\/ (\S+\.ts)\n([^]+)$/.exec(text) ?? [];
      assert.ok(file && code, `${guide}: a code block begins with a comment that names its file`);
      const named = EXAMPLES.map((folder) => join(folder, file)).filter((path) => existsSync(path));
      assert.ok(named.length > 0, `${guide}: ${file} is in no example`);
      assert.ok(
        named.some((path) => read(path).includes(code.trimEnd())),
        `${guide}: ${file} is quoted in another version: copy it again`,
      );
    }
  });

  it('hold valid JSON', () => {
    for (const { language, text } of blocks()) if (language === 'json') JSON.parse(text);
  });

  it('hold settings that a deployment takes', async () => {
    const plugins = (await defaultPlugins()).map(({ plugin }) => plugin);
    const sections = blocks()
      .filter(({ language }) => language === 'json')
      .map(({ text }) => JSON.parse(text) as Readonly<Record<string, unknown>>)
      .filter((file) => Object.keys(file).every((key) => plugins.some(({ id }) => id === key)));
    assert.ok(sections.length > 5);
    for (const file of sections) assemble(file, plugins, [], {});
  });

  it('name deployment files that have all plugins and transports: deploy/hosted*.json, the built-in one', () => {
    const lists = (path: string) => {
      const { plugins, transports } = JSON.parse(read(path)) as Record<string, unknown>;
      return { plugins, transports };
    };
    const hosted = lists(HOSTED_DEPLOYMENT);
    for (const path of ['deploy/hosted-workers.json', 'transports/cli/default-deployment.json']) {
      assert.deepEqual(lists(join(ROOT, path)), hosted, path);
    }
  });

  it('name source files that exist: life-of-a-call', () => {
    const named = [...read(join(GUIDES, 'life-of-a-call.md')).matchAll(/`([\w-]+\/[\w/.-]+\.ts)`/g)].map(
      ([, path = '']) => path,
    );
    assert.ok(named.length > 20);
    assert.deepEqual(
      named.filter((path) => !existsSync(join(ROOT, path))),
      [],
    );
  });

  it('and decisions have no broken links', () => {
    for (const page of [...pages(GUIDES), ...pages(join(ROOT, 'docs', 'adr'))]) {
      for (const [, target = ''] of read(page).matchAll(/\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)/g)) {
        assert.doesNotThrow(() => readdirSync(dirname(join(dirname(page), target))), `${page}: ${target}`);
        const found = readdirSync(dirname(join(dirname(page), target)));
        assert.ok(found.includes(target.split('/').at(-1) ?? ''), `${page}: ${target} is absent`);
      }
    }
  });
});
