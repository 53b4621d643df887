import type { SourceSymbol } from '../contract.js';
import type { Lower } from '../worker/code/lowering.js';

/** One language of tree-sitter. */
export interface Grammar {
  /** Key of the grammar: a language of the language table, or `tsx`. */
  readonly id: string;
  /** File in `@repomix/tree-sitter-wasms/out`. */
  readonly wasm: string;
  /**
   * Finds declarations. Its captures:
   * - `@function`, `@class`, … (a SymbolKind): the declaring node; `@prototype.function` one that a definition of
   *   the same name in the file replaces
   * - `@name`: what it is called (`A::b` and `A.b` qualify); without it, the pattern's `(#set! name "…")`
   * - `@qualifier`: the type that a declaration outside of it belongs to
   * - `@body`: where the signature ends
   * - `@scope`: a node that qualifies inner symbols by its `@name`, without being a symbol
   * - `@wrap` around `@inner`: the range of a declaration `inner` is that of `wrap` (`export`, `template<…>`)
   * - `@lead`: a comment, decorator or attribute that belongs to the declaration right after it
   *
   * Where two patterns capture one node, the earlier pattern wins.
   */
  readonly query: string;
  readonly facts: FactRules;
  readonly lower?: Lower;
  /** A real snippet, parsed when the grammar is loaded: functions that WASM binds lazily fail then, not later. */
  readonly sample: string;
}

/** Finds the facts of a language. */
export interface FactRules {
  /**
   * One pattern for each form of a fact. Its subject is one of:
   * - `@import`: with `@module`, `@name`, `@local`, and a token `@type_only`; `(#set! kind "…")` as in Import, else
   *   `named`; `reexport`; `split`: the module ends in the name; `local`: `first`, the first part of the module is
   *   the local name; `@base` and `@base.inner` come before `@module`, with `join` between; `prefix` before all
   * - `@export`: with `@name` and `@local`; one of them counts as both
   * - `@call`, `@new`: with `@name`, `@receiver`, `@arguments`
   * - `@extends`, `@implements`: the type; with `@subtype`
   * - `@parameter`, `@receiver_parameter`, `@variable`, `@field`, `@return`: with `@name`, `@owner`, `@type`, `@value` (a path) and
   *   `@value.call` (a node of `@call` or `@new`); patterns for one `@name` complete each other
   * - `@ref`, `@ref.type`, `@decorator`: the first identifier of a reference; names of other facts and of
   *   declarations are dropped
   * - `@ignore`: a node without references
   * - `@scope`: a block; `@scope.function`: a function
   * - `@case`: a test case, with `@title`
   * - `@exported`, `@test`: the name of an exported definition, of a test
   */
  readonly query: string;
  /** Separates the names of a path; part of a regular expression. Default: a dot. */
  readonly separator?: string;
  /** Is a symbol hidden from other files, by its name or the modifiers in its signature? */
  hidden(symbol: SourceSymbol, parent: SourceSymbol | undefined): boolean;
}
