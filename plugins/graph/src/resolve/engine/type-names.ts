import type { code } from '@service-mcp/plugin-syntax/contract';
import type { AliasType, Class, GenericParameter } from '../declarations.js';
import type { Scope, Target, Unit, Variable } from '../program.js';
import type { Engine } from './engine.js';
import { libraryOf } from './library-namespace.js';

/** The target of a type name. */
export type NamedTarget =
  | { readonly kind: 'class'; readonly class: Class }
  | { readonly kind: 'alias'; readonly alias: AliasType }
  | { readonly kind: 'parameter'; readonly parameter: GenericParameter }
  | { readonly kind: 'variable'; readonly variable: Variable }
  | { readonly kind: 'external'; readonly module: string; readonly name: string };

/** Names that are other names for each other are followed this far. */
const MAX_ALIASES = 10;

/** Finds what the names in types refer to. */
export class TypeNames {
  readonly #engine: Engine;
  /** Variables whose names for other things are being followed: they may be circular. */
  readonly #following = new Set<Variable>();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** A path of names as a type. `arity`: the number of its type arguments, if that is known. */
  find(path: readonly string[], scope: Scope, arity?: number): NamedTarget | null {
    const { bindings, builtins } = this.#engine;
    const [first = ''] = path;
    let target: Target | null = bindings.named(first, scope, (container, name) =>
      this.#nested(container, name),
    );
    let used = 1;
    // A first name that nothing declares may begin the name of a package.
    const isGuess = !target || (target.kind === 'external' && (target.module === '' || target.isGuess));
    if (isGuess && path.length > 1) {
      const found = bindings.ofPath(path, scope.unit);
      if (found) ({ target, used } = found);
    }
    for (const name of path.slice(used)) target = target && this.memberOf(target, name);
    const last = path.at(-1) ?? '';
    const { rules } = scope.unit;
    if (!target || target.kind === 'external') {
      const module = target?.module ?? '';
      const isBuiltin = target ? module === '' || rules.builtinModules?.includes(module) : path.length === 1;
      const builtin = isBuiltin ? builtins.find(rules, last) : undefined;
      if (builtin) return { kind: 'class', class: builtin };
      if (!target && rules.ambientTypes) return { kind: 'external', module: '', name: last };
      return target;
    }
    const named = target.kind === 'assigned' ? this.#assigned(target.unit, target.name) : target;
    const found = named?.kind === 'variable' ? this.#declared(named.variable) : null;
    if (found?.kind !== 'class' || arity === undefined || !rules.typesByArity) return found;
    return { kind: 'class', class: this.#engine.classes.ofArity(found.class, arity) };
  }

  /** What a module assigns as a whole, where it is a name: `module.exports = Store`. */
  #assigned(unit: Unit, name: string | undefined): Target | null {
    const binding = name === undefined ? unit.exports.get('default') : undefined;
    if (!binding || 'kind' in binding || this.#following.has(binding)) return null;
    this.#following.add(binding);
    const found = this.#engine.bindings.follow({ kind: 'variable', variable: binding });
    const target = found.kind === 'assigned' ? this.#assigned(found.unit, found.name) : found;
    this.#following.delete(binding);
    return target;
  }

  #nested(container: Class, name: string): Variable | undefined {
    const found = this.#engine.classes.member(this.#engine.classes.canonical(container), name, 'declared');
    if (!found) return undefined;
    const { declarations, alias } = found.variable;
    const isType = declarations ? declarations.some((each) => each.kind !== 'function') : alias;
    return isType ? found.variable : undefined;
  }

  /** A static member of a class, a name of a module. */
  memberOf(target: Target, name: string): Target | null {
    const { bindings, classes } = this.#engine;
    switch (target.kind) {
      case 'module':
        return bindings.exported(target.units, name);
      case 'external':
        return { ...target, name: target.name === '' ? name : `${target.name}.${name}` };
      case 'variable': {
        const declared = this.#aliased(target.variable);
        const found = declared.kind === 'class' ? classes.member(declared.class, name, 'static') : null;
        if (found) return bindings.follow({ kind: 'variable', variable: found.variable });
        const passed = declared.kind === 'class' ? bindings.offeredBy(declared.class, name) : null;
        if (passed) return passed;
        const library = declared.kind === 'class' ? libraryOf(declared.class) : undefined;
        return library === undefined ? null : { kind: 'external', module: library, name };
      }
      case 'assigned': {
        const found = this.#assigned(target.unit, target.name);
        const member = found && found.kind !== 'assigned' ? this.memberOf(found, name) : null;
        // An object of all that the module exports: `module.exports = { Store }`.
        return member ?? (target.name === undefined ? bindings.exported([target.unit], name) : null);
      }
    }
  }

  /** What a name declares, or the class that it is another name for. */
  #aliased(variable: Variable): NamedTarget {
    let named = this.#declared(variable);
    if (named.kind !== 'alias' || this.#following.has(variable)) return named;
    this.#following.add(variable);
    for (let hops = 0; hops < MAX_ALIASES && named.kind === 'alias'; hops += 1) {
      const inner = unwrapped(named.alias.type);
      const next: NamedTarget | null = inner ? this.find(inner.path, named.alias.scope) : null;
      if (!next) break;
      named = next;
    }
    this.#following.delete(variable);
    return named;
  }

  #declared(variable: Variable): NamedTarget {
    for (const each of variable.declarations ?? []) {
      if (each.kind === 'class') return { kind: 'class', class: this.#engine.classes.canonical(each) };
      if (each.kind === 'alias') return { kind: 'alias', alias: each };
      if (each.kind === 'parameter') {
        return { kind: 'parameter', parameter: this.#engine.classes.generic(each) };
      }
    }
    const { alias, scope } = variable;
    if (!alias || this.#following.has(variable)) return { kind: 'variable', variable };
    this.#following.add(variable);
    const found = this.find(alias, scope);
    this.#following.delete(variable);
    return found?.kind === 'class' || found?.kind === 'alias' ? found : { kind: 'variable', variable };
  }

  /** The class of the project that a type names, through pointers and other wrappers. */
  classNamed(type: code.Type, scope: Scope): Class | undefined {
    const inner = unwrapped(type);
    const target = inner && this.find(inner.path, scope, inner.arguments?.length ?? 0);
    return target?.kind === 'class' && !this.#engine.builtins.isBuiltin(target.class)
      ? target.class
      : undefined;
  }

  /** The generic parameters among the arguments of a type: `impl<T> Store<T>`. */
  argumentsNamed(type: code.Type, scope: Scope): Array<GenericParameter | undefined> {
    return (unwrapped(type)?.arguments ?? []).map((each) => {
      const target = each.kind === 'named' ? this.find(each.path, scope) : null;
      return target?.kind === 'parameter' ? target.parameter : undefined;
    });
  }

  /** The class around a scope. */
  classOf(scope: Scope): Class | undefined {
    const container = classAround(scope);
    return container && this.#engine.classes.canonical(container);
  }
}

function unwrapped(type: code.Type): code.NamedType | undefined {
  if (type.kind === 'wrapper') return unwrapped(type.of);
  return type.kind === 'named' ? type : undefined;
}

function classAround(from: Scope): Class | undefined {
  for (let scope: Scope | null = from; scope; scope = scope.parent) {
    if (scope.class) return scope.class;
    if (scope.function?.owner) return scope.function.owner;
  }
  return undefined;
}
