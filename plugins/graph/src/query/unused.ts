import { buildVariants } from './build-variants.js';
import { entryPoints, offeredBy } from './entry-points.js';
import { EDGE_KINDS } from './file-part.js';
import { isOffer, isPassedOn } from './module-uses.js';
import { methodsOutside } from './members.js';
import { overriddenIn } from './overridden.js';
import type { PackageEntries } from './package-entries.js';
import type { ProjectGraph } from './project-graph.js';
import { kindMask } from './rows.js';
import { isTest } from './tests.js';
import { unresolvedCalls } from './unresolved.js';

/** A symbol that cannot be reached from an entry point. */
export interface UnusedSymbol {
  readonly node: number;
  /** A sentence. */
  readonly reason: string;
}

export interface Unused {
  /** In order of path and source; symbols inside an unused one are not listed. */
  readonly symbols: readonly UnusedSymbol[];
  /**
   * Symbols that are left out: a call of their name has an unknown or external target, or an object of all exports of
   * their module is passed on.
   */
  readonly uncertain: readonly number[];
}

/** Variables are left out: uses of their values are missed more often than calls. */
const REPORTED: ReadonlySet<string> = new Set(['function', 'method', 'class', 'interface', 'type', 'enum']);
/** Tells the types of another file. */
const STUB = /\.pyi$/;
/** Not in the object that a module is at run time. */
const ERASED: ReadonlySet<string> = new Set(['interface', 'type']);
/** Called by the language: constructors, protocols of Python, PHP and Ruby. */
const IMPLICIT =
  /^(?:__\w+|constructor|initialize|toString|toJSON|valueOf|finalize|dispose|Dispose|drop|Drop)$/;
