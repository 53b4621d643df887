import { groupBy } from '../group-by.js';
import { Node } from '../node.js';
import type { Class, Func } from '../declarations.js';
import type { Solver } from '../solver.js';
import type { Instance } from '../values.js';

export interface SiteItem {
  /** Absent for elements whose key is not known. */
  readonly key: string | undefined;
  /** A function that runs where the member is read or written. */
  readonly accessor?: Func | undefined;
  readonly node: Node;
}

/** Elements that are added further on have no known place: `f(a, *rest)` inside of `f` adds one in each round. */
const MAX_INDEX = 20;

/** Literals with more elements have an index of their keys. */
const MAX_SEARCHED = 16;

export interface SiteForm {
  readonly isSequence?: boolean;
  /** It has more elements than it is made with. */
  readonly grows?: boolean;
  readonly isType?: boolean;
  /** Of the elements, in their order. */
  readonly names?: readonly string[] | undefined;
}

type Follower = (key: string | undefined, node: Node) => void;

/**
 * Where a container is made, with its elements by key. Most literals are only passed on: what reading and writing need is
 * made when it is needed.
 */
export class Site {
  readonly #solver: Solver;
  readonly #items: readonly SiteItem[];
  /** How many elements a list is made with; absent for other containers and where it is not known. */
  readonly length: number | undefined;
  /** Keys are indexes; negative ones count from the end. */
  readonly isSequence: boolean;
  /** Of a tuple type, not of a literal. */
  readonly isType: boolean;
  readonly #names: readonly string[] | undefined;
  #byKey: Map<string | undefined, SiteItem[]> | undefined;
  #written: Map<string, Node> | undefined;
  #unknown: Node | undefined;
  #appended: Node | undefined;
  #all: Node | undefined;
  #followers: Follower[] | undefined;

  constructor(
    solver: Solver,
    items: readonly SiteItem[],
    { isSequence = false, grows = false, isType = false, names }: SiteForm = {},
  ) {
    this.#solver = solver;
    this.#items = items;
    this.isType = isType;
    this.#names = names;
    this.isSequence = isSequence;
    if (isSequence && !grows && items.every(({ key }, index) => key === String(index)))
      this.length = items.length;
  }

