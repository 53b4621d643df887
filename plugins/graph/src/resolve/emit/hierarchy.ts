import { methodKey } from '../compile/keys.js';
import type { InheritedMember } from '../engine/call-result.js';
import type { Engine } from '../engine/engine.js';
import { accepts, implementationOf, isInherent, isPrivate, withoutPrototypes } from '../engine/overloads.js';
import type { Class, Func } from '../declarations.js';
import type { CallSite } from '../instructions.js';
import type { Unit, Variable } from '../program.js';
import { Overriding } from './overriding.js';
import { Signatures } from './signatures.js';

/** Overriders beyond this number say nothing about one call. */
const MAX_OVERRIDERS = 30;
/**
 * Types that are looked at for the interfaces of one file. A thousand interfaces of one method that a thousand types have are a
 * million edges. Those of Go's own library stay below 4,000.
 */
const MAX_CANDIDATES = 200_000;
/** The same of all files, and the members that are compared for them: many files together are as much as one. */
const MAX_ALL_CANDIDATES = 1_000_000;
const MAX_ALL_COMPARED = 10_000_000;
const IMPLEMENTED_BY_MANY =
  'The file is too complex: so many types may implement its interfaces that those of further ones are not looked for.';
const ALL_IMPLEMENTED_BY_MANY =
  'The project is too complex: so many types may implement interfaces of it that those of further ones are not looked for.';
const VIRTUAL = /\b(?:virtual|abstract|override|final)\b/;

/** Which methods override or implement others. */
export class Hierarchy {
  readonly #engine: Engine;
  readonly #classes: readonly Class[];
  /** The names that members of classes have. */
  #members: ReadonlySet<string> | undefined;
  readonly #subtypes = new Map<Class, Class[]>();
  readonly #overriders = new Map<Func, readonly Func[]>();
  /** By method, then overrider: the subtypes that have it. */
  readonly #places = new Map<Func, ReadonlyMap<Func, readonly Class[]>>();
  /** Methods of which the overriders were asked for, and are too many to tell. */
  readonly tooMany = new Set<Func>();
  /** Classes that may implement interfaces without saying so, by the names of their members. */
  readonly #structural = new Map<string, Class[]>();
  readonly #implementers = new Map<Class, readonly Class[]>();
  /** How many types were looked at for the interfaces of a file. */
  readonly #candidates = new Map<Unit, number>();
  #allCandidates = 0;
  #allCompared = 0;
  readonly #signatures: Signatures;
  readonly #overriding: Overriding;
  readonly #signatureOf: (func: Func) => string | undefined;

