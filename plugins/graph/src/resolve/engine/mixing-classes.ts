import type { Class } from '../declarations.js';
import type { Value } from '../values.js';
import type { Engine } from './engine.js';
import type { Access } from './member-access.js';
import type { Hit } from './hit.js';

/** Where more classes mix a module in, its methods say little about one of them. */
const MAX_CLASSES = 8;
/** Modules that mix in modules are followed this far. */
const MAX_NESTING = 10;

interface Use {
  readonly by: Class;
  /** The module lends its methods to the class itself. */
  readonly isLent: boolean;
  /** To what mixes `by` in, instead of `by`. */
  readonly isPassed: boolean;
}

/** Which classes mix a module in: what its methods are called on, where no call tells. */
export class MixingClasses {
  readonly #engine: Engine;
  #uses: ReadonlyMap<Class, readonly Use[]> | undefined;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Objects of these classes, and classes that the module extends; none where there are many. */
  objectsOf(module: Class): readonly Value[] {
    const found = new Set<Value>();
    this.#collect(module, false, found, 0);
    return found.size > MAX_CLASSES ? [] : [...found];
  }

  /** What comes after a module in the classes that mix it in: `parent::a()` of a trait. */
  membersAbove(module: Class, access: Access): readonly Hit[] {
    if (module.code.form !== 'trait') return [];
    const { members } = this.#engine;
    return this.objectsOf(module).flatMap((each) =>
      each.kind === 'instance' ? members.find(each, { ...access, after: module }) : [],
    );
  }

  #collect(module: Class, isLent: boolean, found: Set<Value>, nesting: number): void {
    if (nesting > MAX_NESTING) return;
    const { types } = this.#engine;
    for (const use of (this.#uses ??= this.#allUses()).get(module) ?? []) {
      if (found.size > MAX_CLASSES) return;
      const lent = isLent || use.isLent;
      if (use.isPassed) this.#collect(use.by, lent, found, nesting + 1);
      else if (lent) found.add(use.by);
      else if (use.by.code.form === 'trait') this.#collect(use.by, false, found, nesting + 1);
      else found.add(types.own(use.by));
    }
  }

  #allUses(): ReadonlyMap<Class, readonly Use[]> {
    const { project, classes, typeNames } = this.#engine;
    const uses = new Map<Class, Use[]>();
    for (const container of project.units.flatMap((unit) => unit.classes)) {
      if (classes.canonical(container) !== container) continue;
      for (const { relation, type, scope, static: isLent = false, passed = false } of container.supertypes) {
        const module = relation === 'mixes' ? typeNames.classNamed(type, scope) : undefined;
        if (!module) continue;
        const use = { by: container, isLent, isPassed: passed };
        const known = uses.get(module);
        if (known) known.push(use);
        else uses.set(module, [use]);
      }
    }
    return uses;
  }
}
