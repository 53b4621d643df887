import { switchWork } from './file-work.js';
import { append, type Node, type Watcher } from './node.js';
import type { Instance, Value } from './values.js';

/**
 * A node with more values tells nothing: they are dropped, and calls through it stay unresolved. So few are searched one by
 * one: a set beside them takes more memory than all of them.
 */
const MAX_VALUES = 40;
/** Repeated targets are found among this many; further ones cost time only. */
const CHECKED_TARGETS = 8;
/** Further constants at one place are just strings or numbers. */
const MAX_CONSTANTS = 4;

/** Binding names took too many steps: see {@link Solver.maxSteps}. */
export class StepLimit extends Error {}

/** Passes values along until nothing changes. Only what is new travels. */
export class Solver {
  /** So many values may arrive at nodes, the same ones again included. */
  maxSteps = Infinity;
  #steps = 0;
  #queue: Node[] = [];
  readonly #first: Node[] = [];
  #hasStarted = false;

  /** Throws a {@link StepLimit} after too many steps, of all files or of that of the node. */
  add(node: Node, given: Value): void {
    const { held, work } = node;
    if (++this.#steps > this.maxSteps || ++work.steps > work.maxSteps) throw new StepLimit();
    if (node.saturated) return;
    const value = given.kind === 'instance' && given.constant ? admitted(given, node.values) : given;
    const count = countOf(held);
    if (held === undefined) node.held = value;
    else if (!Array.isArray(held)) {
      if (held === value) return;
      node.held = [held, value];
    } else if (held.includes(value)) return;
    else if (held.length < MAX_VALUES) node.held = append(held, value);
    else {
      node.markIncomplete();
      node.delivered = -1;
      node.held = node.targets = node.watchers = undefined;
      return;
    }
    // Values that it has not passed on: it waits for its turn, or to be started.
    if (count === node.delivered) this.#queue.push(node);
  }

  /** All values of one node, now and later, are values of another, as far as that admits them. */
  copy(from: Node, to: Node): void {
    if (from === to || to.saturated) return;
    if (from.incomplete) to.markIncomplete();
    if (from.saturated) return;
    const { targets } = from;
    if (targets === to) return;
    if (Array.isArray(targets) && targets.length <= CHECKED_TARGETS && targets.includes(to)) return;
    from.targets = append(targets, to);
    this.#passSome(from.held, 0, from.delivered, from, to);
  }

  #passSome(held: Node['held'], start: number, end: number, from: Node, to: Node): void {
    if (!Array.isArray(held)) {
      if (start < end) this.#pass(held, from, to);
    } else for (let index = start; index < end; index += 1) this.#pass(held[index], from, to);
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
    node.watchers = append(node.watchers, watcher);
    callWith(node.held, 0, node.delivered, watcher);
  }

  /** Starts, once, with a node that was filled before the engine ran. */
  start(node: Node): void {
    if (node.held !== undefined) this.#queue.push(node);
  }

  /** Does what makes nodes that are passed on before all others: as if they had been there from the start. */
  before(makeNodes: () => void): void {
    const queue = this.#queue;
    this.#queue = this.#hasStarted ? [] : this.#first;
    makeNodes();
    if (this.#hasStarted) this.#runQueue();
    this.#queue = queue;
  }

  run(): void {
    this.#hasStarted = true;
    this.#queue = [...this.#first.splice(0), ...this.#queue];
    this.#runQueue();
  }

  #runQueue(): void {
    while (this.#queue.length > 0) {
      const queue = this.#queue;
      this.#queue = [];
      for (const node of queue) this.#deliver(node);
    }
  }

  #deliver(node: Node): void {
    const { held, targets, watchers, delivered } = node;
    if (held === undefined) return;
    switchWork(node.work);
    const end = countOf(held);
    node.delivered = end;
    // Watchers added meanwhile have already received the delivered values.
    if (Array.isArray(targets)) {
      const count = targets.length;
      for (let index = 0; index < count; index += 1) {
        const target = targets[index];
        if (target) this.#passSome(held, delivered, end, node, target);
      }
    } else if (targets) this.#passSome(held, delivered, end, node, targets);
    if (Array.isArray(watchers)) {
      const count = watchers.length;
      for (let index = 0; index < count; index += 1) {
        const watcher = watchers[index];
        if (watcher) callWith(held, delivered, end, watcher);
      }
    } else if (watchers) callWith(held, delivered, end, watchers);
  }
}

function countOf(held: Node['held']): number {
  if (Array.isArray(held)) return held.length;
  return held === undefined ? 0 : 1;
}

function callWith(held: Node['held'], start: number, end: number, watcher: Watcher): void {
  if (!Array.isArray(held)) {
    if (held && start < end) give(watcher, held);
    return;
  }
  for (let index = start; index < end; index += 1) {
    const value = held[index];
    if (value) give(watcher, value);
  }
}

function give(watcher: Watcher, value: Value): void {
  if (typeof watcher === 'function') watcher(value);
  else watcher.receive(value);
}

/** A constant, or the plain value where a node has many constants. */
function admitted(value: Instance, values: readonly Value[] | undefined): Value {
  if (!value.constant || !values || values.includes(value)) return value;
  const constants = values.filter((each) => each.kind === 'instance' && each.constant);
  return constants.length < MAX_CONSTANTS ? value : value.constant.plain;
}
