import type { code } from '@service-mcp/plugin-syntax/contract';
import type { Class, Func, FuncParameter } from '../declarations.js';
import type { Engine } from '../engine/engine.js';
import { isPrivate } from '../engine/overloads.js';
import type { Value } from '../values.js';

const OVERRIDE = /\boverride\b/;

/** Decides which functions of a subtype take the place of a method, where functions of one name may stand side by side. */
export class Overriding {
  readonly #engine: Engine;
  readonly #signatureOf: (func: Func) => string | undefined;

  constructor(engine: Engine, signatureOf: (func: Func) => string | undefined) {
    this.#engine = engine;
    this.#signatureOf = signatureOf;
  }

  /** Those of `functions`, which have the name of a method and belong to one subtype, that may override the method. */
  choose(method: Func, functions: readonly Func[], subtype: Class): readonly Func[] {
    const alike = functions.filter((each) => each.parameters.length === method.parameters.length);
    const { overloads, finalClasses } = subtype.unit.rules;
    if (overloads !== 'arguments' || finalClasses) return alike.length > 0 ? alike : functions;
    const explicit = alike.filter((each) => this.#isExplicit(each, method));
    if (explicit.length > 0) return explicit;
    const declared = alike.filter((each) => !each.code.explicit && this.#isDeclared(each, method.owner));
    const same = declared.filter((each) => isWrittenAlike(each, method));
    return same.length > 0 ? same : declared.filter((each) => this.#takesSame(each, method, subtype));
  }

  /** True for the implementation of a member of an interface that is called through this interface alone. */
  #isExplicit({ code: { explicit }, scope }: Func, { owner }: Func): boolean {
    const { classes, typeNames } = this.#engine;
    const named = explicit && typeNames.classNamed(explicit, scope);
    return (
      named !== undefined && owner !== undefined && classes.canonical(named) === classes.canonical(owner)
    );
  }

  /** True for a method of a subtype of a class that may take the place of one which the class inherits. */
  isOverrider(func: Func, container: Class): boolean {
    const isHidden = func.code.static || func.code.explicit || isPrivate(this.#signatureOf(func));
    return !isHidden && this.#isDeclared(func, container);
  }

  #isDeclared(func: Func, owner: Class | undefined): boolean {
    if (func.unit.rules.overrides !== 'declared' || owner?.code.form === 'interface') return true;
    return OVERRIDE.test(this.#signatureOf(func) ?? 'override');
  }

  /** False where a parameter is certain to have another type. */
  #takesSame(func: Func, method: Func, subtype: Class): boolean {
    return func.parameters.every((each, index) => {
      const other = method.parameters[index];
      if (!other || each.rest || other.rest || isParameterWrittenAlike(each, other)) return true;
      const own = classesOf(this.#valuesOf(each, func));
      const wanted = classesOf(this.#argumentsOf(other, method, subtype) ?? this.#valuesOf(other, method));
      return !own || !wanted || [...own].some((value) => wanted.has(value));
    });
  }

  #valuesOf({ type }: FuncParameter, { scope }: Func): Iterable<Value> {
    return (type && this.#engine.types.node(type, scope).values) ?? [];
  }

  /** What a subtype gives a type parameter of the class that has the method. */
  #argumentsOf({ type }: FuncParameter, { owner }: Func, subtype: Class): Iterable<Value> | undefined {
    if (!owner || type?.kind !== 'named' || type.path.length > 1) return undefined;
    const { classes } = this.#engine;
    const container = classes.canonical(owner);
    const index = container.generics.findIndex(({ name }) => name === type.path[0]);
    if (index < 0) return undefined;
    return classes.ancestors(subtype).find((each) => each.class === container)?.arguments[index]?.values;
  }
}

/** The classes of values; undefined where a value may be of any. */
function classesOf(values: Iterable<Value>): ReadonlySet<Class> | undefined {
  const found = new Set<Class>();
  for (const each of values) {
    if (each.kind !== 'instance') return undefined;
    found.add(each.class);
  }
  return found.size > 0 ? found : undefined;
}

function isWrittenAlike(a: Func, b: Func): boolean {
  return a.parameters.every((each, index) => isParameterWrittenAlike(each, b.parameters[index]));
}

function isParameterWrittenAlike(a: FuncParameter, b: FuncParameter | undefined): boolean {
  return writtenName(a.type) === writtenName(b?.type);
}

function writtenName(type: code.Type | undefined): string {
  if (type?.kind === 'wrapper') return writtenName(type.of);
  return type?.kind === 'named' ? (type.path.at(-1) ?? '') : (type?.kind ?? '');
}
