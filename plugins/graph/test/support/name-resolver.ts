import { createGraphTasks, type ResolveProject } from '@service-mcp/plugin-graph/internals';

/**
 * A resolver for tests of the store: a module imports the files whose names without an ending its text names as modules,
 * so that the graph of a file depends on which other files there are. Faults on demand: a file called `resolver-throws`
 * makes it throw while it has symbols, `resolver-hangs` makes it hang in a group of its own.
 */
export const resolveByName: ResolveProject = (sources, manifests, { follower }) => {
  const files = sources.map((each) => each.read());
  const byName = new Map(files.map(({ path }) => [nameOf(path), path]));
  const isThere = (name: string) =>
    files.some(({ path, symbols }) => nameOf(path) === name && symbols.length > 0);
  if (isThere('resolver-throws')) throw new Error('a fault of the test');
  if (isThere('resolver-hangs')) {
    const paths = files.flatMap(({ path }) => (nameOf(path) === 'resolver-hangs' ? [path] : []));
    follower?.skips({ key: '', paths }, () => undefined);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  }
  const module = manifests.map(({ path, text }) => `${path}:${text.length}`).join();
  return files.map(({ path, language, symbols, code, complete }) => {
    const imports = code?.body.flatMap((each) => (each.kind === 'import' ? [each] : [])) ?? [];
    const found = imports.map(({ module: name, line }) => ({ target: byName.get(nameOf(name)), name, line }));
    return {
      path,
      language,
      complete,
      symbols: [
        {
          name: path,
          qualifiedName: '',
          kind: 'module',
          startLine: 1,
          endLine: 1,
          signature: module,
          parent: null,
          exported: true,
          test: false,
        } as const,
        ...symbols.map(({ start: _start, end: _end, parent, ...symbol }) => ({
          ...symbol,
          parent: parent === null ? 0 : parent + 1,
          exported: true,
          test: false,
        })),
      ],
      edges: found.flatMap(({ target, line }) =>
        target === undefined
          ? []
          : [{ source: 0, target, kind: 'imports', line, confidence: 1, reason: 'import' } as const],
      ),
      externals: [],
      unresolved: found.flatMap(({ target, name, line }) =>
        target === undefined ? [{ source: 0, name, kind: 'imports', line } as const] : [],
      ),
    };
  });
};

export function isManifestName(path: string): boolean {
  return path.endsWith('go.mod');
}

function nameOf(path: string): string {
  return path.replace(/^.*\//u, '').replace(/\.[^.]*$/u, '');
}

export const { parseTexts, addStructures, resolve } = createGraphTasks(resolveByName);
