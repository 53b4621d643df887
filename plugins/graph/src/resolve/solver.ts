import type { Node, Watcher } from './node.js';
import type { Value } from './values.js';

/** A node with more values tells nothing: they are dropped, and calls through it stay unresolved. */
const MAX_VALUES = 40;
/** Sets of at most this many values are searched one by one. */
const SMALL = 12;

/** Passes values along until nothing changes. Only what is new travels. */
export class Solver {
  readonly #queue: Node[] = [];
  readonly #queued = new Set<Node>();
  readonly #large = new Map<Node, Set<Value>>();

  add(node: Node, value: Value): void {
    if (node.saturated) return;
    const values = (node.values ??= []);
    if (values.length < SMALL) {
      if (values.includes(value)) return;
    } else {
      let known = this.#large.get(node);
      if (!known) this.#large.set(node, (known = new Set(values)));
      if (known.has(value)) return;
      if (values.length >= MAX_VALUES) {
        this.#saturate(node);
        return;
      }
      known.add(value);
    }
    values.push(value);
    this.#enqueue(node);
  }

  #saturate(node: Node): void {
    node.saturated = true;
    node.values = undefined;
    node.delivered = 0;
    node.targets = undefined;
    node.watchers = undefined;
    this.#large.delete(node);
  }

  #enqueue(node: Node): void {
    if (this.#queued.has(node)) return;
    this.#queued.add(node);
    this.#queue.push(node);
  }

  /** All values of one node, now and later, are values of another, as far as its declared type admits them. */
  copy(from: Node, to: Node): void {
    if (from === to || from.saturated || to.saturated || from.targets?.includes(to)) return;
    (from.targets ??= []).push(to);
    for (let index = 0; index < from.delivered; index += 1) {
      const value = from.values?.[index];
      if (value && admits(to, from, value)) this.add(to, value);
    }
  }

  /** Gives a node a declared type. */
  declare(node: Node, type: Node): void {
    node.source = type;
    this.copy(type, node);
  }

  /** Calls back for each value, now and later, once. */
  watch(node: Node, watcher: Watcher): void {
    if (node.saturated) return;
    (node.watchers ??= []).push(watcher);
    const { delivered } = node;
    for (let index = 0; index < delivered; index += 1) {
      const value = node.values?.[index];
      if (value) watcher(value);
    }
  }

  /** Starts with a node that was filled or linked before the engine ran. */
  start(node: Node): void {
    if (node.values && node.values.length > node.delivered) this.#enqueue(node);
  }

  run(): void {
    for (let next = 0; next < this.#queue.length; next += 1) {
      const node = this.#queue[next];
      if (node) this.#deliver(node);
      // The front of a long queue is given back now and then.
      if (next > 100_000) {
        this.#queue.splice(0, next + 1);
        next = -1;
      }
    }
    this.#queue.length = 0;
  }

  #deliver(node: Node): void {
    this.#queued.delete(node);
    const { values } = node;
    if (!values) return;
    const from = node.delivered;
    const to = values.length;
    node.delivered = to;
    const fresh = values.slice(from, to);
    for (const target of node.targets ?? []) {
      for (const value of fresh) if (admits(target, node, value)) this.add(target, value);
    }
    for (const watcher of node.watchers ?? []) for (const value of fresh) watcher(value);
  }
}

function admits(target: Node, from: Node, value: Value): boolean {
  if (!target.declared && (target.source === undefined || target.source === from)) return true;
  return value.kind === 'function' || value.kind === 'bound';
}
