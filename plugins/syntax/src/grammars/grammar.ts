import type { Node } from 'web-tree-sitter';
import type { Lower } from '../worker/code/lowering.js';
import type { Range } from '../worker/mark-declarations.js';

/** One language of tree-sitter. */
export interface Grammar {
  /** File in `@repomix/tree-sitter-wasms/out`. */
  readonly wasm: string;
  /**
   * Finds declarations. Its captures:
   * - `@function`, `@class`, … (a SymbolKind): the declaring node; `@prototype.function` one that a definition of
   *   the same name in the file replaces
   * - `@name`: what it is called (`A::b` and `A.b` qualify), without the pattern's `(#set! sigil "…")`, behind its
   *   `(#set! prefix "…")`; without the capture, the pattern's `(#set! name "…")`
   * - `@qualifier`: the type that a declaration outside of it belongs to
   * - `@body`: where the signature ends
   * - `@scope`: a node that qualifies inner symbols by its `@name`, without being a symbol
   * - `@wrap` around `@inner`: the range of a declaration `inner` is that of `wrap` (`export`, `template<…>`)
   * - `@lead`: a comment, decorator or attribute that belongs to the declaration right after it
   *
   * Where two patterns capture one node, the earlier pattern wins.
   */
  readonly query: string;
  readonly lower: Lower;
  /**
   * For a text with syntax errors: each gives a text of the same length in which something is blank that only a
   * preprocessor can read, or a later grammar. The one with fewer errors is read.
   */
  readonly preprocess?: ReadonlyArray<(text: string, errors: readonly Range[]) => string>;
  /**
   * For any text: one of the same length in which what the grammar reads as something else, without an error, is blank.
   * It is read unless that has more errors.
   */
  readonly blankMisread?: (text: string) => string;
  /** The braces of macros in the place of declarations that hold such: the macro is read as called beside them. */
  readonly itemMacros?: (root: Node, text: string) => readonly Range[];
  /** A real snippet, parsed when the grammar is loaded: functions that WASM binds lazily fail then, not later. */
  readonly sample: string;
}
