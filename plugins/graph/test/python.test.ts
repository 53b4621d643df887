import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { resolveProject, type FileGraph } from '@service-mcp/plugin-graph/internals';
import { linesOf, resolveFixture, sectionsOf } from './support/fixtures.js';
import { sourceFile } from './support/source-file.js';

const FIXTURES = new URL('../fixtures/python/', import.meta.url);

/** `caller -> callee`, sorted, of the lines of a section. */
function expected(text: string): string[] {
  return linesOf(text)
    .flatMap(({ source, targets }) => targets.map((target) => `${source} -> ${target}`))
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

function actual(graphs: readonly FileGraph[], kind: 'calls' | 'imports' | 'references'): string[] {
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

/**
 * Fixtures as in `support/fixtures.ts`, in the names of PyCG, whose benchmark others score this graph by:
 * `main.A.run`, `main.<lambda1>`, `<builtin>.print`, `os.path.join`. Its lists of calls hold external and unresolved
 * (`?name`) ones as well. A text before the first section is `main.py`.
 */
describe('graph: Python', () => {
  for (const name of readdirSync(FIXTURES).sort()) {
    describe(name.replace(/\.txt$/, '').replaceAll('_', ' '), () => {
      for (const { title, sections } of sectionsOf(readFileSync(new URL(name, FIXTURES), 'utf8'))) {
        it(title, async () => {
          const { '': main, calls = '', imports, references, ...others } = Object.fromEntries(sections);
          const files = new Map(
            Object.entries({ ...(main !== undefined && { 'main.py': main }), ...others }),
          );
          const graphs = await resolveFixture({ files });
          assert.deepEqual(actual(graphs, 'calls'), expected(calls));
          if (imports !== undefined) assert.deepEqual(actual(graphs, 'imports'), expected(imports));
          if (references !== undefined) assert.deepEqual(actual(graphs, 'references'), expected(references));
        });
      }
    });
  }

  it('leaves a call unresolved that may run too many overriders to tell', async () => {
    const part = (index: number) => `class Part${index}(Base):\n    def run(self): pass\n`;
    const text = `class Base:\n    def run(self): pass\n${Array.from({ length: 31 }, (_, index) => part(index)).join('')}`;
    const call = 'def start(base: Base): base.run()\n';
    const [graph] = resolveProject([await sourceFile('a.py', text + call)], []);
    const calls = graph?.edges.flatMap(({ kind, target }) => (kind === 'calls' ? [target] : []));
    assert.deepEqual(calls, ['a.py#Base.run']);
    assert.deepEqual(
      graph?.unresolved.map(({ kind, name, line }) => [kind, name, line]),
      [['calls', 'run', 65]],
    );
  });
});
