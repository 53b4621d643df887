import type { Value } from './values.js';

export type Watcher = (value: Value) => void;

/** A set of values with what depends on it. Grows only. */
export class Node {
  /** In order of arrival. */
  values: Value[] | undefined;
  /** How many of `values` have been passed on. */
  delivered = 0;
  targets: Node[] | undefined;
  watchers: Watcher[] | undefined;
  /** The contents of a declared type: besides it, only functions flow in. */
  source: Node | undefined;
  /** Stands for a type. */
  declared = false;
  /** Too many values to be of use: it holds none and passes none on. */
  saturated = false;
  /** Nesting of generic types that led to it. */
  depth = 0;
  /** Where values inferred for it go instead. */
  storage: Node | undefined;

  /** Declares, before the engine runs, that all values of this node are values of another. */
  flowTo(target: Node): void {
    (this.targets ??= []).push(target);
  }
}
