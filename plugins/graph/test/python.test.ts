import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { resolveProject, type FileGraph } from '@service-mcp/plugin-graph/internals';
import { sourceFile } from './support/source-file.js';

const FIXTURES = new URL('../fixtures/python/', import.meta.url);

/**
 * A program with its call graph. Fixtures hold programs as
 *
 *     === title
 *     --- path            (default: main.py)
 *     text
 *     --- calls
 *     caller: callee callee ?unresolved
 *     --- imports         (optional)
 *     importer: imported ?unresolved
 *
 * by dotted names: `main.A.run`, `main.<lambda1>`, `<builtin>.print`, `os.path.join`.
 */
interface Program {
  readonly title: string;
  readonly files: ReadonlyMap<string, string>;
}

function programs(text: string): Program[] {
  return text
    .split(/^=== /m)
    .slice(1)
    .map((part) => {
      const [title = '', ...rest] = part.split('\n');
      const sections = rest.join('\n').split(/^--- (.*)\n/m);
      const files = new Map<string, string>();
      if (sections[0]?.trim()) files.set('main.py', sections[0]);
      for (let at = 1; at < sections.length; at += 2) files.set(sections[at] ?? '', sections[at + 1] ?? '');
      return { title, files };
    });
}

function expected(lines: string): string[] {
  return lines
    .split('\n')
    .filter((line) => line.trim() !== '')
    .flatMap((line) => {
      const [caller = '', callees = ''] = line.split(/: /);
      return callees
        .trim()
        .split(/\s+/)
        .map((callee) => `${caller} -> ${callee}`);
    })
    .sort();
}

function dottedModule(path: string): string {
  return path.replace(/(?:\/__init__)?\.py$/, '').replaceAll('/', '.');
}

function dotted(id: string): string {
  const [path = '', name] = id.split('#');
  const parts = (name ?? '').split('.').map((part) => {
    const lambda = /^<lambda>(?:~(\d+))?$/.exec(part);
    return lambda ? `<lambda${lambda[1] ?? '1'}>` : part;
  });
  return [dottedModule(path), ...(name === undefined ? [] : parts)].join('.');
}

function actual(graphs: readonly FileGraph[], kind: 'calls' | 'imports'): string[] {
  return graphs
    .flatMap(({ path, symbols, edges, externals, unresolved }) => {
      const caller = (source: number): string =>
        dotted(source === 0 ? path : `${path}#${symbols[source]?.qualifiedName}`);
      return [
        ...edges
          .filter((edge) => edge.kind === kind)
          .map(({ source, target }) => [source, dotted(target)] as const),
        ...externals
          .filter((use) => kind === 'calls' && use.kind === 'calls')
          .map(
            ({ source, module, name }) =>
              [source, `${module === '' ? '<builtin>' : module}.${name}`] as const,
          ),
        ...unresolved
          .filter((each) => each.kind === kind)
          .map(({ source, name }) => [source, `?${name}`] as const),
      ].map(([source, callee]) => `${caller(source)} -> ${callee}`);
    })
    .filter((edge, at, all) => all.indexOf(edge) === at)
    .sort();
}

async function resolved(files: ReadonlyMap<string, string>): Promise<FileGraph[]> {
  const sources = [...files].filter(([path]) => path.endsWith('.py'));
  const manifests = [...files].filter(([path]) => /(?:setup\.py|pyproject\.toml)$/.test(path));
  return resolveProject(
    await Promise.all(sources.map(([path, text]) => sourceFile(path, text))),
    manifests.map(([path, text]) => ({ path, text })),
  );
}

describe('graph: Python', () => {
  for (const name of readdirSync(FIXTURES).sort()) {
    describe(name.replace(/\.txt$/, '').replaceAll('_', ' '), () => {
      for (const { title, files } of programs(readFileSync(new URL(name, FIXTURES), 'utf8'))) {
        it(title, async () => {
          const graphs = await resolved(files);
          assert.deepEqual(actual(graphs, 'calls'), expected(files.get('calls') ?? ''));
          const imports = files.get('imports');
          if (imports !== undefined) assert.deepEqual(actual(graphs, 'imports'), expected(imports));
        });
      }
    });
  }
});
