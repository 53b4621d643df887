import type { FileGraph, GraphEdge, GraphSymbol } from '@service-mcp/plugin-graph/internals';
import fc from 'fast-check';

interface Options {
  readonly exported?: boolean;
  readonly test?: boolean;
  readonly kind?: GraphSymbol['kind'];
  readonly parent?: number;
}

/** Files with one function per line, `name: callee, callee`; a callee is the id of a symbol. Line 1 is the module's. */
export class GraphFile {
  readonly path: string;
  readonly symbols: GraphSymbol[];
  readonly edges: GraphEdge[] = [];
  readonly externals: Array<FileGraph['externals'][number]> = [];
  readonly unresolved: Array<FileGraph['unresolved'][number]> = [];

  constructor(path: string) {
    this.path = path;
    const name = path.split('/').at(-1) ?? path;
    this.symbols = [symbol(name, '', 1, { kind: 'module', exported: true })];
  }

  /** Adds a symbol of three lines; its index. */
  add(name: string, options: Options = {}): number {
    const parent = options.parent ?? 0;
    const around = this.symbols[parent]?.qualifiedName ?? '';
    const qualified = around === '' ? name : `${around}.${name}`;
    return this.symbols.push(symbol(name, qualified, this.symbols.length * 3, { ...options, parent })) - 1;
  }

  edge(source: number, target: string, more: Partial<GraphEdge> = {}): this {
    const line = (this.symbols[source]?.startLine ?? 1) + 1;
    this.edges.push({ source, target, kind: 'calls', line, confidence: 1, reason: 'scope', ...more });
    return this;
  }

  /** The id of a symbol. */
  id(symbol: number): string {
    return symbol === 0 ? this.path : `${this.path}#${this.symbols[symbol]?.qualifiedName}`;
  }

  get graph(): FileGraph {
    const { path, symbols, edges, externals, unresolved } = this;
    return { path, language: 'typescript', symbols, edges, externals, unresolved, complete: true };
  }
}

function symbol(name: string, qualifiedName: string, line: number, options: Options): GraphSymbol {
  const { kind = 'function', exported = false, test = false, parent = null } = options;
  const signature = `${kind} ${name}${kind === 'function' || kind === 'method' ? '()' : ''}`;
  return { name, qualifiedName, startLine: line, endLine: line + 2, signature, parent, kind, exported, test };
}

const KINDS = ['imports', 'calls', 'references', 'extends', 'implements'] as const;

/** Random projects of up to 6 files with up to 5 symbols each; an edge may end in a symbol that is not there. */
export const anyFiles: fc.Arbitrary<FileGraph[]> = fc
  .record({
    files: fc.array(fc.array(fc.nat(5), { maxLength: 5 }), { minLength: 1, maxLength: 6 }),
    edges: fc.array(
      fc.record({
        source: fc.nat(50),
        target: fc.nat(50),
        kind: fc.constantFrom(...KINDS),
        confidence: fc.constantFrom(0.3, 0.7, 1),
      }),
      { maxLength: 60 },
    ),
  })
  .map(({ files, edges }) => {
    const made = files.map((parents, number) => {
      const file = new GraphFile(`d${number % 2}/f${number}.ts`);
      for (const [index, parent] of parents.entries())
        file.add(`s${index}`, { parent: parent % (index + 1), exported: parent === 0 });
      return file;
    });
    const places = made.flatMap((file) => file.symbols.map((_, source) => ({ file, source })));
    const ids = [...made.flatMap((file) => file.symbols.map((_, index) => file.id(index))), 'gone.ts#gone'];
    const seen = new Set<string>();
    for (const { source, target, kind, confidence } of edges) {
      const from = places[source % places.length];
      const to = ids[target % ids.length];
      const key = `${source % places.length} ${to} ${kind}`;
      if (from === undefined || to === undefined || seen.has(key)) continue;
      seen.add(key);
      from.file.edge(from.source, to, { kind, confidence });
    }
    return made.map((file) => file.graph);
  });
