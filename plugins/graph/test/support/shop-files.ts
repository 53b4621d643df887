import type { FileGraph } from '@service-mcp/plugin-graph/internals';
import { GraphFile } from './graph-files.js';

/** A small shop: an API over a service over a store, with tests, a cycle, an unused function and two symbols of one name. */
export function shopFiles(): {
  readonly graphs: FileGraph[];
  readonly texts: ReadonlyArray<{ path: string; content: string }>;
} {
  const store = new GraphFile('src/store/store.ts');
  const type = store.add('Store', { kind: 'interface', exported: true });
  const typeGet = store.add('get', { kind: 'method', parent: type });
  const memory = store.add('MemoryStore', { kind: 'class', exported: true });
  const memoryGet = store.add('get', { kind: 'method', parent: memory });
  const unused = store.add('compact');
  store.edge(memory, store.id(type), { kind: 'implements' });
  store.edge(unused, store.id(memoryGet), { reason: 'type', confidence: 0.95 });
  store.externals.push({ source: 0, module: 'lru-cache', kind: 'imports', line: 1 });

  const service = new GraphFile('src/service/order.ts');
  const order = service.add('findOrder', { exported: true });
  const price = service.add('priceOf', { exported: true });
  service.edge(0, store.path, { kind: 'imports', reason: 'import', line: 1 });
  service.edge(order, store.id(typeGet), { reason: 'type', confidence: 0.95 });
  service.edge(order, store.id(memoryGet), { reason: 'hierarchy', confidence: 0.8 });
  service.edge(order, service.id(price));
  service.edge(price, service.id(order), { line: 8 });
  service.externals.push({ source: 0, module: 'left-pad', kind: 'imports', line: 2 });
  service.unresolved.push({ source: price, name: 'get', kind: 'calls', line: 9 });

  const api = new GraphFile('src/api/server.ts');
  const handle = api.add('handle', { exported: true });
  const get = api.add('get', { exported: true });
  api.edge(0, service.path, { kind: 'imports', reason: 'import', line: 1 });
  api.edge(handle, service.id(order));
  api.edge(get, api.id(handle));

  const tests = new GraphFile('test/order.test.ts');
  const check = tests.add('finds orders', { test: true });
  tests.edge(0, service.path, { kind: 'imports', reason: 'import', line: 1 });
  tests.edge(check, service.id(order));

  const files = [store, service, api, tests];
  return {
    graphs: files.map(({ graph }) => graph),
    texts: [
      ...files.map(({ path }) => ({ path, content: numbered(path) })),
      { path: 'package.json', content: JSON.stringify({ dependencies: { 'left-pad': '1.3.0' } }) },
    ],
  };
}

function numbered(path: string): string {
  return Array.from({ length: 30 }, (_, i) => `  line ${i + 1} of ${path}`).join('\n');
}
