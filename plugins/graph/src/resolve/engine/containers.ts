import type { LanguageRules, LiteralKind } from '../language-rules.js';
import type { Class } from '../declarations.js';
import { Node } from '../node.js';
import type { Instance, Value } from '../values.js';
import type { Engine } from './engine.js';
import { iterateMembers } from './iterator-members.js';
import { elementsByName } from './module-members.js';
import { Site, SiteInstance, type SiteForm, type SiteItem } from './site.js';

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
    items: readonly SiteItem[],
    open: boolean,
    form: Omit<SiteForm, 'isSequence'> = {},
  ): Instance | undefined {
    const container = this.#builtin(type, rules);
    if (!container) return undefined;
    const isSequence = type === 'list' || type === 'tuple';
    const all = items.some(({ accessor }) => accessor) ? items.map((each) => this.#member(each)) : items;
    return new SiteInstance(container, new Site(this.#engine.solver, all, { ...form, isSequence }), open);
  }

  /** The value of a member that a function reads is its result; one that a function writes alone has none. */
  #member({ key, node, accessor }: SiteItem): SiteItem {
    if (!accessor) return { key, node };
    const reads = accessor.code.accessor === 'get';
    return { key, accessor, node: reads ? this.#engine.types.result(accessor) : new Node() };
  }

  #builtin(type: LiteralKind, rules: LanguageRules): Instance['class'] | undefined {
    const name = rules.literals?.[type] ?? type;
    return this.#engine.builtins.find(rules, name) ?? this.#engine.builtins.fallback(type);
  }

  /** Adds the elements of other containers, by key where they are known. `replaced`: the keys of elements that come after them. */
  spread(from: Node, into: Instance, replaced?: ReadonlySet<string | undefined>): void {
    const { site } = into;
    if (!site) return;
    const isObject = into.class === this.#builtin('object', into.class.unit.rules);
    this.#engine.solver.watch(from, (value) => {
      const elements = isObject && elementsByName(this.#engine, value);
      if (elements) site.include(elements, replaced);
      else if (value.kind === 'instance') this.operate(value, '@each', site.unknown);
    });
  }

  /** A builtin with these type arguments, or with nodes of its own. */
  wrap(
    type: LiteralKind,
    rules: LanguageRules,
    inner: ReadonlyArray<Node | undefined>,
    open: boolean,
  ): Instance | undefined {
    const container = this.#builtin(type, rules);
    if (!container) return undefined;
    const args = container.generics.map((_, index) => inner[index] ?? new Node());
    return this.#engine.values.instance(container, args, true, open);
  }

  /** Promises of values; promises stay as they are. */
  promise(rules: LanguageRules, from: Node, to: Node): void {
    const { solver } = this.#engine;
    const inner = new Node();
    const wrapped = this.wrap('promise', rules, [inner], true);
    if (wrapped) solver.add(to, wrapped);
    solver.watch(from, (value) => {
      if (value.kind === 'instance' && value.class === wrapped?.class) solver.add(to, value);
      else solver.add(inner, value);
    });
  }

  load(value: Value, key: string | undefined, to: Node): void {
    if (value.kind === 'external') this.#engine.solver.add(to, value);
    if (value.kind === 'class') this.#loadOfClass(value, to);
    if (value.kind !== 'instance') return;
    if (value.site) value.site.read(key, to);
    else if (!this.operate(value, '@index', to)) iterateMembers(this.#engine, value, to);
  }

  /** `Color["RED"]` is an element of an enumeration, `Box[int]` the class itself. */
  #loadOfClass(value: Class, to: Node): void {
    const isElement = this.operate(value, '@index', to);
    if (!isElement && value.unit.rules.classIndex !== undefined) this.#engine.solver.add(to, value);
  }

  /** Some elements of a list, as a new one where they are known, else the list itself. */
  slice(value: Value, from: number, to: number | undefined): Value {
    const site = value.kind === 'instance' ? value.site : undefined;
    if (value.kind !== 'instance' || !site?.isSequence) return value;
    if (Number.isNaN(from)) {
      const part = this.make('list', value.class.unit.rules, [], value.open, { grows: true });
      if (part?.site) this.#engine.solver.copy(site.all, part.site.unknown);
      return part ?? value;
    }
    if (Number.isNaN(to)) return value;
    if (site.length === undefined) {
      if (from < 0) return value;
      const part = this.make('list', value.class.unit.rules, [], value.open, { grows: true });
      part?.site?.includePart(site, from, to, 0);
      return part ?? value;
    }
    const indexes = Array.from({ length: site.length }, (_, index) => index).slice(from, to);
    const items = indexes.map((index, at) => {
      const node = new Node();
      site.read(String(index), node);
      return { key: String(at), node };
    });
    const made = this.make('list', value.class.unit.rules, items, value.open);
    if (made?.site) {
      this.#engine.solver.copy(site.unknown, made.site.unknown);
      this.#engine.solver.copy(site.appended, made.site.appended);
    }
    return made ?? value;
  }

  store(value: Value, key: string | undefined, from: Node): void {
    if (value.kind !== 'instance') return;
    const { site } = value;
    const last = value.arguments.at(-1) ?? this.#inheritedElements(value);
    if (site) this.#engine.solver.copy(from, site.slot(key));
    else if (last) this.#engine.infer.into(from, last);
  }

  /** The keys of a dictionary are what a loop over it gives. */
  storeKey(value: Value, key: Node): void {
    if (value.kind !== 'instance' || !this.#engine.builtins.isBuiltin(value.class)) return;
    if (value.class.generics.length < 2) return;
    const [keys] = value.arguments;
    if (keys) this.#engine.infer.into(key, keys);
  }

  /** The elements of an object whose class extends a builtin collection. */
  #inheritedElements(value: Instance): Node | undefined {
    const { classes, builtins, environments } = this.#engine;
    const owner = classes.member(value.class, '@index', 'instance')?.owner;
    const generic = owner && builtins.isBuiltin(owner) ? owner.generics.at(-1) : undefined;
    return owner && generic && environments.find(value, owner)?.parameters.get(generic);
  }

  /** The result of an operation of a builtin type, or of the member that stands for it in a class of the project. */
  operate(value: Value, operation: string, to: Node): boolean {
    const { solver, classes, environments, substitution } = this.#engine;
    if (value.kind === 'external') {
      solver.add(to, value);
      return true;
    }
    if (value.kind === 'class' && value.code.form === 'enum' && value.unit.rules.enumsIterate) {
      solver.add(to, this.#engine.values.instance(classes.canonical(value), [], false));
      return true;
    }
    if (value.kind !== 'instance') return false;
    const found = classes.member(value.class, operation, 'instance');
    if (!found) return operation === '@each' && iterateMembers(this.#engine, value, to);
    substitution.copy(found.variable.node, environments.find(value, found.owner), to);
    return true;
  }
}
