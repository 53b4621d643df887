import type { Value } from './values.js';

export type Watcher = (value: Value) => void;

/** What only some nodes have. */
interface NodeTraits {
  /** The declared type of a variable: besides its values, only functions flow in. */
  readonly source?: Node;
  /** Stands for a type: only functions flow in. */
  readonly declared?: true;
  /** Where values inferred for it go instead. */
  readonly storage?: Node;
  /** Nesting of generic types that led to it. */
  readonly depth?: number;
}

/** A set of values with what depends on it. Grows only. There are millions: it has few fields. */
export class Node {
  /** In order of arrival. */
  values: Value[] | undefined;
  /** How many of `values` have been passed on; -1 where there were too many, and it holds and passes on none. */
  delivered = 0;
  targets: Node[] | undefined;
  watchers: Watcher[] | undefined;
  queued = false;
  traits: NodeTraits | undefined;

  /** Declares, before the engine runs, that all values of this node are values of another. */
  flowTo(target: Node): void {
    // An array that starts with an element has no room to spare; one that starts empty gets room for 17.
    if (this.targets) this.targets.push(target);
    else this.targets = [target];
  }

  get saturated(): boolean {
    return this.delivered < 0;
  }

  get depth(): number {
    return this.traits?.depth ?? 0;
  }

  /** Adds traits. */
  mark(traits: NodeTraits): this {
    this.traits = this.traits ? { ...this.traits, ...traits } : traits;
    return this;
  }

  /** True where a value may flow in from another node. */
  admits(value: Value, from: Node): boolean {
    const { traits } = this;
    if (!traits || (!traits.declared && (traits.source === undefined || traits.source === from))) return true;
    return value.kind === 'function' || value.kind === 'bound';
  }
}
