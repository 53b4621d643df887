import type { Class, Func, GenericParameter } from '../declarations.js';
import type { Node } from '../node.js';
import type { Scope } from '../program.js';
import { functionOf, type Instance, type Value } from '../values.js';
import type { Engine } from './engine.js';
import { isMacro, isNullType, isTypeName } from './external-values.js';

/** Cost of an argument of unknown type. */
const UNKNOWN = 8;
/** A generic parameter takes anything, a type of its own is closer. */
const GENERIC = 15;
/** The type that bounds it is as close as a type of its own, which comes first. */
const BOUND = 1;
const TOP = 20;
/** What a supertype outside the project might make of a class counts where nothing else fits. */
const UNLIKELY = 60;
/** A member of an enumeration for a number. */
const CONVERTED = 2;
/** Elements and bounds of types are followed this far: those that name themselves end before, those that grow do not. */
const MAX_DEPTH = 100;

/** Tells how far the types of arguments are from those that parameters want. */
export class ArgumentCosts {
  readonly #engine: Engine;
  /** Pairs within the pair that is compared at present: types name themselves in their elements and bounds. */
  #depth = 0;
  readonly #distances = new Map<Value, Map<Value, number>>();
  readonly #ruledOut = new Map<Value, Map<Value, boolean>>();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** The least cost of the given values where others are wanted. Infinite where none of them fits. */
  of(given: readonly Value[] | undefined, wanted: readonly Value[] | undefined): number {
    if (!given || given.length === 0 || !wanted || wanted.length === 0) return UNKNOWN;
    let least = Infinity;
    for (const value of given) {
      for (const type of wanted) {
        least = Math.min(least, this.#distance(value, type));
        if (least === 0) return 0;
      }
    }
    return least;
  }

  /** Within a pair, each other one is compared once: a class may have many bounds that each lead to all others. */
  #distance(value: Value, type: Value): number {
    if (this.#depth > MAX_DEPTH) return UNKNOWN;
    if (this.#depth === 0) {
      this.#distances.clear();
      this.#ruledOut.clear();
      return this.#deeper(() => this.#compare(value, type));
    }
    const meanwhile = value === type ? 0 : type.kind === 'parameter' ? GENERIC : UNKNOWN;
    return this.#deeper(() =>
      once(this.#distances, value, type, meanwhile, () => this.#compare(value, type)),
    );
  }

  #deeper<Found>(find: () => Found): Found {
    this.#depth++;
    try {
      return find();
    } finally {
      this.#depth--;
    }
  }

