import type { Class } from './declarations.js';
import { currentWork, type FileWork } from './file-work.js';
import type { Value } from './values.js';

/** Most watchers. They take half the memory of closures. */
export interface Receiver {
  receive(value: Value): void;
}

export type Watcher = ((value: Value) => void) | Receiver;

/** Most nodes have one value, one target and one watcher: an array is made for the second. */
type OneOrMore<T> = T | T[];

/** Arrays of fewer than six items have no room to spare: V8 gives one that grows room for 16 more. */

/** Properties that only some nodes have. */
interface NodeTraits {
  /** The declared type of a variable: besides its values, only functions flow in. */
  readonly source?: Node;
  /** Stands for a type: only functions flow in. */
  readonly declared?: true;
  /** Stands for a class whose objects no function is one of. */
  readonly solid?: true;
  /** Stands for this type of the library: objects of classes that implement it flow in as well. */
  readonly library?: Class;
  /** Where values inferred for it go instead. */
  readonly storage?: Node;
  /** Nesting of generic types that led to it. */
  readonly depth?: number;
  /** Values that it should have were dropped at a node with too many. */
  readonly incomplete?: true;
}

/** Traits of most nodes of types. */
export const DECLARED: NodeTraits = { declared: true };
const INCOMPLETE: NodeTraits = { incomplete: true };

/** A set of values with what depends on it. Grows only. There are millions: it has few fields. */
export class Node {
  /** In order of arrival. */
  held: OneOrMore<Value> | undefined;
  /** How many of the values have been passed on; -1 where there were too many, and it holds and passes on none. */
  delivered = 0;
  targets: OneOrMore<Node> | undefined;
  watchers: OneOrMore<Watcher> | undefined;
  traits: NodeTraits | undefined;
  /** Of the file whose code made it. */
  readonly work: FileWork = currentWork();

  /** In order of arrival; undefined for none. */
  get values(): readonly Value[] | undefined {
    const { held } = this;
    return held === undefined || Array.isArray(held) ? held : [held];
  }

  /** Declares, before the engine runs, that all values of this node are values of another. */
  flowTo(target: Node): void {
    this.targets = append(this.targets, target);
  }

  get saturated(): boolean {
    return this.delivered < 0;
  }

  /** True where it has too many values, or gets values from a node that has. */
  get incomplete(): boolean {
    return this.delivered < 0 || this.traits?.incomplete === true;
  }

  get depth(): number {
    return this.traits?.depth ?? 0;
  }

  /** Adds traits. */
  mark(traits: NodeTraits): this {
    this.traits = this.traits ? { ...this.traits, ...traits } : traits;
    return this;
  }

  /** Tells this node, and those that get its values, that some are missing. */
  markIncomplete(): void {
    const marked: Node[] = [this];
    for (const node of marked) {
      const { traits, targets } = node;
      if (node.incomplete || traits?.solid || traits?.source?.traits?.solid) continue;
      node.mark(INCOMPLETE);
      if (Array.isArray(targets)) for (const target of targets) marked.push(target);
      else if (targets) marked.push(targets);
    }
  }

  /** True where a value may flow in from another node. */
  admits(value: Value, from: Node): boolean {
    const { traits } = this;
    if (!traits || (!traits.declared && (traits.source === undefined || traits.source === from))) return true;
    if (traits.solid || traits.source?.traits?.solid) return false;
    if (value.kind === 'function' || value.kind === 'bound') return true;
    const library = traits.library ?? traits.source?.traits?.library;
    return library !== undefined && value.kind === 'instance' && value.class.unit !== library.unit;
  }
}

/** Adds an item. Returns what holds all items. */
export function append<T extends Value | Node | Watcher>(
  items: OneOrMore<T> | undefined,
  item: T,
): OneOrMore<T> {
  if (items === undefined) return item;
  if (!Array.isArray(items)) return [items, item];
  // Literals are made in place, where `concat` calls the runtime.
  switch (items.length) {
    case 2:
      return [items[0]!, items[1]!, item];
    case 3:
      return [items[0]!, items[1]!, items[2]!, item];
    case 4:
      return [items[0]!, items[1]!, items[2]!, items[3]!, item];
    default:
      items.push(item);
      return items;
  }
}
