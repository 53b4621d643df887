import type { LanguageRules, LiteralKind } from '../language-rules.js';
import { Node } from '../node.js';
import type { Instance, Site, Value } from '../values.js';
import type { Engine } from './engine.js';

export interface ContainerItem {
  readonly key: string | undefined;
  readonly node: Node;
}

/** Elements of lists, objects and other builtin containers. */
export class Containers {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** A new container with these elements. */
  make(
    type: 'list' | 'tuple' | 'set' | 'object',
    rules: LanguageRules,
    items: readonly ContainerItem[],
    open: boolean,
  ): Instance | undefined {
    const { solver } = this.#engine;
    const container = this.#builtin(type, rules);
    if (!container) return undefined;
    const site: Site = { keys: new Map(), unknown: new Node(), all: new Node() };
    site.all.storage = site.unknown;
    solver.copy(site.unknown, site.all);
    const { generics } = container;
    const args = generics.map((_, index) => (index === generics.length - 1 ? site.all : new Node()));
    for (const { key, node } of items) solver.copy(node, this.slot(site, key));
    return { kind: 'instance', class: container, arguments: args, exact: true, site, open, depth: 1 };
  }

  #builtin(type: LiteralKind, rules: LanguageRules): Instance['class'] | undefined {
    const name = rules.literals?.[type] ?? type;
    return this.#engine.builtins.find(rules, name) ?? this.#engine.builtins.fallback(type);
  }

  /** Where the element of a key is kept. */
  slot(site: Site, key: string | undefined): Node {
    if (key === undefined) return site.unknown;
    let node = site.keys.get(key);
    if (!node) {
      site.keys.set(key, (node = new Node()));
      this.#engine.solver.copy(node, site.all);
    }
    return node;
  }

  /** Adds the elements of other containers, by key where they are known. */
  spread(from: Node, into: Instance): void {
    const { site } = into;
    if (!site) return;
    const isObject = into.class === this.#builtin('object', into.class.unit.rules);
    this.#engine.solver.watch(from, (value) => {
      if (value.kind !== 'instance') return;
      if (!isObject || !value.site) this.operate(value, '@each', site.unknown);
      else {
        for (const [key, node] of value.site.keys) this.#engine.solver.copy(node, this.slot(site, key));
        this.#engine.solver.copy(value.site.unknown, site.unknown);
      }
    });
  }

  /** A builtin of one type argument around a node. */
  wrap(type: LiteralKind, rules: LanguageRules, inner: Node, open: boolean): Instance | undefined {
    const container = this.#builtin(type, rules);
    return (
      container &&
      this.#engine.values.instance(container, container.generics.length > 0 ? [inner] : [], true, open)
    );
  }

  /** Promises of values; promises stay as they are. */
  promise(rules: LanguageRules, from: Node, to: Node): void {
    const { solver } = this.#engine;
    const inner = new Node();
    const wrapped = this.wrap('promise', rules, inner, true);
    if (wrapped) solver.add(to, wrapped);
    solver.watch(from, (value) => {
      if (value.kind === 'instance' && value.class === wrapped?.class) solver.add(to, value);
      else solver.add(inner, value);
    });
  }

  load(value: Value, key: string | undefined, to: Node): void {
    const { solver } = this.#engine;
    if (value.kind === 'external') solver.add(to, value);
    if (value.kind !== 'instance') return;
    const { site } = value;
    if (!site) {
      this.operate(value, '@index', to);
      return;
    }
    if (key === undefined) solver.copy(site.all, to);
    else {
      // A key that is set later is seen too.
      solver.copy(this.slot(site, key), to);
      solver.copy(site.unknown, to);
    }
  }

  store(value: Value, key: string | undefined, from: Node): void {
    if (value.kind !== 'instance') return;
    const { site } = value;
    const last = value.arguments.at(-1);
    if (site) this.#engine.solver.copy(from, this.slot(site, key));
    else if (last) this.#engine.infer.into(from, last);
  }

  /** The result of an operation of a builtin type, or of the member that stands for it in a class of the project. */
  operate(value: Value, operation: string, to: Node): boolean {
    const { solver, classes, substitution } = this.#engine;
    if (value.kind === 'external') {
      solver.add(to, value);
      return true;
    }
    if (value.kind !== 'instance') return false;
    const found = classes.member(value.class, operation, 'instance');
    if (!found) return false;
    substitution.copy(found.variable.node, classes.environment(value, found.owner), to);
    return true;
  }
}
