import type { Class, Func, GenericParameter, Implementation } from '../declarations.js';
import type { LanguageRules } from '../language-rules.js';
import type { Value } from '../values.js';
import type { Engine } from './engine.js';

/** An implementation of a trait for a type that the project does not declare. */
interface Foreign {
  readonly body: Class;
  readonly trait: Class | undefined;
  /** The parameter that a blanket implementation is for: `impl<T: A> B for T`. */
  readonly parameter: GenericParameter | undefined;
  /** The name of a type of the standard library or another crate: `impl A for str`. */
  readonly type: string | undefined;
}

/** Methods that traits give to types without a class in the project: to all, or to some of the standard library. */
export class Traits {
  readonly #engine: Engine;
  readonly #foreign = new Map<LanguageRules, Foreign[]>();
  readonly #owners = new Map<Class, GenericParameter | Class>();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Notes an implementation for a type that is not a class of the project. */
  note({ type, trait, body }: Implementation): void {
    if (!trait) return;
    const { typeNames } = this.#engine;
    const inner = type.kind === 'wrapper' ? type.of : type;
    const target = inner.kind === 'named' ? typeNames.find(inner.path, body.scope) : null;
    const parameter = target?.kind === 'parameter' ? target.parameter : undefined;
    const name = inner.kind === 'named' ? inner.path.at(-1) : body.unit.rules.literals?.list;
    const isForeign = inner.kind === 'list' || (inner.kind === 'named' && !parameter);
    if (!parameter && !isForeign) return;
    if (parameter) this.#owners.set(body, parameter);
    const { rules } = body.unit;
    const known = this.#foreign.get(rules) ?? [];
    this.#foreign.set(rules, known);
    known.push({
      body,
      trait: typeNames.classNamed(trait, body.scope),
      parameter,
      type: parameter ? undefined : name,
    });
  }

  /** Notes an implementation for pointers to objects of the trait itself: `impl A for Box<dyn A>`. */
  noteObjects(body: Class, trait: Class): void {
    this.#owners.set(body, trait);
  }

  /** The object in the members of an implementation: any value of its parameter, or of the trait. */
  own(container: Class): Value | undefined {
    const owner = this.#owners.get(container);
    return owner?.kind === 'class' ? this.#engine.values.instance(owner, [], false, true) : owner;
  }

  /** Methods of a name that a trait gives to a value without such a method of its own. */
  find(value: Value, name: string, rules: LanguageRules): readonly Func[] {
    const foreign = this.#foreign.get(rules);
    if (!foreign || value.kind === 'class' || value.kind === 'module') return [];
    const { classes } = this.#engine;
    const own = value.kind === 'instance' || value.kind === 'self' ? value.class : undefined;
    if (own && classes.member(own, name, 'instance')) return [];
    if (value.kind === 'parameter' && this.isBound(value, name)) return [];
    const typeName = nameOf(value);
    const isOwn = value.kind === 'instance' && !this.#engine.builtins.isBuiltin(value.class);
    const found = foreign.flatMap(({ body, trait, parameter, type }) => {
      if (type !== undefined && (isOwn || !isSameType(type, typeName))) return [];
      if (parameter && takesFunctions(parameter) && !mayBeFunction(value)) return [];
      const functions = this.#methods(body, trait, name);
      if (functions.length === 0 || (parameter && !this.#mayFit(value, parameter, foreign))) return [];
      return [{ functions, parameter, body }];
    });
    const exact = found.filter(({ parameter }) => !parameter);
    if (exact.length === 1) return exact[0]?.functions ?? [];
    const fitting =
      found.length > 1 ? found.filter(({ parameter }) => parameter && this.#fits(value, parameter)) : found;
    return fitting.length === 1 ? (fitting[0]?.functions ?? []) : [];
  }

  /** Functions of a name by which a plain value takes an object of a class: `2.0 * v`. */
  taking(container: Class, value: Value, name: string, rules: LanguageRules): readonly Func[] {
    const { typeNames, builtins } = this.#engine;
    if (value.kind !== 'instance' || !builtins.isBuiltin(value.class)) return [];
    const found = (this.#foreign.get(rules) ?? []).flatMap(({ body, trait, type }) => {
      if (type === undefined) return [];
      const functions = this.#methods(body, trait, name).filter(({ parameters: [first], scope }) => {
        return first?.type && typeNames.classNamed(first.type, scope) === container;
      });
      return functions.length > 0 ? [{ functions, type }] : [];
    });
    const typeName = value.class.name;
    const exact = found.find(({ type }) => type === typeName);
    // A number that is written out may be of another type.
    const isWritten = typeName === rules.literals?.number && found.length === 1;
    return (exact ?? (isWritten ? found[0] : undefined))?.functions ?? [];
  }