  constructor(engine: Engine, units: readonly Unit[], signatureOf: (func: Func) => string | undefined) {
    this.#engine = engine;
    this.#signatureOf = signatureOf;
    this.#signatures = new Signatures(engine);
    this.#overriding = new Overriding(engine, signatureOf);
    this.#classes = units.flatMap((unit) =>
      unit.classes.filter((each) => engine.classes.canonical(each) === each),
    );
    for (const container of this.#classes) {
      const ancestors = engine.classes.ancestors(container);
      // Those before the class itself take the place of its members: `prepend` of Ruby.
      const own = ancestors.findIndex((each) => each.class === container);
      for (const ancestor of ancestors.slice(own + 1)) {
        const known = this.#subtypes.get(ancestor.class);
        if (known) known.push(container);
        else this.#subtypes.set(ancestor.class, [container]);
      }
    }
    for (const each of this.#classes) {
      if (each.unit.rules.structuralInterfaces && each.code.form !== 'interface') this.#index(each);
    }
  }

  #index(container: Class): void {
    const ancestors = this.#engine.classes.ancestors(container);
    // Where a field may be one of the class itself, as in Python.
    const hasFields = container.unit.rules.structuralInterfaces === 'callable';
    const names = ancestors.flatMap(({ class: { instanceMembers, scope } }) => [
      ...instanceMembers.keys(),
      ...(hasFields ? scope.names.keys() : []),
    ]);
    for (const name of new Set(names)) {
      const known = this.#structural.get(name);
      if (known) known.push(container);
      else this.#structural.set(name, [container]);
    }
  }

  /** The methods of subtypes that take the place of a method; none where there are too many to tell: see {@link tooMany}. */
  overridersOf(func: Func): readonly Func[] {
    let found = this.#overriders.get(func);
    if (found) return found;
    found = this.#find(func);
    if (found.length > MAX_OVERRIDERS) {
      this.tooMany.add(func);
      found = [];
    }
    this.#overriders.set(func, found);
    return found;
  }

  /** Those of them that objects of some classes have; of classes that are not below the method any may run. */
  overridersFor(func: Func, receivers: readonly Class[]): readonly Func[] {
    const overriders = this.overridersOf(func);
    const { owner } = func;
    if (!owner || func.unit.rules.structuralInterfaces || receivers.length === 0) return overriders;
    const { classes } = this.#engine;
    const container = classes.canonical(owner);
    if (!receivers.every((each) => classes.isOf(each, container))) return overriders;
    const places = this.#places.get(func);
    return overriders.filter((overrider) => {
      const subtypes = places?.get(overrider);
      return !subtypes || subtypes.some((each) => receivers.some((type) => classes.isOf(each, type)));
    });
  }

  /** The methods of a name that subtypes have, where a class leaves them to those that extend it; none where there are too many. */
  membersBelow(container: Class, name: string): readonly Func[] {
    const found = new Set<Func>();
    if (!this.#hasMember(name)) return [];
    for (const subtype of this.#subtypes.get(container) ?? []) {
      const member = this.#engine.classes.member(subtype, name, 'instance');
      for (const each of member?.variable.declarations ?? []) if (each.kind === 'function') found.add(each);
    }
    return found.size > MAX_OVERRIDERS ? [] : [...found];
  }

  /** False for a name that no class has: most calls that lead nowhere. */
  #hasMember(name: string): boolean {
    this.#members ??= new Set(
      this.#classes.flatMap(({ instanceMembers, scope }) => [
        ...instanceMembers.keys(),
        ...scope.names.keys(),
      ]),
    );
    return this.#members.has(name);
  }

  /**
   * The methods of subtypes that take the place of a member which a class has from outside the project; none where there
   * are too many.
   */
  declaredBelow(member: InheritedMember, site: CallSite): readonly Func[] {
    const type = this.#engine.classes.canonical(member.class);
    const found = this.#subtypesOf(type).flatMap((subtype) => {
      const declared = subtype.instanceMembers.get(member.key)?.declarations ?? [];
      return declared.filter((each) => each.kind === 'function');
    });
    const overriders = found.filter(
      (each) => this.#overriding.isOverrider(each, type) && accepts(each, site, true),
    );
    return overriders.length > MAX_OVERRIDERS ? [] : overriders;
  }

  #find(func: Func): Func[] {
    const { owner, name } = func;
    if (!owner || name === undefined) return [];
    const container = this.#engine.classes.canonical(owner);
    if (!this.#isOverridable(func, name, container)) return [];
    const found = new Set<Func>();
    const places = new Map<Func, Class[]>();
    for (const subtype of this.#subtypesOf(container)) {
      const key = methodKey(name, subtype.unit.rules);
      const structural = subtype.unit.rules.structuralInterfaces;
      const member = structural
        ? this.#engine.classes.member(subtype, key, 'instance')?.variable
        : (subtype.instanceMembers.get(key) ??
          (subtype.unit.rules.lateStatic && func.code.static ? subtype.scope.names.get(key) : undefined) ??
          this.#fromElsewhere(subtype, key, func, container));
      const declarations = member?.declarations ?? [];
      const all = declarations.filter((each) => each.kind === 'function');
      const own = all.filter((each) => !isInherent(each));
      const functions = [...new Set(own.map((each) => implementationOf(each) ?? each))];
      const chosen = this.#overriding.choose(func, functions, subtype);
      for (const each of withoutPrototypes(chosen)) {
        found.add(each);
        const known = places.get(each);
        if (known) known.push(subtype);
        else places.set(each, [subtype]);
      }
    }
    this.#places.set(func, places);
    for (const each of this.#engine.infer.implementations.of(func)) found.add(each);
    found.delete(func);
    return [...found];
  }

  /** A member that a subtype has from a trait or class which knows nothing of the type whose member it takes the place of. */
  #fromElsewhere(subtype: Class, key: string, { code }: Func, container: Class): Variable | undefined {
    if (subtype.unit.rules.overrides !== 'visible') return undefined;
    const { classes } = this.#engine;
    const first = classes.member(subtype, key, 'instance');
    // An abstract member gives way to what comes after it.
    const isAbstract = first?.owner === container && !code.hasBody;
    const found = isAbstract ? classes.member(subtype, key, 'instance', container) : first;
    if (!found || found.owner === container) return undefined;
    return classes.isOf(container, found.owner) ? undefined : found.variable;
  }

  #isOverridable(func: Func, name: string, container: Class): boolean {
    const { rules } = func.unit;
    const { form } = container.code;
    // What a class declares takes the place of a method of its traits, also of a private one.
    if (rules.overrides === 'visible') return form === 'trait' || !isPrivate(this.#signatureOf(func));
    if (!rules.overrides || form === 'interface') return true;
    // C++ says `virtual` in the class only, and may leave it out in subtypes.
    const key = methodKey(name, rules);
    return this.#engine.classes.ancestors(container).some(({ class: { instanceMembers } }) => {
      const declarations = instanceMembers.get(key)?.declarations ?? [];
      // A prototype with a definition in its file has no signature: it may be virtual.
      return declarations.some(
        (each) => each.kind === 'function' && VIRTUAL.test(this.#signatureOf(each) ?? 'virtual'),
      );
    });
  }

  #subtypesOf(container: Class): readonly Class[] {
    const declared = this.#subtypes.get(container) ?? [];
    if (!container.unit.rules.structuralInterfaces) return declared;
    // Elsewhere, methods of other types than interfaces are called without looking at the object.
    if (container.code.form === 'interface') return [...declared, ...this.implementersOf(container)];
    return container.unit.rules.receiver === 'dynamic' ? declared : [];
  }

  /** Types that have all methods of an interface, where that is all it takes. */
  implementersOf(container: Class): readonly Class[] {
    let found = this.#implementers.get(container);
    if (!found) this.#implementers.set(container, (found = this.#findImplementers(container)));
    return found;
  }

  #findImplementers(container: Class): Class[] {
    const { classes } = this.#engine;
    if (classes.externalAncestor(container)) return [];
    const wanted = classes.ancestors(container).flatMap((each) => [...each.class.instanceMembers]);
    const candidates = wanted.map(([name]) => this.#structural.get(name) ?? []);
    const fewest = candidates.toSorted((a, b) => a.length - b.length)[0] ?? [];
    const { unit } = container;
    const count = (this.#candidates.get(unit) ?? 0) + fewest.length;
    this.#candidates.set(unit, count);
    this.#allCandidates += fewest.length;
    this.#allCompared += fewest.length * wanted.length;
    const isMuch = this.#allCandidates > MAX_ALL_CANDIDATES || this.#allCompared > MAX_ALL_COMPARED;
    if (count > MAX_CANDIDATES || isMuch) {
      unit.note ??= isMuch ? ALL_IMPLEMENTED_BY_MANY : IMPLEMENTED_BY_MANY;
      return [];
    }
    return fewest.filter(
      (each) =>
        each.unit.rules === container.unit.rules &&
        wanted.every(([name, method]) => {
          const own = classes.member(each, name, 'instance')?.variable;
          return own !== undefined && this.#signatures.match(method, own);
        }),
    );
  }
}
