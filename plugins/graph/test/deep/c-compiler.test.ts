import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { resolveProject, type FileGraph } from '@service-mcp/plugin-graph/internals';
import { readFixtures } from '../support/fixtures.js';
import { sourceFile } from '../support/source-file.js';

/** Programs of C whose headers are installed: examples of zlib. */
const REAL_SOURCE = '/usr/share/doc/zlib1g-dev/examples';

/** `file#caller -> file#callee` of direct calls, and the functions, as gcc sees them: without what `#if` leaves out. */
function compilerCalls(
  directory: string,
  texts: ReadonlyMap<string, string>,
): { calls: Set<string>; functions: Set<string> } {
  for (const [path, text] of texts) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
  const sources = [...texts.keys()].filter((path) => path.endsWith('.c'));
  const outputs = sources.flatMap((path, index) => {
    const output = join(directory, `${index}.o`);
    const options = ['-std=gnu99', '-w', '-O0', '-Iinclude', '-fcallgraph-info', '-c', path, '-o', output];
    try {
      execFileSync('gcc', options, { cwd: directory, stdio: 'pipe' });
    } catch {
      // A file of an example that needs more than is installed.
      return [];
    }
    return [{ path, graph: readFileSync(join(directory, `${index}.ci`), 'utf8') }];
  });
  assert.ok(outputs.length > 0, 'gcc compiles none of the files');
  const definitions = new Map<string, string>();
  for (const { path, graph } of outputs) {
    for (const [, title = '', isDeclared] of graph.matchAll(
      /^node: \{ title: "([^"]*)"[^\n]*?( shape : ellipse)? \}$/gm,
    )) {
      if (!isDeclared) definitions.set(title, `${path}#${title.replace(/^.*:/, '')}`);
    }
  }
  const calls = new Set(
    outputs.flatMap(({ graph }) =>
      Array.from(graph.matchAll(/sourcename: "([^"]*)" targetname: "([^"]*)"/g)).flatMap(
        ([, source = '', target = '']) => {
          const [from, to] = [definitions.get(source), definitions.get(target)];
          return from && to ? [`${from} -> ${to}`] : [];
        },
      ),
    ),
  );
  return { calls, functions: new Set(definitions.values()) };
}

/** The same in a graph; calls in the text of macros are those of the functions that use them. */
function graphCalls(graphs: readonly FileGraph[]): { direct: Set<string>; all: Set<string> } {
  const calls = new Map<string, Array<{ target: string; direct: boolean }>>();
  const macros = new Set<string>();
  for (const { path, symbols, edges } of graphs) {
    const idOf = (symbol: number): string => `${path}#${symbols[symbol]?.qualifiedName}`;
    for (const [index, { signature }] of symbols.entries())
      if (/^#\s*define/.test(signature)) macros.add(idOf(index));
    for (const { source, target, kind, reason } of edges) {
      if (kind !== 'calls' || source === 0) continue;
      const known = calls.get(idOf(source)) ?? [];
      calls.set(idOf(source), [...known, { target, direct: reason === 'scope' || reason === 'import' }]);
    }
  }
  const direct = new Set<string>();
  const all = new Set<string>();
  for (const caller of calls.keys()) {
    if (macros.has(caller)) continue;
    const pending = [...(calls.get(caller) ?? [])];
    const seen = new Set<string>();
    for (const each of pending) {
      if (macros.has(each.target)) {
        if (!seen.has(each.target)) pending.push(...(calls.get(each.target) ?? []));
        seen.add(each.target);
        continue;
      }
      // The compiler knows one function of a name.
      const call = `${caller} -> ${each.target}`.replaceAll(/~\d+(?= |$)/g, '');
      all.add(call);
      if (each.direct) direct.add(call);
    }
  }
  return { direct, all };
}

async function compare(
  texts: ReadonlyMap<string, string>,
): Promise<{ precision: number; recall: number; lines: string }> {
  const directory = mkdtempSync(join(tmpdir(), 'graph-c-'));
  try {
    const { calls: compiled, functions } = compilerCalls(directory, texts);
    const files = await Promise.all([...texts].map(([path, text]) => sourceFile(path, text)));
    const { direct, all } = graphCalls(resolveProject(files, []));
    const found = [...direct].filter((each) => each.split(' -> ').every((id) => functions.has(id)));
    const wrong = found.filter((each) => !compiled.has(each));
    const missed = [...compiled].filter((each) => !all.has(each));
    return {
      precision: 1 - wrong.length / found.length,
      recall: 1 - missed.length / compiled.size,
      lines: [...wrong.map((each) => `+ ${each}`), ...missed.map((each) => `- ${each}`)].join('\n'),
    };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

describe('graph of C beside the call graph of gcc', () => {
  it('has the direct calls of the fixtures', async () => {
    for (const { name, files } of [...readFixtures('c').values()].flat()) {
      const { precision, recall, lines } = await compare(files);
      assert.ok(precision >= 0.99 && recall >= 0.99, `${name}: ${precision}, ${recall}\n${lines}`);
    }
  });

  it('has the direct calls of real programs', async () => {
    for (const name of readdirSync(REAL_SOURCE).filter((each) => each.endsWith('.c'))) {
      // Each example is a program of its own, with a header at most.
      const files = [name, name.replace(/c$/, 'h')]
        .map((each) => join(REAL_SOURCE, each))
        .filter((each) => existsSync(each));
      const texts = new Map(files.map((path) => [basename(path), readFileSync(path, 'utf8')]));
      if (name === 'infcover.c') continue; // It needs headers that are not installed.
      const { precision, recall, lines } = await compare(texts);
      assert.ok(precision >= 0.97 && recall >= 0.97, `${name}: ${precision}, ${recall}\n${lines}`);
    }
  });
});