/** A constructor that is there to be called by nobody: `private Lists() {}` of Java and C#. */
const BARRED = /\bprivate\b[^(]*\(\s*\)/;
/** Methods of Go that its library calls through interfaces. */
const IMPLICIT_IN_GO =
  /^(?:Len|Less|Swap|Push|Pop|String|GoString|Format|Scan|Error|Unwrap|Is|As|Timeout|Temporary|Read|Write|Close|Seek|(?:Read|Write)(?:At|From|To|Byte|Rune|String)|Unread(?:Byte|Rune)|(?:M|Unm)arshal[A-Z]\w*|Gob(?:En|De)code|ServeHTTP|RoundTrip|Lock|Unlock|Network|LocalAddr|RemoteAddr|Set(?:Read|Write)?Deadline)$/;
/** The name of a function of Python that has none: it is used where its container is. */
const ANONYMOUS = '<lambda>';
const INHERITANCE = kindMask(['extends', 'implements']);
/** Signature of a class with a supertype, resolved or not. */
const INHERITS = /\b(?:extends|implements)\b|[(:<]/;

/** Symbols that cannot be reached from the entry points of the project or from `roots`. */
export function unusedSymbols(
  graph: ProjectGraph,
  packages: PackageEntries,
  roots: Iterable<number>,
): Unused {
  const search = new UseSearch(graph);
  search.follow([...entryPoints(graph, packages), ...roots]);
  const unresolved = unresolvedCalls(graph);
  const external = externalCalls(graph);
  const leftOut: number[] = [];
  for (;;) {
    const passedOn = offeredBy(graph, search.passedOn);
    const offered = new Set(passedOn.nodes);
    const uncertain = search.unused().filter((node) => {
      const { kind, name, exported } = graph.symbol(node);
      if (unresolved.has(name) || (kind === 'method' && external.has(name))) return true;
      if (!exported || ERASED.has(kind)) return false;
      return passedOn.parts.has(graph.partOf[node]!) || offered.has(node);
    });
    if (uncertain.length === 0) break;
    leftOut.push(...uncertain);
    search.follow(uncertain); // which may pass on other modules
  }
  const symbols = search.unused().map((node) => ({ node, reason: reasonFor(graph, node) }));
  return { symbols, uncertain: leftOut };
}

/** Names of external calls: a container of another package may return an object of the project. */
function externalCalls({ parts }: ProjectGraph): Set<string> {
  const names = new Set<string>();
  for (const { externals } of parts)
    for (const { kind, name } of externals)
      if (kind === 'calls' && name !== undefined) names.add(name.slice(name.lastIndexOf('.') + 1));
  return names;
}

/** Marks used symbols, from the entry points on. */
class UseSearch {
  readonly #graph: ProjectGraph;
  readonly #used: Uint8Array;
  /** Parts whose exports are passed on as an object by used code. */
  readonly passedOn = new Set<number>();
  readonly #inheriting: ReadonlySet<number>;
  readonly #overridden: (method: number) => readonly number[];

  constructor(graph: ProjectGraph) {
    this.#graph = graph;
    this.#used = new Uint8Array(graph.size);
    this.#inheriting = inheritingTypes(graph);
    this.#overridden = overriddenIn(graph);
  }

  /** Marks everything that can be reached from these symbols. */
  follow(roots: readonly number[]): void {
    const { rows, parents, partOf } = this.#graph;
    const variants = buildVariants(this.#graph);
    const queue: number[] = [];
    const use = (node: number) => {
      if (node < 0 || this.#used[node] === 1) return;
      this.#used[node] = 1;
      queue.push(node);
    };
    for (const root of roots) use(root);
    for (const node of queue) {
      for (let edge = rows.out[node]!; edge < rows.out[node + 1]!; edge++) {
        const target = rows.targets[edge]!;
        if (isOffer(this.#graph, edge)) continue; // used by the importers of the name
        if (isPassedOn(this.#graph, edge)) this.passedOn.add(partOf[target]!);
        use(target);
      }
      for (const variant of variants.get(node) ?? []) use(variant);
      // A call on an object of a subtype leads to this method alone: `self.open()` in the supertype.
      for (const each of this.#overridden(node)) use(each);
      use(parents[node]!); // the code around a used symbol runs
      for (const child of this.#graph.children(node)) if (this.#isPart(node, child)) use(child);
      for (const method of methodsOutside(this.#graph, node)) if (this.#isAskedFor(method)) use(method);
    }
  }

  /** Whether an interface may ask for a method that its type has outside of its text. */
  #isAskedFor(method: number): boolean {
    const implicit = this.#graph.part(method).language === 'go' ? IMPLICIT_IN_GO : IMPLICIT;
    return implicit.test(this.#graph.symbol(method).name) || this.#overridden(method).length > 0;
  }

  /** Unused symbols of reported kinds. Symbols inside an unused one are left out. */
  unused(): number[] {
    const { size, parents } = this.#graph;
    const found: number[] = [];
    for (let node = 0; node < size; node++) {
      const parent = parents[node]!;
      const { kind, name } = this.#graph.symbol(node);
      if (this.#used[node] === 1 || parent < 0 || name === ANONYMOUS || !REPORTED.has(kind)) continue;
      const isOuter = this.#used[parent] === 1 || this.#graph.isModule(parent);
      const { complete, path } = this.#graph.part(node);
      if (isOuter && complete && !STUB.test(path) && !isTest(this.#graph, node)) found.push(node);
    }
    return found;
  }

  /** True for a symbol that is used when its container is. Symbols of modules and methods of classes need a use of their own. */
  #isPart(node: number, child: number): boolean {
    const { kind } = this.#graph.symbol(node);
    if (this.#graph.symbol(child).name === ANONYMOUS) return true;
    if (kind === 'module') return false;
    // Code that knows the supertype may call any method.
    const { name, signature } = this.#graph.symbol(child);
    const isBarred = name === this.#graph.symbol(node).name && BARRED.test(signature);
    return kind !== 'class' || this.#inheriting.has(node) || isBarred || IMPLICIT.test(name);
  }
}

function inheritingTypes(graph: ProjectGraph): Set<number> {
  const found = new Set<number>();
  for (const [index, { externals, symbols }] of graph.parts.entries()) {
    const start = graph.starts[index]!;
    for (const { kind, source } of externals)
      if (((INHERITANCE >> EDGE_KINDS.indexOf(kind)) & 1) === 1) found.add(start + source);
    for (const [i, { kind, signature }] of symbols.entries())
      if (kind === 'class' && INHERITS.test(signature)) found.add(start + i);
  }
  const { sources, kinds } = graph.rows;
  for (const [edge, kind] of kinds.entries())
    if (((INHERITANCE >> kind) & 1) === 1) found.add(sources[edge]!);
  return found;
}

function reasonFor(graph: ProjectGraph, node: number): string {
  const { rows } = graph;
  const users = new Set<number>();
  const contents = new Set(graph.usable(node)); // a class is constructed by its constructor
  for (const each of contents)
    for (let i = rows.in[each]!; i < rows.in[each + 1]!; i++)
      if (!contents.has(rows.inSources[i]!) && !isOffer(graph, rows.incoming[i]!))
        users.add(rows.inSources[i]!);
  const [user] = users;
  const exported = graph.symbol(node).exported ? 'It is exported, but no entry point offers it. ' : '';
  if (user === undefined) return `${exported}No code of the project uses it.`;
  const more = users.size > 1 ? ` and ${users.size - 1} more` : '';
  return `${exported}Only unused code uses it: ${graph.id(user)}${more}.`;
}