  #compare(value: Value, type: Value): number {
    if (type.kind === 'parameter') return value === type ? 0 : this.#toBounds(value, type);
    // Any type is hardly a pointer.
    if (value.kind === 'parameter' && this.#pointsToAny(type)) return UNLIKELY;
    if (value.kind === 'parameter') return this.#ofBounds(value, type);
    if (value.kind === 'self') {
      const object = this.#engine.values.instance(value.class, [], false);
      return value.class.code.form === 'enum' ? this.#distance(object, type) : UNKNOWN;
    }
    if (type.kind === 'instance' && this.#isTop(type.class)) {
      if (value.kind === 'instance' && value.class === type.class) return 0;
      return functionOf(value) ? TOP * 2 : TOP;
    }
    const func = functionOf(value);
    if (func) return this.#ofFunction(func, type);
    if (value.kind === 'external') {
      if (type.kind === 'external')
        return value.module === type.module && value.name === type.name ? 0 : UNKNOWN;
      if (!isTypeName(value.name) || isMacro(value.name, type)) return UNKNOWN;
      return type.kind === 'instance' && this.#mayHaveSubtypes(type.class) ? UNKNOWN + 1 : Infinity;
    }
    if (value.kind !== 'instance') return UNKNOWN;
    if (this.#isTop(value.class)) return UNLIKELY;
    if (type.kind === 'external') {
      const isOutside = this.#engine.builtins.isBuiltin(value.class);
      return isOutside || this.#engine.classes.externalAncestor(value.class) ? UNKNOWN + 1 : Infinity;
    }
    if (type.kind === 'signature' && isNullType(value.class)) return CONVERTED;
    return type.kind === 'instance' ? this.#ofInstance(value, type) : Infinity;
  }

  /** A generic parameter takes what its bounds take. */
  #toBounds(value: Value, type: GenericParameter): number {
    if (!this.#hasTop(type.scope)) return GENERIC;
    const wanted = this.#boundsOf(type);
    if (wanted.some((each) => this.#rulesOut(value, each))) return UNLIKELY;
    const own = value.kind === 'parameter' ? this.#boundsOf(value) : [value];
    return own.some((each) => wanted.includes(each)) ? BOUND : GENERIC;
  }

  /** A value of a generic type is one of its bounds, else of the type of all values. */
  #ofBounds(value: GenericParameter, type: Value): number {
    if (this.#mayBeAny(value)) return UNKNOWN;
    if (type.kind === 'instance' && this.#isTop(type.class)) return UNKNOWN;
    if (value.bounds.length === 0) return UNLIKELY;
    const given = this.#boundsOf(value);
    if (given.length === 0) return UNKNOWN;
    return Math.min(UNLIKELY, ...given.map((each) => this.#distance(each, type)));
  }

  /** True for a generic parameter that may be a number as well as an object: those of templates. */
  #mayBeAny(value: Value): boolean {
    return value.kind === 'parameter' && !this.#hasTop(value.scope);
  }

  #pointsToAny(type: Value): boolean {
    const element = type.kind === 'instance' && this.#isList(type.class) ? type.arguments[0] : undefined;
    return element?.values?.some((each) => this.#mayBeAny(each)) === true;
  }

  #boundsOf({ bounds, scope }: GenericParameter): Value[] {
    return bounds.flatMap((each) => this.#engine.types.node(each, scope).values ?? []);
  }

  /** True where a value is not of a type for certain: what is known of the supertypes of builtin types is not all. */
  #rulesOut(value: Value, type: Value): boolean {
    if (this.#depth > MAX_DEPTH) return false;
    return this.#deeper(() => once(this.#ruledOut, value, type, false, () => this.#isRuledOut(value, type)));
  }

  #isRuledOut(value: Value, type: Value): boolean {
    if (value.kind === 'parameter') {
      const given = this.#boundsOf(value);
      return given.length > 0 && given.every((each) => this.#rulesOut(each, type));
    }
    if (value.kind !== 'instance' || type.kind !== 'instance' || this.#isTop(type.class)) return false;
    const { builtins } = this.#engine;
    const isContainer = (each: Class): boolean => builtins.isBuiltin(each) && each.generics.length > 0;
    if (isContainer(value.class)) {
      const isOther = isContainer(type.class) || !builtins.isBuiltin(type.class) || this.#isList(value.class);
      return isOther && this.#ofInstance(value, type) >= UNLIKELY;
    }
    return !builtins.isBuiltin(value.class) && this.#ofInstance(value, type) === Infinity;
  }

  #hasTop({ unit }: Scope): boolean {
    return unit.rules.topType !== undefined && unit.rules.overloads === 'arguments';
  }

  #isList({ unit, name }: Class): boolean {
    return name === unit.rules.literals?.list && this.#engine.builtins.unitOf(unit.rules) === unit;
  }

  /** True for builtin types that types outside the project may extend: not for those of literals. */
  #mayHaveSubtypes({ unit, name = '' }: Class): boolean {
    const { literals = {}, conversions = {} } = unit.rules;
    const isValue = Object.hasOwn(conversions, name) || Object.values(literals).includes(name);
    return this.#engine.builtins.unitOf(unit.rules) === unit && !isValue;
  }

  #ofInstance(value: Instance, type: Instance): number {
    const { classes } = this.#engine;
    const { rules } = type.class.unit;
    const ancestors = classes.ancestors(value.class);
    const steps = ancestors.findIndex((each) => each.class === type.class);
    if (steps === 0) return this.#ofElements(value.arguments, type);
    // What a generic type extends has elements that its own arguments tell.
    const elements = value.class.generics.length === 0 ? ancestors[steps]?.arguments : undefined;
    if (steps > 0) return steps + (elements ? this.#ofElements(elements, type) : 0);
    const conversions = rules.conversions?.[value.class.name ?? ''] ?? [];
    const converted = conversions.indexOf(type.class.name ?? '');
    if (converted >= 0) return 1 + converted / 10;
    if (rules.nullableType === type.class.name && this.#engine.builtins.isBuiltin(type.class))
      return CONVERTED + this.of([value], type.arguments[0]?.values);
    if (rules.constructorsConvert && converted < 0) {
      // The members of an enumeration are numbers. A constructor or an operator of a class may convert what it takes.
      if (!this.#engine.builtins.isBuiltin(type.class)) return UNLIKELY;
      if (!this.#engine.builtins.isBuiltin(value.class))
        return value.class.code.form === 'enum' ? CONVERTED : UNLIKELY;
    }
    const mayExtend = this.#mayHaveSubtypes(type.class) && classes.externalAncestor(value.class);
    return mayExtend ? UNLIKELY : Infinity;
  }

  /** Arrays of different elements are different types. */
  #ofElements([own]: readonly (Node | undefined)[], type: Instance): number {
    const [other] = type.arguments;
    if (!own?.values || !other?.values) return 0;
    const isKnown = !own.values.some((each) => this.#mayBeAny(each));
    const isOther = isKnown && this.#isPrimitive(own.values) !== this.#isPrimitive(other.values);
    const cost = isOther ? Infinity : this.of(own.values, other.values);
    const { literals, nullableType } = type.class.unit.rules;
    return cost >= UNLIKELY && [literals?.list, nullableType].includes(type.class.name)
      ? Infinity
      : Math.min(cost, 3);
  }

  /** Arrays of numbers are not arrays of objects, whatever a single number converts to. */
  #isPrimitive(values: readonly Value[]): boolean {
    return values.some(
      (each) =>
        each.kind === 'instance' &&
        /^\p{Ll}/u.test(each.class.name ?? '') &&
        Object.hasOwn(each.class.unit.rules.conversions ?? {}, each.class.name ?? ''),
    );
  }

  #isTop(container: Class): boolean {
    const { topType } = container.unit.rules;
    return topType !== undefined && container.name === topType && this.#engine.builtins.isBuiltin(container);
  }

  /** A function fits a type of functions with as many parameters that gives something where it does. */
  #ofFunction(func: Func, type: Value): number {
    const count = func.parameters.length;
    const takesAny = func.owner !== undefined || func.parameters.some((each) => each.rest);
    const fits = (parameters: number, gives: boolean): number => {
      const isOther = func.code.gives === (gives ? 'nothing' : 'value');
      return (takesAny || parameters === count) && !isOther ? 1 : Infinity;
    };
    if (type.kind === 'signature') return fits(type.parameters.length, type.returns !== undefined);
    if (type.kind !== 'instance') return UNKNOWN;
    const method = this.#engine.infer.implementations.onlyMethod(type.class);
    return method ? fits(method.parameters.length, method.code.returns !== undefined) : Infinity;
  }
}

/** What is known of a pair, else what is found now. A pair that asks for itself gets `meanwhile`. */
function once<Found>(
  known: Map<Value, Map<Value, Found>>,
  value: Value,
  type: Value,
  meanwhile: Found,
  find: () => Found,
): Found {
  let ofValue = known.get(value);
  if (!ofValue) known.set(value, (ofValue = new Map()));
  const before = ofValue.get(type);
  if (before !== undefined) return before;
  ofValue.set(type, meanwhile);
  const found = find();
  ofValue.set(type, found);
  return found;
}
