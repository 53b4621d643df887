import type { ExternalUse, FileGraph, GraphEdge, Reason, SourceFile, Unresolved } from '../../model.js';

/** At most. */
export const CONFIDENCE: Readonly<Record<Reason, number>> = {
  import: 1,
  scope: 1,
  type: 0.95,
  flow: 0.85,
  hierarchy: 0.8,
  unique_name: 0.35,
};

/** Of the name of a module outside the project: a specifier may hold a whole file (`data:…`). */
const MAX_MODULE = 300;

const KINDS: ReadonlyArray<GraphEdge['kind']> = ['calls', 'imports', 'extends', 'implements', 'references'];

type Edge = { -readonly [Key in keyof GraphEdge]: GraphEdge[Key] };

/** Data of a file besides its unit. */
export type FileFrame = Pick<SourceFile, 'path' | 'language' | 'symbols' | 'complete'> & {
  readonly definitions: NonNullable<SourceFile['code']>['definitions'];
};

/** The id of a symbol of a file; of the module itself for 0. */
export function idOf({ symbols, path }: FileFrame, source: number): string {
  const symbol = symbols[source - 1];
  return symbol ? `${path}#${symbol.qualifiedName}` : path;
}

/** Collects the graph of one file. */
export class GraphBuilder {
  readonly #frame: FileFrame;
  readonly #note: string | undefined;
  /** Paths of files whose symbols are named. */
  readonly #named = new Set<string>();
  /** By target, source and kind, as numbers: keys of text would be made for each use. */
  readonly #edges = new Map<number, Edge>();
  readonly #targets = new Map<string, number>();
  readonly #externals = new Map<string, ExternalUse>();
  readonly #unresolved = new Map<string, Unresolved>();

  /** `note`: why the graph lacks a part of the file. */
  constructor(frame: FileFrame, note: string | undefined) {
    this.#frame = frame;
    this.#note = note;
  }

  /** The id of a symbol of this file; of the module itself for 0. */
  idOf(source: number): string {
    return idOf(this.#frame, source);
  }

  /** True for a file with a symbol that this one names. */
  names(path: string): boolean {
    return this.#named.has(path);
  }

  /** Notes that a name of this file is declared in another. */
  noteName(path: string): void {
    this.#named.add(path);
  }

  edge(
    source: number,
    target: string,
    kind: GraphEdge['kind'],
    line: number,
    reason: Reason,
    most = 1,
  ): void {
    const confidence = Math.min(most, CONFIDENCE[reason]);
    if (reason === 'scope') this.noteName(pathOf(target));
    const key = this.#keyOf(source, target, kind);
    const known = this.#edges.get(key);
    if (!known) {
      this.#edges.set(key, { source, target, kind, line, confidence, reason });
      return;
    }
    known.line = Math.min(line, known.line);
    if (confidence > known.confidence) Object.assign(known, { confidence, reason });
  }

  #keyOf(source: number, target: string, kind: GraphEdge['kind']): number {
    let number = this.#targets.get(target);
    if (number === undefined) this.#targets.set(target, (number = this.#targets.size));
    const sources = this.#frame.symbols.length + 1;
    return (number * sources + source) * KINDS.length + KINDS.indexOf(kind);
  }

  external(use: ExternalUse): void {
    const module = shortened(use.module);
    const key = `${use.source} ${use.kind} ${module} ${use.name ?? ''}`;
    const known = this.#externals.get(key);
    if (!known || use.line < known.line) this.#externals.set(key, { ...use, module });
  }

  unresolved(use: Unresolved): void {
    const key = `${use.source} ${use.kind} ${use.name} ${use.line}`;
    this.#unresolved.set(key, use);
  }

  build(): FileGraph {
    const { path, language, symbols, definitions, complete } = this.#frame;
    const note = this.#note;
    const lastLine = symbols.reduce((last, symbol) => Math.max(last, symbol.endLine), 1);
    return {
      path,
      language,
      complete: complete && note === undefined,
      ...(note !== undefined && { note }),
      symbols: [
        {
          name: path.slice(path.lastIndexOf('/') + 1),
          qualifiedName: '',
          kind: 'module',
          startLine: 1,
          endLine: lastLine,
          signature: '',
          parent: null,
          exported: true,
          test: false,
        },
        ...symbols.map(({ name, qualifiedName, kind, startLine, endLine, signature, parent }, index) => ({
          name,
          qualifiedName,
          kind,
          startLine,
          endLine,
          signature,
          parent: parent === null ? 0 : parent + 1,
          exported: definitions[index]?.exported ?? false,
          test: definitions[index]?.test ?? false,
        })),
      ],
      edges: [...this.#edges.values()].sort(
        (a, b) => a.source - b.source || compare(a.kind, b.kind) || compare(a.target, b.target),
      ),
      externals: [...this.#externals.values()].sort(
        (a, b) =>
          a.source - b.source ||
          compare(a.kind, b.kind) ||
          compare(a.module, b.module) ||
          compare(a.name ?? '', b.name ?? ''),
      ),
      unresolved: [...this.#unresolved.values()].sort(
        (a, b) => a.source - b.source || a.line - b.line || compare(a.name, b.name),
      ),
    };
  }
}

function pathOf(id: string): string {
  const end = id.indexOf('#');
  return end < 0 ? id : id.slice(0, end);
}

function shortened(module: string): string {
  return module.length <= MAX_MODULE ? module : `${module.slice(0, MAX_MODULE - 1).toWellFormed()}…`;
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
