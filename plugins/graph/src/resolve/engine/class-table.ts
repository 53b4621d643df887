import type { Node } from '../node.js';
import { instanceMember, type Class, type Func, type GenericParameter } from '../declarations.js';
import type { Variable } from '../program.js';
import { isField, isProperty, type Side } from './member-access.js';
import { lentMember } from './mixins.js';
import type { External, Instance } from '../values.js';
import { linearizeC3 } from './c3.js';
import { declaredSupertypes, type DeclaredSupertype } from './declared-supertypes.js';
import type { Engine } from './engine.js';
import { mergeNames } from './merge-names.js';
import { SupertypeElements } from './supertype-elements.js';

/** A class among the supertypes of another, itself first. */
export interface Ancestor {
  readonly class: Class;
  /** Its type arguments in terms of the parameters of the class. */
  readonly arguments: readonly Node[];
  /** Steps from the class. */
  readonly distance: number;
}

export interface FoundMember {
  readonly owner: Class;
  readonly variable: Variable;
}

/** Larger hierarchies are cut. */
const MAX_ANCESTORS = 200;
/** Supertypes are found one within another. */
const MAX_NESTING = 100;

/** Supertypes and members of classes. Parts of one class in several places are one class. */
export class ClassTable {
  readonly #engine: Engine;
  readonly #elements: SupertypeElements;
  readonly #canonical = new Map<Class, Class>();
  /** All classes of the name of one, where they differ in the number of their type parameters. */
  readonly #arities = new Map<Class, readonly Class[]>();
  readonly #aliases = new Map<GenericParameter, GenericParameter>();
  readonly #ancestors = new Map<Class, readonly Ancestor[]>();
  readonly #externals = new Map<Class, External | undefined>();
  readonly #pending = new Set<Class>();
  /** Those found with supertypes left out, until the outermost lookup ends: classes are reached by many ways. */
  readonly #cutAncestors = new Map<Class, readonly Ancestor[]>();
  /** Number of lookups that skipped supertypes because these were not resolved yet. */
  #cuts = 0;
  readonly #members = new Map<Class, Map<string, FoundMember | null>>();
  readonly #constructors = new Map<Class, Func[]>();

  constructor(engine: Engine) {
    this.#engine = engine;
    this.#elements = new SupertypeElements(engine);
  }

  canonical(container: Class): Class {
    return this.#canonical.get(container) ?? container;
  }

  generic(parameter: GenericParameter): GenericParameter {
    return this.#aliases.get(parameter) ?? parameter;
  }

  /** Notes all classes of the name of one. */
  noteArity(container: Class, all: readonly Class[]): void {
    this.#arities.set(container, all);
  }

  /** The class of the same name with so many type parameters, else the class itself. */
  ofArity(container: Class, arity: number): Class {
    const own = this.canonical(container);
    return this.#arities.get(own)?.find(({ generics }) => generics.length === arity) ?? own;
  }

