import { Node } from '../node.js';
import type { Variable } from '../program.js';

/**
 * The current values of variables in straight-line code, for languages with ordered flow. A branch is a layer over the
 * state before it.
 */
export class FlowState {
  /** What nodes of narrowed variables narrow. */
  static readonly #wide = new WeakMap<Node, Node>();

  readonly #before: FlowState | undefined;
  /** Whether the code may run again after itself. */
  readonly #loop: boolean;
  /** Most branches assign nothing. */
  #current: Map<Variable, Node> | undefined;
  /** Elements that were assigned last, until something may have changed them. */
  #elements: Map<Variable, Map<string, Node>> | undefined;
  /** Variables of the file that have versions. */
  readonly #written: Variable[];
  /** Nothing runs after it: the code has returned, or left its loop. */
  hasLeft: boolean;

  /** `written` gets the variables that get versions. */
  constructor(written: Variable[], before?: FlowState, loop = false) {
    this.#written = written;
    this.#before = before;
    this.#loop = loop;
    this.hasLeft = before?.hasLeft ?? false;
  }

  #set(variable: Variable, node: Node): void {
    (this.#current ??= new Map<Variable, Node>()).set(variable, node);
  }

  /** The node that holds what the variable is now; absent where only all of its values are known. */
  read(variable: Variable): Node | undefined {
    const own = this.#current?.get(variable);
    if (own || !this.#before) return own;
    const before = this.#before.read(variable);
    if (!before || !this.#loop) return before;
    const head = new Node();
    before.flowTo(head);
    this.#set(variable, head);
    return head;
  }

  /** A new state of the variable. All states flow into the variable, for closures. */
  write(variable: Variable): Node {
    const version = new Node();
    version.flowTo(variable.node);
    if (variable.versions) variable.versions.push(version);
    else {
      variable.versions = [version];
      this.#written.push(variable);
    }
    this.#set(variable, version);
    this.#elements?.delete(variable);
    return version;
  }

  /** The variable has those of its values that a condition has proved, until the branch ends. */
  narrow(variable: Variable, node: Node): void {
    FlowState.#wide.set(node, this.read(variable) ?? variable.node);
    this.#set(variable, node);
  }

  /** The same with the values that conditions have excluded. */
  readWide(variable: Variable): Node | undefined {
    let node = this.read(variable);
    for (let wide = node; wide; wide = FlowState.#wide.get(wide)) node = wide;
    return node;
  }

  /** The certain value of an element of a variable's container. */
  element(variable: Variable, key: string): Node | undefined {
    return this.#elements?.get(variable)?.get(key);
  }

  /** Notes an assigned element. Other variables may have the same container. */
  setElement(variable: Variable, key: string, value: Node | undefined): void {
    const own = this.#elements?.get(variable) ?? new Map<string, Node>();
    this.#elements = value && new Map([[variable, own.set(key, value)]]);
  }

  forgetElements(): void {
    this.#elements = undefined;
  }

  /** The state of code that runs after this state, or not. */
  branch(loop = false): FlowState {
    return new FlowState(this.#written, this, loop);
  }

  /** What it is now, as a branch of a state before it: what is written later is not in it. */
  since(start: FlowState): FlowState {
    const state = new FlowState(this.#written, start);
    for (const variable of this.#changedSince(start)) {
      const node = this.read(variable);
      if (node) state.#set(variable, node);
    }
    return state;
  }

  /** Continues with what any of the branches leaves, but for those whose code has left. */
  join(all: readonly FlowState[]): void {
    this.#elements = undefined;
    const branches = all.filter((each) => !each.hasLeft);
    this.hasLeft = branches.length === 0;
    const changed = new Set(branches.flatMap((branch) => branch.#changedSince(this)));
    for (const variable of changed) {
      const wide = new Set(branches.map((branch) => branch.readWide(variable)));
      wide.delete(undefined);
      const [only] = wide;
      if (wide.size === 1 && only) {
        if (only !== this.read(variable)) this.#set(variable, only);
      } else {
        // What one branch has excluded, another has assigned: `if isinstance(a, str): a = parse(a)`.
        const joined = new Node();
        for (const node of new Set(branches.map((branch) => branch.read(variable)))) node?.flowTo(joined);
        this.#set(variable, joined);
      }
    }
  }

  #changedSince(state: FlowState): Variable[] {
    if (this === state || !this.#before) return [];
    return [...(this.#current?.keys() ?? []), ...this.#before.#changedSince(state)];
  }

  /** Of a loop: what its code leaves is what it starts with again. Variables that it only reads stay what they were. */
  close(ends: readonly FlowState[]): void {
    for (const [variable, head] of this.#current ?? []) {
      const changed = ends
        .flatMap((end) => (end.hasLeft ? [] : [end.read(variable)]))
        .filter((node) => node !== head);
      for (const node of changed) node?.flowTo(head);
      if (changed.length === 0) this.#current?.delete(variable);
    }
  }
}