  /** Functions of a name in the implementations for a type outside the project. */
  of(type: string, name: string, rules: LanguageRules): readonly Func[] {
    return (this.#foreign.get(rules) ?? []).flatMap((each) =>
      each.type !== undefined && isSameType(each.type, type)
        ? this.#methods(each.body, each.trait, name)
        : [],
    );
  }

  /** True where a bound of a generic parameter gives the method: it comes before implementations for all types. */
  isBound(parameter: GenericParameter, name: string): boolean {
    const access = { name, isSuper: false, scope: parameter.scope };
    return this.#engine.members.find(parameter, access).some(({ kind }) => kind === 'method');
  }

  #methods(body: Class, trait: Class | undefined, name: string): readonly Func[] {
    const own = body.instanceMembers.get(name) ?? body.scope.names.get(name);
    const inherited = own ?? (trait && this.#engine.classes.member(trait, name, 'instance')?.variable);
    return (inherited?.declarations ?? []).filter((each) => each.kind === 'function');
  }

  /** False where no implementation in the project gives a type a trait of the project that a parameter asks for. */
  #mayFit(value: Value, { bounds, scope }: GenericParameter, foreign: readonly Foreign[]): boolean {
    if (value.kind !== 'instance' && value.kind !== 'external') return true;
    const { classes, typeNames } = this.#engine;
    const typeName = nameOf(value);
    const asksFor = (of: GenericParameter, wanted: Class): boolean =>
      of.bounds.some((bound) => typeNames.classNamed(bound, of.scope) === wanted);
    return bounds.every((bound) => {
      const wanted = typeNames.classNamed(bound, scope);
      if (wanted?.code.form !== 'trait') return true;
      if (value.kind === 'instance' && classes.isOf(value.class, wanted)) return true;
      return foreign.some(({ trait, parameter, type }) => {
        if (trait !== wanted) return false;
        return parameter ? !asksFor(parameter, wanted) : isSameType(type ?? '', typeName);
      });
    });
  }

  /** True where the project tells that a type meets the bounds of a parameter. */
  #fits(value: Value, { bounds, scope }: GenericParameter): boolean {
    const { classes, typeNames } = this.#engine;
    if (value.kind !== 'instance') return false;
    const ancestors = new Set(classes.ancestors(value.class).map((each) => each.class));
    return bounds.every((bound) => {
      const wanted = typeNames.classNamed(bound, scope);
      return wanted !== undefined && ancestors.has(wanted);
    });
  }
}

/** True for `F: Fn(A) -> B`. */
function takesFunctions({ bounds }: GenericParameter): boolean {
  return bounds.some(({ kind }) => kind === 'function');
}

function mayBeFunction(value: Value): boolean {
  return value.kind === 'parameter' ? takesFunctions(value) : value.kind !== 'instance';
}

function nameOf(value: Value): string | undefined {
  if (value.kind === 'instance') return value.class.name;
  return value.kind === 'external' ? value.name : undefined;
}

/** Slices of a text or a list have the members of these. */
const SLICES: Readonly<Record<string, string>> = { str: 'String', OsStr: 'OsString', Path: 'PathBuf' };

function isSameType(one: string, other: string | undefined): boolean {
  return other !== undefined && (SLICES[one] ?? one) === (SLICES[other] ?? other);
}
