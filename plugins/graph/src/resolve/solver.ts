import type { Node, Watcher } from './node.js';
import type { Instance, Value } from './values.js';

/** A node with more values tells nothing: they are dropped, and calls through it stay unresolved. */
const MAX_VALUES = 40;
/** Sets of at most this many values are searched one by one. */
const SMALL = 12;
/** Repeated targets are found among this many; further ones cost time only. */
const CHECKED_TARGETS = 8;
/** Further constants at one place are just strings or numbers. */
const MAX_CONSTANTS = 4;

/** Passes values along until nothing changes. Only what is new travels. */
export class Solver {
  #queue: Node[] = [];
  readonly #large = new Map<Node, Set<Value>>();

  add(node: Node, given: Value): void {
    if (node.saturated) return;
    const { values } = node;
    const value = given.kind === 'instance' && given.constant ? admitted(given, values) : given;
    if (!values) node.values = [value];
    else if (values.length < SMALL) {
      if (values.includes(value)) return;
      values.push(value);
    } else if (!this.#addToLarge(node, values, value)) return;
    if (node.queued) return;
    node.queued = true;
    this.#queue.push(node);
  }

  /** False where nothing is to be passed on. */
  #addToLarge(node: Node, values: Value[], value: Value): boolean {
    let known = this.#large.get(node);
    if (!known) this.#large.set(node, (known = new Set(values)));
    if (known.has(value)) return false;
    if (values.length >= MAX_VALUES) {
      node.delivered = -1;
      node.values = node.targets = node.watchers = undefined;
      this.#large.delete(node);
      return false;
    }
    known.add(value);
    values.push(value);
    return true;
  }

  /** All values of one node, now and later, are values of another, as far as that admits them. */
  copy(from: Node, to: Node): void {
    if (from === to || from.saturated || to.saturated) return;
    const { targets } = from;
    if (!targets) from.targets = [to];
    else if (targets.length <= CHECKED_TARGETS && targets.includes(to)) return;
    else targets.push(to);
    const { values, delivered } = from;
    if (values) for (let index = 0; index < delivered; index += 1) this.#pass(values[index], from, to);
  }

  #pass(value: Value | undefined, from: Node, to: Node): void {
    if (value && to.admits(value, from)) this.add(to, value);
  }

  /** Gives a node a declared type. */
  declare(node: Node, type: Node): void {
    node.mark({ source: type });
    this.copy(type, node);
  }

  /** Calls back for each value, now and later, once. */
  watch(node: Node, watcher: Watcher): void {
    if (node.saturated) return;
    if (node.watchers) node.watchers.push(watcher);
    else node.watchers = [watcher];
    const { values, delivered } = node;
    for (let index = 0; index < delivered; index += 1) {
      const value = values?.[index];
      if (value) watcher(value);
    }
  }

  /** Starts with a node that was filled before the engine ran. */
  start(node: Node): void {
    if (node.queued || !node.values) return;
    node.queued = true;
    this.#queue.push(node);
  }

  run(): void {
    while (this.#queue.length > 0) {
      const queue = this.#queue;
      this.#queue = [];
      for (const node of queue) {
        node.queued = false;
        this.#deliver(node);
      }
    }
  }

  #deliver(node: Node): void {
    const { values, targets, watchers, delivered } = node;
    if (!values) return;
    const end = values.length;
    node.delivered = end;
    if (targets) {
      // What is added meanwhile has been given all delivered values already.
      const count = targets.length;
      for (let index = 0; index < count; index += 1) {
        const target = targets[index];
        if (target) for (let next = delivered; next < end; next += 1) this.#pass(values[next], node, target);
      }
    }
    if (!watchers) return;
    const count = watchers.length;
    for (let index = 0; index < count; index += 1) {
      const watcher = watchers[index];
      for (let next = delivered; next < end; next += 1) {
        const value = values[next];
        if (value && watcher) watcher(value);
      }
    }
  }
}

/** A constant, or the plain value where a node has many constants. */
function admitted(value: Instance, values: readonly Value[] | undefined): Value {
  if (!value.constant || !values || values.includes(value)) return value;
  const constants = values.filter((each) => each.kind === 'instance' && each.constant);
  return constants.length < MAX_CONSTANTS ? value : value.constant.plain;
}