  /** Takes what is stored under keys that are not known. */
  get unknown(): Node {
    if (!this.#unknown) {
      this.#unknown = new Node();
      if (this.#all) this.#solver.copy(this.#unknown, this.#all);
    }
    return this.#unknown;
  }

  /** Takes what is added at the end. */
  get appended(): Node {
    if (this.length === undefined) return this.unknown;
    if (!this.#appended) {
      this.#appended = new Node();
      if (this.#all) this.#solver.copy(this.#appended, this.#all);
      for (const follow of this.#followers ?? []) follow(undefined, this.#appended);
    }
    return this.#appended;
  }

  /** Elements change their places: any may be anywhere. */
  shift(): void {
    if (this.isSequence) this.#solver.copy(this.all, this.unknown);
  }

  /** All elements. */
  get all(): Node {
    if (!this.#all) {
      const { unknown } = this;
      this.#all = new Node().mark({ storage: unknown });
      this.#solver.copy(unknown, this.#all);
      if (this.#appended) this.#solver.copy(this.#appended, this.#all);
      for (const { node } of this.#items) this.#solver.copy(node, this.#all);
      for (const node of this.#written?.values() ?? []) this.#solver.copy(node, this.#all);
    }
    return this.#all;
  }

  /** Takes what is stored under a key. */
  slot(key: string | undefined): Node {
    if (key === undefined || this.#isFromEnd(key)) return this.unknown;
    return this.#slot(this.#fromStart(key));
  }

  #slot(key: string): Node {
    let node = this.#written?.get(key);
    if (!node) {
      (this.#written ??= new Map()).set(key, (node = new Node()));
      if (this.#all) this.#solver.copy(node, this.#all);
      for (const follow of this.#followers ?? []) follow(key, node);
    }
    return node;
  }

  /** Elements of a key, now and later; all without a key. */
  read(written: string | undefined, to: Node): void {
    if (written === undefined || this.#isFromEnd(written)) {
      this.#solver.copy(this.all, to);
      return;
    }
    this.#readKey(this.#fromStart(written), to);
    this.#solver.copy(this.unknown, to);
    const isAppended =
      this.length !== undefined && (Number(written) >= this.length || written.startsWith('-'));
    if (isAppended) this.#solver.copy(this.appended, to);
  }

  /** The index of the element that has a name. */
  indexOf(name: string): number | undefined {
    const index = this.#names?.indexOf(name) ?? -1;
    return index < 0 ? undefined : index;
  }

  /** True for a key that the literal names itself. */
  names(key: string): boolean {
    return this.#candidates(key).some((item) => item.key === key);
  }

  /** The function that reads or writes a member. */
  accessor(key: string, kind: 'get' | 'set'): Func | undefined {
    return this.#candidates(key).find((item) => item.key === key && item.accessor?.code.accessor === kind)
      ?.accessor;
  }

  /** At least the elements of a key and those without one, which many ones share a node for. */
  #candidates(key: string): readonly SiteItem[] {
    if (this.#items.length <= MAX_SEARCHED) return this.#items;
    if (!this.#byKey) {
      this.#byKey = groupBy(this.#items, (item) => item.key);
      const node = new Node();
      for (const item of this.#byKey.get(undefined) ?? []) this.#solver.copy(item.node, node);
      this.#byKey.set(undefined, [{ key: undefined, node }]);
    }
    return [...(this.#byKey.get(key) ?? []), ...(this.#byKey.get(undefined) ?? [])];
  }

  /**
   * A member by its name, now and later. What is stored under a key that is not known is hardly one of those that the
   * code names: `exports[inspect.custom] = …`, `cache[path] = load`.
   */
  readMember(name: string, to: Node): Node {
    this.#readKey(name, to);
    return to;
  }

  #readKey(key: string, to: Node): void {
    for (const item of this.#candidates(key)) {
      if (item.key === key || item.key === undefined) this.#solver.copy(item.node, to);
    }
    this.#solver.copy(this.#slot(key), to);
  }

  /** Counts from an end that is not known. */
  #isFromEnd(key: string): boolean {
    return this.isSequence && this.length === undefined && key.startsWith('-');
  }

  #fromStart(key: string): string {
    return this.length !== undefined && /^-\d+$/.test(key) ? String(this.length + Number(key)) : key;
  }

  /** Elements with a key, as of now. */
  *named(): Iterable<readonly [key: string, node: Node]> {
    for (const { key, node } of this.#items) if (key !== undefined) yield [key, node];
    yield* this.#written ?? [];
  }

  /** A tuple type with other elements. */
  map(change: (node: Node) => Node): Site {
    return new Site(
      this.#solver,
      this.#items.map(({ key, node }) => ({ key, node: change(node) })),
      { isSequence: true, isType: true, names: this.#names },
    );
  }

  /** Calls back for the node of each key, now and later, and for that of keys that are not known. */
  follow(follower: Follower): void {
    (this.#followers ??= []).push(follower);
    follower(undefined, this.unknown);
    if (this.#appended) follower(undefined, this.#appended);
    for (const { key, node } of this.#items) follower(key, node);
    for (const [key, node] of this.#written ?? []) follower(key, node);
  }

  /** Adds the elements of another container with their keys, but for those under some keys. */
  include(other: Site, except?: ReadonlySet<string | undefined>): void {
    if (other === this) return;
    other.follow((key, node) => {
      if (key === undefined || !except?.has(key)) this.#solver.copy(node, this.slot(key));
    });
  }

  /** Adds the elements of a list from one index up to another, from an index of its own. */
  includePart(other: Site, from: number, to: number | undefined, at: number): void {
    other.follow((key, node) => {
      const index = Number(key);
      const isKnown = key !== undefined && Number.isInteger(index);
      if (isKnown && (index < from || (to !== undefined && to >= 0 && index >= to))) return;
      const own = isKnown ? index - from + at : MAX_INDEX;
      this.#solver.copy(node, this.slot(own < MAX_INDEX ? String(own) : undefined));
    });
  }
}

/** A container made by a literal. */
export class SiteInstance implements Instance {
  readonly kind = 'instance';
  readonly class: Class;
  readonly site: Site;
  readonly open: boolean;
  readonly exact = true;
  readonly depth = 1;
  #arguments: readonly Node[] | undefined;

  constructor(container: Class, site: Site, open: boolean) {
    this.class = container;
    this.site = site;
    this.open = open;
  }

  /** The last parameter of a container is its elements. */
  get arguments(): readonly Node[] {
    const { length } = this.class.generics;
    this.#arguments ??= this.class.generics.map((_, index) =>
      index === length - 1 ? this.site.all : new Node(),
    );
    return this.#arguments;
  }
}
