import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmod, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { pathMatcher, secretFinder } from '#cli/ingest/path-rules.js';
import { walkFolder, type Found } from '#cli/ingest/walk-folder.js';
import { folderWith } from '../support/folder.js';

const { signal } = new AbortController();

async function walked(root: string, excludes: (path: string) => boolean = () => false): Promise<Found[]> {
  const found: Found[] = [];
  for await (const entry of walkFolder(root, { excludes, isSecret: secretFinder([]), signal }))
    found.push(entry);
  return found;
}

/** Root reads everything: run by root, the work is done as another user. */
async function asNobody<T>(work: () => Promise<T>): Promise<T> {
  if (process.getuid?.() !== 0) return work();
  process.seteuid?.(65534);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}

async function filesIn(root: string): Promise<string[]> {
  return (await walked(root)).filter(({ kind }) => kind === 'file').map(({ path }) => path);
}

/** The files that git itself would take: untracked and not ignored. */
function gitFiles(root: string): string[] {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'core.excludesFile=', ...args], { cwd: root });
  git('init', '-q');
  return git('ls-files', '--others', '--exclude-standard', '-z').toString('utf8').split('\0').filter(Boolean);
}

describe('walk', () => {
  it('takes the same files as git: nested ignore files, negation, anchors, folders, escapes', async () => {
    const folder = await folderWith({
      '.gitignore': '*.log\n/build\n!keep.log\n# a comment\n\\#literal\ntrailing   \nspace\\ \ndocs/*.tmp\n',
      'a.log': '1',
      'keep.log': '1',
      '#literal': '1',
      trailing: '1',
      'space ': '1',
      'build/x.js': '1',
      'src/build/x.js': '1',
      'src/.gitignore': '!a.log\n/only-here\nout/\n**/deep.txt\nx/**/z\n',
      'src/a.log': '1',
      'src/only-here': '1',
      'src/in/only-here': '1',
      'src/out/a': '1',
      'src/in/out/b': '1',
      'src/in/out2/out': '1',
      'src/in/deep.txt': '1',
      'src/x/z': '1',
      'src/x/y/z': '1',
      'docs/a.tmp': '1',
      'docs/sub/a.tmp': '1',
      'we[i]rd/.gitignore': '*.c\r\n!b.c\r\n',
      'we[i]rd/a.c': '1',
      'we[i]rd/b.c': '1',
      'wei/a.c': '1',
    });
    try {
      assert.deepEqual((await filesIn(folder.path)).toSorted(), gitFiles(folder.path).toSorted());
    } finally {
      await folder.remove();
    }
  });

  it('takes the same files as git on generated trees and rules', async () => {
    const name = fc.constantFrom('a', 'b', 'src', 'x.js', 'y.log', 'A', 'sp ace', 'w[1]', '!c');
    const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
    const segment = fc.constantFrom(
      'a',
      'b',
      'src',
      '*',
      '**',
      '*.js',
      '?',
      'x.*',
      '[ab]',
      '[!a]',
      'w\\[1\\]',
      '\\!c',
      'A',
    );
    const pattern = fc
      .tuple(
        fc.constantFrom('', '', '!'),
        fc.constantFrom('', '', '/'),
        fc.array(segment, { minLength: 1, maxLength: 3 }),
        fc.constantFrom('', '', '/'),
      )
      .map(([negation, start, segments, end]) => `${negation}${start}${segments.join('/')}${end}`);
    const rules = fc.array(pattern, { maxLength: 4 }).map((lines) => lines.join('\n'));
    const tree = fc.record({
      paths: fc.uniqueArray(path, { minLength: 1, maxLength: 14 }),
      ignores: fc.array(fc.tuple(fc.nat({ max: 13 }), rules), { maxLength: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(tree, async ({ paths, ignores }) => {
        // A path that is a folder of another one cannot be a file too.
        const files = paths.filter((one) => !paths.some((other) => other.startsWith(`${one}/`)));
        const folder = await folderWith(Object.fromEntries(files.map((file) => [file, '1'])));
        try {
          for (const [at, text] of ignores) {
            const parent = (files[at % files.length] ?? '').split('/').slice(0, -1);
            await folder.write([...parent, '.gitignore'].join('/'), text);
          }
          assert.deepEqual((await filesIn(folder.path)).toSorted(), gitFiles(folder.path).toSorted());
        } finally {
          await folder.remove();
        }
      }),
      { numRuns: 40 },
    );
  });

  it('matches generated patterns as git does', async () => {
    const characters =
      'a b ab x / / ** * ? .js [ab] [!a] [a-c] [ [] []a] [a-] [--0] [z-a] [[:alpha:]] [[:digit:]x]';
    const odd = '[[:x:]] [[:] [\\]] [a/b] [é] \\ \\* \\a \\/ *** ! # - ] é { (';
    const text = fc
      .array(fc.constantFrom(...`${characters} ${odd}`.split(' '), ' ', '\\ ', '\t', '\r\n', '\n', '\n!'), {
        minLength: 1,
        maxLength: 20,
      })
      .map((parts) => parts.join(''));
    const part = fc.constantFrom(...'a b ab abc x.js xa é - ! # ] [ * \\ 1 { ('.split(' '), ' ', '\t', '\n');
    const path = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
    const paths = fc.uniqueArray(path, { minLength: 20, maxLength: 60 });
    const folder = await folderWith({});
    try {
      execFileSync('git', ['init', '-q'], { cwd: folder.path });
      const args = ['-c', 'core.excludesFile=', '-c', 'core.ignoreCase=false', 'check-ignore', '--no-index'];
      await fc.assert(
        fc.asyncProperty(text, paths, async (rules, all) => {
          await folder.write('.gitignore', rules);
          const input = all.map((each) => `${each}\0`).join('');
          const found = spawnSync('git', [...args, '--stdin', '-z'], { cwd: folder.path, input });
          assert.ok(found.status === 0 || found.status === 1, found.stderr.toString());
          const ignored = found.stdout.toString().split('\0').slice(0, -1);
          assert.deepEqual(all.filter(pathMatcher([rules])), ignored);
        }),
        { numRuns: 300 },
      );
    } finally {
      await folder.remove();
    }
  });

  it('obeys the repository around the folder, but not against the folder itself', async () => {
    const folder = await folderWith({
      '.gitignore': '*.tmp\n/dist\n',
      'app/a.ts': '1',
      'app/b.tmp': '1',
      'dist/c.js': '1',
      '.git/info/exclude': 'secret.txt\n',
      'app/secret.txt': '1',
    });
    try {
      assert.deepEqual(await filesIn(join(folder.path, 'app')), ['a.ts']);
      assert.deepEqual(await filesIn(join(folder.path, 'dist')), ['c.js']);
    } finally {
      await folder.remove();
    }
  });

  it('reads .serviceignore after .gitignore, leaves version control alone and never follows links', async () => {
    const folder = await folderWith({
      '.gitignore': '*.min.js\n',
      '.serviceignore': '!app.min.js\nfixtures/\n',
      'app.min.js': '1',
      'lib.min.js': '1',
      'fixtures/a': '1',
      '.svn/entries': '1',
      '.service-mcp.json': '{}',
      'package-lock.json': '{}',
    });
    try {
      await symlink(folder.path, join(folder.path, 'loop'));
      await symlink('app.min.js', join(folder.path, 'link'));
      const found = await walked(folder.path);
      assert.deepEqual(
        found.map((entry) =>
          'reason' in entry ? `${entry.path} ${entry.kind} ${entry.reason}` : entry.path,
        ),
        [
          'fixtures folder ignored',
          'lib.min.js skipped ignored',
          'link skipped symlink',
          'loop skipped symlink',
          '.gitignore',
          '.serviceignore',
          'app.min.js',
          'package-lock.json',
        ],
      );
    } finally {
      await folder.remove();
    }
  });

  it('counts a folder that cannot be read and goes on', async () => {
    const folder = await folderWith({ 'closed/a': '1', b: '1' });
    try {
      await chmod(join(folder.path, 'closed'), 0);
      await chmod(folder.path, 0o755);
      const found = await asNobody(() => walked(folder.path));
      assert.deepEqual(
        found.find(({ kind }) => kind === 'folder'),
        { kind: 'folder', path: 'closed', reason: 'unreadable' },
      );
      assert.ok(found.some(({ path }) => path === 'b'));
    } finally {
      await chmod(join(folder.path, 'closed'), 0o700);
      await folder.remove();
    }
  });

  it('skips files that may hold secrets, but not samples, folders or files that a pattern names', async () => {
    const known = ['.env', '.env.local', '.npmrc', 'ID_RSA', 'a/.pgpass', 'a/server.key', 'tls.pem'];
    const ofClients =
      '.mcp.json a/.mcp.json .cursor/mcp.json .vscode/mcp.json a/.kiro/settings/mcp.json .codeium/windsurf/mcp_config.json .gemini/settings.json .codex/auth.json .claude.json claude_desktop_config.json';
    const ofTools =
      'credentials.json .git-credentials a/.aws/credentials .pypirc _netrc .cargo/credentials.toml .docker/config.json .kube/config .config/gh/hosts.yml .htpasswd client_secret_1.apps.json terraform.tfstate';
    const stores = 'a.kdbx b.keystore c.jks d.p12 e.pfx f.ppk id_ed25519_sk';
    const secrets = [...known, ...`${ofClients} ${ofTools} ${stores}`.split(' ')];
    const others =
      '.env.example .envrc .venv/.keep a/.env.d/x id_rsa.pub key.ts mcp.json src/mcp.json credentials.ts a/credentials/x.ts config/settings.json .vscode/settings.json .aws/config keystore.ts'.split(
        ' ',
      );
    const folder = await folderWith(Object.fromEntries([...secrets, ...others].map((path) => [path, '1'])));
    try {
      const found = await walked(folder.path);
      const skipped = found.filter((entry) => entry.kind === 'skipped' && entry.reason === 'secret');
      assert.deepEqual(skipped.map(({ path }) => path).toSorted(), secrets.toSorted());
      assert.equal(found.length, secrets.length + others.length);
    } finally {
      await folder.remove();
    }
    const isSecret = secretFinder(['*', 'a/', '*.pem', '.env*']);
    assert.deepEqual(known.filter(isSecret), ['.npmrc', 'ID_RSA', 'a/.pgpass', 'a/server.key']);
    assert.ok(secretFinder(['*.pem', '!tls.pem'])('tls.pem'), 'a pattern took it back');
  });
});
