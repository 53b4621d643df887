/**
 * One language of tree-sitter. The query finds declarations; its captures mean:
 * - `@function`, `@class`, … (a SymbolKind): the declaring node; `@prototype.function` one that a definition of
 *   the same name in the file replaces
 * - `@name`: what it is called (`A::b` and `A.b` qualify); without it, the pattern's `(#set! name "…")`
 * - `@qualifier`: the type that a declaration outside of it belongs to
 * - `@body`: where the signature ends
 * - `@scope`: a node that gives its `@name` to what is inside, without being a symbol
 * - `@wrap` around `@inner`: the range of a declaration `inner` is that of `wrap` (`export`, `template<…>`)
 * - `@lead`: a comment, decorator or attribute that belongs to the declaration right after it
 * Where two patterns capture one node, the earlier pattern wins.
 */
export interface Grammar {
  /** Key of the grammar: a language of the language table, or `tsx`. */
  readonly id: string;
  /** File in `@repomix/tree-sitter-wasms/out`. */
  readonly wasm: string;
  readonly query: string;
  /** A real snippet, parsed when the grammar is loaded: what WASM binds lazily fails there and then. */
  readonly sample: string;
}
