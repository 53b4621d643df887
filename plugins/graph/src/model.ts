import type { Code, SourceSymbol, SymbolKind } from '@service-mcp/plugin-syntax/contract';

/** `contains` follows from the parents of symbols and is never stored. */
export type EdgeKind = 'imports' | 'calls' | 'references' | 'extends' | 'implements' | 'contains';

/**
 * The evidence for an edge, from certain to guessed:
 * - `import`: an import statement names the file
 * - `scope`: the name is declared in this file, its package or an import
 * - `type`: a member of the declared or inferred type of the receiver
 * - `flow`: a function value reaches the call through variables, arguments, returns or containers
 * - `hierarchy`: overrides or implements the member of the receiver's type
 * - `unique_name`: the only member of this name in the project; the type of the receiver is unknown
 */
export type Reason = 'import' | 'scope' | 'type' | 'flow' | 'hierarchy' | 'unique_name';

/** A file as the resolver reads it. */
export interface SourceFile {
  readonly path: string;
  readonly language: string | null;
  readonly symbols: readonly SourceSymbol[];
  /** Absent for a language without code. */
  readonly code?: Code;
  /** See `Structure.complete`. */
  readonly complete: boolean;
}

/** A file that configures how modules are resolved: `package.json`, `tsconfig.json`, `go.mod`, `composer.json`, `Cargo.toml`, … */
export interface Manifest {
  readonly path: string;
  readonly text: string;
}

/** A node of the graph. */
export interface GraphSymbol extends Pick<
  SourceSymbol,
  'name' | 'qualifiedName' | 'startLine' | 'endLine' | 'signature' | 'parent'
> {
  /** The module itself is symbol 0 of its file: its name is the last part of the path, its qualified name is empty. */
  readonly kind: SymbolKind;
  readonly exported: boolean;
  readonly test: boolean;
}

/** A relation that starts in this file. */
export interface GraphEdge {
  /** Index in `symbols`: the innermost one around the place; 0 is the module. */
  readonly source: number;
  /** Id of a symbol of the project: `path`, `path#Qualified.name`. */
  readonly target: string;
  readonly kind: Exclude<EdgeKind, 'contains'>;
  /** Line of the first such place, from 1. */
  readonly line: number;
  /** 0 to 1. */
  readonly confidence: number;
  readonly reason: Reason;
}

/** A use of something outside the project: a package, a standard library, a builtin. */
export interface ExternalUse {
  readonly source: number;
  /** `react`, `node:fs`, `java.util`, `fmt`; empty for builtins. */
  readonly module: string;
  /** Name of the used symbol in it; absent for an import. */
  readonly name?: string;
  readonly kind: 'imports' | 'calls' | 'extends' | 'implements' | 'references';
  readonly line: number;
}

/** A call or import whose target is unknown. */
export interface Unresolved {
  readonly source: number;
  readonly name: string;
  readonly kind: 'imports' | 'calls';
  readonly line: number;
}

/** The part of a graph for one file. It depends on the whole project, and is written again when it differs. */
export interface FileGraph {
  readonly path: string;
  readonly language: string | null;
  /** Symbol 0 is the module; the others are those of the file in source order, their parents one higher. */
  readonly symbols: readonly GraphSymbol[];
  /** Distinct by source, target and kind, ordered. */
  readonly edges: readonly GraphEdge[];
  readonly externals: readonly ExternalUse[];
  readonly unresolved: readonly Unresolved[];
  /** False for a text with syntax errors, or one that was cut: this part may miss symbols and edges. */
  readonly complete: boolean;
  /** Missing parts of the file and why, for people: it is too large, its parser crashed, its code nests too deep. */
  readonly note?: string;
}
