import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { resolveProject, type FileGraph } from '@service-mcp/plugin-graph/internals';
import { readFixtures, resolveFixture } from '../support/fixtures.js';
import { sourceFile } from '../support/source-file.js';
import { bytecodeCalls, staticCalls } from './support/bytecode-calls.js';
import { BRIEF_RUN, readClassFiles, type ClassFile } from './support/class-files.js';

const JDK = process.env.JAVA_HOME ?? dirname(dirname(realpathSync('/usr/bin/javac')));
const tool = (name: string): string => join(JDK, 'bin', name);
const MODULES = ['jdk.httpserver', 'java.logging', 'java.prefs', 'jdk.jartool'];

function filesIn(directory: string, extension: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(extension))
    .sort();
}

interface Score {
  readonly precision: number;
  readonly recall: number;
  readonly wrong: readonly string[];
  readonly missed: readonly string[];
}

/** Compares with what the compiler chose. A method that is referred to counts as found. */
function compare(graphs: readonly FileGraph[], classes: readonly ClassFile[]): Score {
  const { calls, implied } = bytecodeCalls(classes, graphs);
  const found = staticCalls(graphs);
  const all = new Set(
    graphs.flatMap(({ path, symbols, edges }) =>
      edges.map(({ source, target }) => `${path}#${symbols[source]?.qualifiedName ?? ''} -> ${target}`),
    ),
  );
  const wrong = [...found].filter((each) => !calls.has(each) && !implied.has(each));
  const missed = [...calls].filter((each) => !all.has(each));
  return { precision: 1 - wrong.length / found.size, recall: 1 - missed.length / calls.size, wrong, missed };
}

describe('graph: Java beside the bytecode of its compiler', () => {
  let directory: string;
  before(() => {
    directory = mkdtempSync(join(tmpdir(), 'graph-java-'));
  });
  after(() => rmSync(directory, { recursive: true, force: true }));

  for (const [name, fixtures] of readFixtures('java')) {
    if (name === 'preview') continue; // Java 21, which no JDK of Debian 12 compiles
    if (name === 'programs') continue; // of several programs, which no compiler takes together
    for (const [position, fixture] of fixtures.entries()) {
      // Texts that do not compile are for the resolver alone.
      if (fixture.expected.has('unresolved') || fixture.expected.has('externals')) continue;
      it(`agrees on ${fixture.title}`, async () => {
        const home = join(directory, `${name}-${position}`);
        for (const [path, text] of fixture.files) {
          mkdirSync(dirname(join(home, path)), { recursive: true });
          writeFileSync(join(home, path), text.replace(/^import org\.junit.*$|^ *@Test$/gm, ''));
        }
        const output = join(home, 'classes');
        const sources = [...fixture.files.keys()].map((path) => join(home, path));
        execFileSync(tool('javac'), [...BRIEF_RUN, '-g', '-d', output, ...sources]);
        const classes = readClassFiles(
          tool('javap'),
          filesIn(output, '.class').map((path) => join(output, path)),
        );
        const { wrong, missed } = compare(await resolveFixture(fixture), classes);
        assert.deepEqual({ wrong, missed }, { wrong: [], missed: [] });
      });
    }
  }

  for (const module of MODULES) {
    it(`scores 0.98 and 0.95 on the source of ${module}`, async () => {
      execFileSync(tool('jar'), ['xf', join(JDK, 'lib/src.zip'), module], { cwd: directory });
      const root = join(directory, module);
      const paths = filesIn(root, '.java').filter((path) => !/(?:module|package)-info\.java$/.test(path));
      const files = await Promise.all(
        paths.map((path) => sourceFile(path, readFileSync(join(root, path), 'utf8'))),
      );
      const classes = join(directory, 'classes', module);
      mkdirSync(classes, { recursive: true });
      const include = `regex:/${module}/.*\\.class`;
      execFileSync(tool('jimage'), [
        'extract',
        '--include',
        include,
        '--dir',
        classes,
        join(JDK, 'lib/modules'),
      ]);
      const found = readClassFiles(
        tool('javap'),
        filesIn(classes, '.class').map((path) => join(classes, path)),
      );
      const { precision, recall, wrong, missed } = compare(resolveProject(files, []), found);
      const figures = `${module}: precision ${precision.toFixed(4)}, recall ${recall.toFixed(4)}`;
      console.log(`      ${figures}`);
      assert.ok(precision >= 0.98, `${figures}\n${wrong.join('\n')}`);
      assert.ok(recall >= 0.95, `${figures}\n${missed.join('\n')}`);
    });
  }
});
