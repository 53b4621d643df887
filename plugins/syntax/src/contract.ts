import { token } from '@service-mcp/core';
import type { Code } from './code.js';

export type { Code } from './code.js';
export type * as code from './code.js';
export { derivationVersion } from './derivation-version.js';
export { isTestFile } from './test-files.js';

/** Structs, unions, traits and records are `class` or `interface`; namespaces are `module`. */
export type SymbolKind =
  | 'function'
  | 'method'
  | 'class'
  | 'interface'
  | 'type'
  | 'enum'
  | 'module'
  | 'variable'
  | 'heading';

/** One declaration of a source file, or one section of a document. */
export interface SourceSymbol {
  /** `default` for an anonymous default export. At most 256 characters. */
  readonly name: string;
  /**
   * Unique in the file: `Store.get`, with `~2`, `~3` for repeats in source order (contract.md 6). A method declared
   * outside its type (Go, Rust, C++) carries the type's name too. Sections: `Title > Sub`.
   */
  readonly qualifiedName: string;
  readonly kind: SymbolKind;
  /** UTF-16 offset, including the doc comment, decorators and attributes of the declaration. */
  readonly start: number;
  /** UTF-16 offset, exclusive. A section ends before the next heading of its level or a higher one. */
  readonly end: number;
  /** From 1. */
  readonly startLine: number;
  /** From 1, inclusive. */
  readonly endLine: number;
  /** The declaration up to its body, white space folded, at most 300 characters. */
  readonly signature: string;
  /** Index in `symbols` of the innermost symbol around this one; null at the top level. */
  readonly parent: number | null;
}

export interface Structure {
  readonly language: string | null;
  /** In source order, outer before inner. Empty for a language without a parser (see {@link Syntax.languages}). */
  readonly symbols: readonly SourceSymbol[];
  /** False where the text has syntax errors, is too large, or time ran out; the result is then partial. */
  readonly complete: boolean;
  /** What is read of a notebook: the sources of its cells. Absent where that is the whole text. Only `parseInThread` returns it. */
  readonly passages?: readonly Passage[];
  /** Code of a source text; only `parseInThread` returns it, on request. */
  readonly code?: Code;
}

/** A range of a text that is read, in UTF-16 offsets, `end` exclusive. */
export interface Passage {
  readonly start: number;
  readonly end: number;
  /** Something else than markup lies between this passage and the one before: they are not shown together. */
  readonly isApart: boolean;
}

/** A text to parse. */
export interface Source {
  readonly path: string;
  /** Overrides the language of the path. */
  readonly language?: string | null;
  readonly text: string;
  /** Requests {@link Structure.code}. Only `parseInThread` returns it. Default: false. */
  readonly code?: boolean;
}

/** Limits of a parse. Plain data, so that they can be posted to a thread. */
export interface ParseLimits {
  /** Milliseconds for one text; after that the structure is partial. */
  readonly timeLimitMs: number;
  /** A text with more bytes of UTF-8 has no symbols. */
  readonly maxBytes: number;
  /** False: source code has no symbols, only documents are parsed. */
  readonly parseCode: boolean;
}

/** Parses source code and documents into symbols. */
export interface Syntax {
  /** For `parseInThread` of `@service-mcp/plugin-syntax/contract/thread`. */
  readonly limits: ParseLimits;
  /**
   * The language by file name and extension, else by `#!` line. Lower case: `typescript` (TSX too), `javascript`
   * (JSX too), `cpp`, `csharp`, `markdown`, `json`, `shell`, …; null where unknown. `text` decides `.h`
   * between `c` and `cpp`, and files without an extension.
   */
  languageOf(path: string, text?: string): string | null;
  /** The language by what people call it: an id, an extension or another name, such as `ts`, `golang` or `C#`; else the name in lower case. */
  languageNamed(name: string): string;
  /**
   * Concurrent and repeated requests for the same text and language share one parse.
   *
   * Never rejects because of the text: hostile, over-large and slow texts give `complete: false`. Rejects with
   * the reason of `signal` when it aborts, and with UNAVAILABLE after close.
   */
  parse(source: Source, signal?: AbortSignal): Promise<Structure>;
  /** The languages that parse into symbols, sorted. */
  languages(): readonly string[];
}
export const Syntax = token<Syntax>('syntax.Syntax');
