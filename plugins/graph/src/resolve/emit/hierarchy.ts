import { methodKey } from '../compile/keys.js';
import type { Engine } from '../engine/engine.js';
import type { Class, Func, Unit } from '../program.js';
import { Signatures } from './signatures.js';

/** Overriders beyond this number say nothing about one call. */
const MAX_OVERRIDERS = 30;

/** Which methods override or implement others. */
export class Hierarchy {
  readonly #engine: Engine;
  readonly #subtypes = new Map<Class, Class[]>();
  readonly #overriders = new Map<Func, readonly Func[]>();
  readonly #structural: readonly Class[];
  readonly #implementers = new Map<Class, readonly Class[]>();
  readonly #signatures: Signatures;

  constructor(engine: Engine, units: readonly Unit[]) {
    this.#engine = engine;
    this.#signatures = new Signatures(engine);
    const classes = units.flatMap((unit) =>
      unit.classes.filter((each) => engine.classes.canonical(each) === each),
    );
    for (const container of classes) {
      for (const ancestor of engine.classes.ancestors(container)) {
        if (ancestor.class === container) continue;
        const known = this.#subtypes.get(ancestor.class);
        if (known) known.push(container);
        else this.#subtypes.set(ancestor.class, [container]);
      }
    }
    this.#structural = classes.filter(
      (each) => each.unit.rules.structuralInterfaces && each.code.form !== 'interface',
    );
  }

  /** The methods of subtypes that take the place of a method; none where there are too many to tell. */
  overridersOf(func: Func): readonly Func[] {
    let found = this.#overriders.get(func);
    if (found) return found;
    found = this.#find(func);
    if (found.length > MAX_OVERRIDERS) found = [];
    this.#overriders.set(func, found);
    return found;
  }

  #find(func: Func): Func[] {
    const { owner, name } = func;
    if (!owner || name === undefined) return [];
    const container = this.#engine.classes.canonical(owner);
    const found = new Set<Func>();
    for (const subtype of this.#subtypesOf(container)) {
      const key = methodKey(name, subtype.unit.rules);
      const structural = subtype.unit.rules.structuralInterfaces;
      const member = structural
        ? this.#engine.classes.member(subtype, key, 'instance')?.variable
        : subtype.instanceMembers.get(key);
      const declarations = member?.declarations ?? [];
      const functions = declarations.filter((each) => each.kind === 'function');
      const alike = functions.filter((each) => each.parameters.length === func.parameters.length);
      for (const each of alike.length > 0 ? alike : functions) found.add(each);
    }
    found.delete(func);
    return [...found];
  }

  #subtypesOf(container: Class): readonly Class[] {
    const declared = this.#subtypes.get(container) ?? [];
    if (!container.unit.rules.structuralInterfaces) return declared;
    // Methods of other types than interfaces are called without looking at the object.
    return container.code.form === 'interface' ? [...declared, ...this.implementersOf(container)] : [];
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
    if (wanted.length === 0) return [];
    return this.#structural.filter(
      (each) =>
        each.unit.rules === container.unit.rules &&
        wanted.every(([name, method]) => {
          const own = classes.member(each, name, 'instance')?.variable;
          return own !== undefined && this.#signatures.match(method, own);
        }),
    );
  }
}
