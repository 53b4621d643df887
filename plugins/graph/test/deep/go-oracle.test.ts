import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { resolveProject, type FileGraph, type SourceFile } from '@service-mcp/plugin-graph/internals';
import { sourceFile } from '../support/source-file.js';

const ORACLE = fileURLToPath(new URL('../../deep/go-oracle.go', import.meta.url));
const PACKAGES = (
  'text/template text/template/parse encoding/json go/parser go/ast go/token go/scanner bufio io fmt strings regexp ' +
  'regexp/syntax net/http net/url sort flag container/list archive/zip'
).split(' ');

/** A file with the offsets of its bytes. */
interface Text {
  readonly file: SourceFile;
  readonly bytes: Buffer;
}

/** The function or method around a byte of a file; the file itself outside of them. */
function symbolAt({ file, bytes }: Text, offset: number): string {
  const at = bytes.subarray(0, offset).toString('utf8').length;
  const around = file.symbols.filter(
    ({ start, end, kind }) => kind !== 'variable' && start <= at && at < end,
  );
  const innermost = around.at(-1);
  return innermost ? `${file.path}#${innermost.qualifiedName}` : file.path;
}

/** Calls of functions and methods by name or declared type. Function values are not what the checker tells. */
function callsOf(
  graphs: readonly FileGraph[],
  closures: ReadonlySet<string>,
  functions: ReadonlySet<string>,
): Set<string> {
  const found = new Set<string>();
  for (const { path, symbols, edges } of graphs) {
    for (const { source, target, kind, reason } of edges) {
      if (kind !== 'calls' || reason === 'hierarchy' || reason === 'flow') continue;
      if (!functions.has(target) || closures.has(target)) continue;
      found.add(`${source === 0 ? path : `${path}#${symbols[source]?.qualifiedName}`} -> ${target}`);
    }
  }
  return found;
}

describe('deep: calls of Go beside its type checker', () => {
  it('agrees on packages of the standard library', async () => {
    const root = join(
      realpathSync(execFileSync('go', ['env', 'GOROOT'], { encoding: 'utf8' }).trim()),
      'src',
    );
    const output = execFileSync('go', ['run', ORACLE, ...PACKAGES], {
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    });
    const lines = output
      .trim()
      .split('\n')
      .map((line) => line.split(' '));
    const texts = new Map<string, Text>();
    for (const [kind, path = ''] of lines) {
      if (kind !== 'file') continue;
      const bytes = readFileSync(join(root, path));
      texts.set(path, { file: await sourceFile(path, bytes.toString('utf8')), bytes });
    }
    const expected = new Set<string>();
    for (const [kind, path = '', offset, calleePath = '', calleeOffset] of lines) {
      const [caller, callee] = [texts.get(path), texts.get(calleePath)];
      if (kind === 'file' || kind === 'dynamic' || !caller || !callee) continue;
      expected.add(`${symbolAt(caller, Number(offset))} -> ${symbolAt(callee, Number(calleeOffset))}`);
    }
    const files = [...texts.values()].map(({ file }) => file);
    const graphs = resolveProject(files, [{ path: 'go.mod', text: 'module std\n' }]);
    const functions = new Set<string>();
    const closures = new Set<string>();
    for (const { path, symbols } of files) {
      for (const { kind, qualifiedName, signature } of symbols) {
        if (kind === 'function' || kind === 'method') functions.add(`${path}#${qualifiedName}`);
        if (kind === 'function' && !/^func\s/.test(signature)) closures.add(`${path}#${qualifiedName}`);
      }
    }
    const found = callsOf(graphs, closures, functions);
    const right = [...found].filter((each) => expected.has(each)).length;
    const [precision, recall] = [right / found.size, right / expected.size];
    assert.ok(expected.size > 4000, `${expected.size} calls`);
    assert.ok(
      precision >= 0.98,
      `precision ${precision}: ${[...found].filter((each) => !expected.has(each)).join('\n')}`,
    );
    assert.ok(
      recall >= 0.95,
      `recall ${recall}: ${[...expected].filter((each) => !found.has(each)).join('\n')}`,
    );
    process.stdout.write(
      `      precision ${precision.toFixed(4)}, recall ${recall.toFixed(4)} of ${expected.size} calls\n`,
    );
  });
});