  /** Makes the members and supertypes of one class those of another too. */
  merge(
    part: Class,
    into: Class,
    generics: ReadonlyArray<GenericParameter | undefined> = part.generics,
  ): void {
    this.#canonical.set(part, into);
    for (const [index, generic] of generics.entries()) {
      const own = into.generics[index];
      if (own && generic) this.#aliases.set(generic, own.join(generic));
    }
    into.supertypes.push(...part.supertypes.map((each) => ({ ...each, writtenIn: each.writtenIn ?? part })));
    into.embedded.push(...part.embedded);
    const { instanceMembers, scope } = into;
    mergeNames(this.#engine, part.instanceMembers, instanceMembers, (name, each) =>
      instanceMembers.set(name, each),
    );
    mergeNames(this.#engine, part.scope.names, scope.names, (name, each) => scope.adopt(each, name));
    for (const func of part.unit.functions) if (func.owner === part) func.owner = into;
    this.#engine.solver.copy(into.thisNode, part.thisNode);
  }

  /** Makes a function that is declared elsewhere a member. */
  adopt(func: Func, container: Class, name: string): void {
    func.owner = container;
    this.#shareGenerics(func, container);
    // A static member keeps its place.
    const variable = container.scope.names.get(name) ?? instanceMember(container, name);
    variable.symbol ??= func.symbol;
    variable.addDeclaration(func);
    this.#engine.solver.add(variable.node, func);
  }

  /** Type parameters that the owner of a function names in its brackets are those of the class: Go. */
  #shareGenerics(func: Func, container: Class): void {
    const { owner } = func.code;
    if (!owner || func.generics.length === 0) return;
    for (const [index, given] of this.#engine.typeNames.argumentsNamed(owner, func.scope).entries()) {
      const own = container.generics[index];
      const at = given ? func.generics.indexOf(given) : -1;
      if (!given || !own || at < 0) continue;
      func.generics.splice(at, 1);
      this.#aliases.set(given, own);
    }
  }

  /** Drops what was found before all members were in their classes. */
  forget(): void {
    this.#ancestors.clear();
    this.#externals.clear();
    this.#members.clear();
    this.#engine.environments.forget();
  }

  /** Tells whether what is found meanwhile may be kept: no supertype was left out because it is still being found. */
  #watchFinality(): () => boolean {
    const { types } = this.#engine;
    const { unfinished } = types;
    const cuts = this.#cuts;
    return () => types.unfinished === unfinished && (this.#cuts === cuts || this.#pending.size === 0);
  }

  /** Notes a constructor. */
  addConstructor(func: Func, container: Class): void {
    const known = this.#constructors.get(container);
    if (known) known.push(func);
    else this.#constructors.set(container, [func]);
  }

  /** True where a class is a type, or has it as a supertype. */
  isOf(container: Class, type: Class): boolean {
    return this.ancestors(container).some((each) => each.class === type);
  }

  /** The class itself and its supertypes, in the order of member lookup. Those of the class itself are left out. */
  ancestors(container: Class): readonly Ancestor[] {
    const known = this.#ancestors.get(container);
    if (known) return known;
    const cut = this.#cutAncestors.get(container);
    if (cut) {
      this.#cuts += 1;
      return cut;
    }
    const self: Ancestor = {
      class: container,
      arguments: this.#engine.types.genericNodes(container.generics),
      distance: 0,
    };
    if (this.#pending.has(container) || this.#pending.size > MAX_NESTING) {
      this.#cuts += 1;
      return [self];
    }
    const { types } = this.#engine;
    const { unfinished } = types;
    const isFinal = this.#watchFinality();
    this.#pending.add(container);
    const declared = this.declaredSupertypes(container).filter((each) => !each.static);
    const listOf = (parts: typeof declared): Ancestor[][] =>
      parts.flatMap(({ value }) => (value.kind === 'instance' ? [this.#ancestorsOf(value)] : []));
    const lists = listOf(declared.filter((each) => !each.first));
    const before = listOf(declared.filter((each) => each.first)).flat();
    const { memberOrder } = container.unit.rules;
    const merged = memberOrder === 'c3' ? linearizeC3(lists) : undefined;
    const ordered = merged ?? lists.flat();
    if (memberOrder === 'breadth_first') ordered.sort((a, b) => a.distance - b.distance);
    const result: Ancestor[] = [];
    const seen = new Set<Class>();
    for (const ancestor of [...before, self, ...ordered]) {
      if (seen.has(ancestor.class) || result.length >= MAX_ANCESTORS) continue;
      seen.add(ancestor.class);
      result.push(ancestor);
    }
    this.#pending.delete(container);
    if (isFinal()) this.#ancestors.set(container, result);
    else if (types.unfinished === unfinished) this.#cutAncestors.set(container, result);
    if (this.#pending.size === 0) this.#cutAncestors.clear();
    return result;
  }

  #ancestorsOf(instance: Instance): Ancestor[] {
    const { substitution } = this.#engine;
    const environment = this.#engine.environments.find(instance, instance.class);
    return this.ancestors(instance.class).map((each) => ({
      class: each.class,
      arguments: each.arguments.map((node) => substitution.of(node, environment)),
      distance: each.distance + 1,
    }));
  }

  /** Direct supertypes as written: classes before interfaces, embedded types last. */
  supertypes(container: Class): Array<Instance | External> {
    return this.declaredSupertypes(container).map(({ value }) => value);
  }

  declaredSupertypes(container: Class): DeclaredSupertype[] {
    return declaredSupertypes(this.#engine, this.#elements, container);
  }

  /** The first external type among the supertypes. */
  externalAncestor(container: Class): External | undefined {
    if (this.#externals.has(container)) return this.#externals.get(container);
    const ancestors = this.ancestors(container);
    const supertypes = ancestors.flatMap((each) => this.supertypes(each.class));
    const found = supertypes.find((type) => type.kind === 'external');
    // Supertypes that are made by calls come to light while values flow.
    const isFinal = ancestors.every(({ class: each }) => each.supertypes.every(({ value }) => !value));
    if (isFinal && this.#ancestors.has(container)) this.#externals.set(container, found);
    return found;
  }

  /** A member by name, from a side. `after`: only supertypes that come after this class. */
  member(container: Class, name: string, side: Side, after?: Class): FoundMember | null {
    if (after) return this.#find(container, name, side, after);
    let known = this.#members.get(container);
    if (!known) this.#members.set(container, (known = new Map()));
    const key = `${side} ${name}`;
    const cached = known.get(key);
    if (cached !== undefined) return cached;
    const isFinal = this.#watchFinality();
    const found = this.#find(container, name, side);
    if (isFinal()) known.set(key, found);
    return found;
  }

  #find(container: Class, name: string, side: Side, after?: Class): FoundMember | null {
    const isApart = side === 'instance' && container.unit.rules.ownMethods === true;
    const own = isApart ? this.#search(container, name, 'own', after) : null;
    const found = own ?? this.#search(container, name, side, after);
    // An object has no methods of its class.
    return isApart && !own && found && isMethod(found.variable) ? null : found;
  }

  #search(container: Class, name: string, side: Side | 'own', after?: Class): FoundMember | null {
    let skips = after !== undefined;
    const isOfClass = side === 'static' || side === 'class';
    const isApart = container.unit.rules.ownMethods === true;
    let field: FoundMember | null = null;
    for (const { class: owner } of this.ancestors(container)) {
      if (!skips) {
        const instance = owner.instanceMembers.get(name);
        const fixed = side === 'own' ? undefined : owner.scope.names.get(name);
        const lent = isOfClass && !fixed ? lentMember(this.#engine, owner, name, owner !== container) : null;
        if (lent) return lent;
        const ofObject = side === 'class' && isApart && instance && isMethod(instance) ? undefined : instance;
        const variable = side === 'instance' ? (instance ?? fixed) : (fixed ?? ofObject);
        if (field && variable) return isProperty(variable) ? { owner, variable } : field;
        field ??= variable ? { owner, variable } : null;
        if (variable && !(isField(variable) && variable === instance)) return field;
      }
      if (owner === after) skips = false;
    }
    return field;
  }

  /** Constructors of the class, or the inherited ones. */
  constructorsOf(container: Class, after?: Class): readonly Func[] {
    let skips = after !== undefined;
    for (const { class: owner } of this.ancestors(container)) {
      if (!skips) this.#engine.builtins.complete(owner);
      const found = skips ? undefined : this.#constructors.get(owner);
      if (found) return found;
      if (owner === after) skips = false;
    }
    return [];
  }
}

function isMethod({ declarations }: Variable): boolean {
  return declarations?.some(({ kind }) => kind === 'function') === true;
}
