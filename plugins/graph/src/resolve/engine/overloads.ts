import type { code } from '@service-mcp/plugin-syntax/contract';
import type { CallSite } from '../instructions.js';
import type { Class, Func } from '../declarations.js';
import { partOf, type Scope, type Unit } from '../program.js';

/** The functions of one name that a call may bind to. */
export function chooseOverload(functions: readonly Func[], site: CallSite, bound: boolean): readonly Func[] {
  if (functions.length <= 1) return functions;
  const [first] = functions;
  if (!first) return functions;
  const { overloads } = first.unit.rules;
  if (overloads === 'implementation') return [functions.findLast((each) => each.code.hasBody) ?? first];
  if (overloads !== 'arguments') {
    const certain = functions.findLastIndex(({ code }) => !code.conditional);
    return functions.slice(Math.max(certain, 0));
  }
  const taking = functions.filter((each) => isVisible(each, site.unit) && accepts(each, site, bound));
  const fitting = withDefinitions(named(bound ? inherentFirst(taking) : taking, site), functions);
  return withoutPrototypes(fitting.length > 0 ? fitting : functions);
}

/** Without methods that traits give a type where the type itself has one of the name that takes the object alike. */
function inherentFirst(functions: readonly Func[]): readonly Func[] {
  const own = new Set(functions.filter(isInherent).map(objectOf));
  return functions.filter((each) => isInherent(each) || !own.has(objectOf(each)));
}

/** True for a method of an `impl` block that is not for a trait. */
export function isInherent({ scope, unit }: Func): boolean {
  const part = unit.rules.finalClasses && partOf(scope)?.class;
  return part ? part.code.form !== 'trait' && part.supertypes.length === 0 : false;
}

/** How a method takes its object: `self`, `&self` or `&mut self`; a symbol of its own where its text does not say. */
function objectOf({ symbol, unit }: Func): string | symbol {
  const signature = symbol === undefined ? '' : (unit.symbols[symbol]?.signature ?? '');
  const found = /\(\s*(?:(&)\s*)?(?:'\w+\s+)?(mut\s+)?self\s*[,)]/.exec(signature);
  if (!found) return Symbol(signature);
  const [, reference = '', mutable = ''] = found;
  return reference === '' ? 'self' : `&${mutable.trim()} self`;
}

/** Signatures of which one says what a call gives; none where the functions say it themselves. */
export function signaturesOf(functions: readonly Func[]): readonly Func[] {
  const [first] = functions;
  if (functions.length < 2 || !first || first.unit.rules.overloads !== 'implementation') return [];
  if (isConstructor(first)) return [];
  return functions.filter((each) => !each.code.hasBody);
}

/** Without those that the class has for its interfaces only, and those of which the type arguments do not fit. */
function named(functions: readonly Func[], site: CallSite): readonly Func[] {
  const own = functions.filter(({ code }) => !code.explicit);
  const public_ = own.length > 0 ? own : functions;
  const typed = public_.filter((each) => takesTypes(each, site));
  return typed.length > 0 ? typed : public_;
}

function takesTypes(func: Func, { types }: CallSite): boolean {
  if (!func.unit.rules.wholeTypeArguments || isConstructor(func)) return true;
  if (types.length > 0) return types.length === func.generics.length;
  const { receiver, parameters } = func.code;
  const written = JSON.stringify([receiver, ...parameters].map((each) => each?.type));
  return func.generics.every(({ name }) => written.includes(`[${JSON.stringify(name)}]`));
}

/** With the definitions of prototypes, which alone have the defaults of parameters. */
function withDefinitions(taking: readonly Func[], functions: readonly Func[]): readonly Func[] {
  if (taking.every((each) => each.code.hasBody || !each.unit.rules.prototypes)) return taking;
  const prototypes = new Set(taking.filter((each) => !each.code.hasBody).map(signatureKey));
  const taken = new Set(taking);
  return functions.filter(
    (each) => taken.has(each) || (each.code.hasBody && prototypes.has(signatureKey(each))),
  );
}

/** Without prototypes of functions that have a definition too. */
export function withoutPrototypes(functions: readonly Func[]): readonly Func[] {
  if (functions.every((each) => each.code.hasBody || !each.unit.rules.prototypes)) return functions;
  const defined = new Set(functions.flatMap((each) => (each.code.hasBody ? each.parameters.length : [])));
  return functions.filter(
    (each) => each.code.hasBody || !each.unit.rules.prototypes || !defined.has(each.parameters.length),
  );
}

/** True where the number of arguments fits. */
export function accepts(func: Func, site: CallSite, bound: boolean): boolean {
  if (site.arguments.some((each) => each.spread)) return true;
  const given =
    site.arguments.length - (!bound && func.receiver && (func.code.extension || !func.code.static) ? 1 : 0);
  const { parameters } = func;
  const isNamed = (name: string | undefined): boolean =>
    name === undefined || parameters.some((parameter) => parameter.name === name);
  if (!site.arguments.every((each) => isNamed(each.name))) return false;
  if (!passesReferences(func, site, site.arguments.length - given)) return false;
  const required = parameters.filter((each) => !each.optional).length;
  return given >= required && (given <= parameters.length || parameters.some((each) => each.rest));
}

/** True where the arguments pass variables to just the parameters that take some. `skipped`: the receiver as an argument. */
function passesReferences({ code: { parameters } }: Func, site: CallSite, skipped: number): boolean {
  return site.arguments.slice(skipped).every(({ name, reference }, position) => {
    const taken = parameters.find(({ target }) => target.kind === 'name' && target.name === name);
    return (name === undefined ? parameters[position] : taken)?.reference === reference;
  });
}

/** False for a private function of another file, which a class of Java keeps for itself. */
function isVisible(func: Func, from: Unit): boolean {
  const { unit } = func;
  return unit === from || unit.rules.overrides !== 'visible' || !isPrivateFunction(func);
}

export function isPrivateFunction({ unit, symbol }: Func): boolean {
  return symbol !== undefined && isPrivate(unit.symbols[symbol]?.signature);
}

/** True for the signature of a private function. Parameters may have modifiers too. */
export function isPrivate(signature = ''): boolean {
  return /^[^(]*\bprivate\s+[^\s(]/.test(signature);
}

/** The function among signatures of the same name that has the body: TypeScript, `@overload` of Python. */
export function implementationOf({ unit, overloads }: Func): Func | undefined {
  if (unit.rules.overloads === 'arguments' || !overloads || overloads.length < 2) return undefined;
  let only = implementations.get(overloads);
  if (only === undefined) {
    const [first, another] = overloads.filter(({ code }) => code.hasBody);
    implementations.set(overloads, (only = another ? null : (first ?? null)));
  }
  return only ?? undefined;
}

/** Asked for each signature, once all functions of a name are known. */
const implementations = new WeakMap<readonly Func[], Func | null>();

/** Functions that a call in a file may mean by one of them. */
export function overloadsOf(func: Func, from: Unit): readonly Func[] {
  const { rules } = func.unit;
  if (!rules.overloads || !func.overloads) return [func];
  if (!rules.prototypes) return func.overloads;
  // A header joins the definitions of all its files: copies, variants of platforms, stubs of tests. A file means its own.
  const own = func.overloads.filter((each) => each.unit === from && each.code.hasBody);
  if (own.length === 0) return func.overloads;
  const signatures = new Set(own.map(signatureKey));
  return func.overloads.filter((each) => each.unit === from || !signatures.has(signatureKey(each)));
}

export function isConstructor({ code, name, unit }: Func): boolean {
  if (code.constructor_) return true;
  // `object.__new__` is a function like others.
  return code.hasBody && unit.rules.constructors?.includes(name ?? '') === true;
}

/** True in the body of a function: a constructor does not call itself by `this(…)`. */
export function isInside(from: Scope, func: Func): boolean {
  for (let scope: Scope | null = from; scope; scope = scope.parent) if (scope.function === func) return true;
  return false;
}

/** All functions of a name in a class and its ancestors, without those that others override, the nearest first. */
export function allOverloads(ancestors: readonly Class[], name: string): readonly Func[] {
  const found = new Map<string, { readonly func: Func; readonly owner: Class }>();
  for (const owner of ancestors) {
    for (const names of [owner.instanceMembers, owner.scope.names]) {
      for (const func of names.get(name)?.declarations ?? []) {
        if (func.kind !== 'function' || func.code.accessor) continue;
        const key = signatureKey(func);
        const known = found.get(key);
        if (!known || (known.owner === owner && hides(func, known.func))) found.set(key, { func, owner });
      }
    }
  }
  return Array.from(found.values(), ({ func }) => func);
}

/** True where a class means the first of two functions with equal parameters: a public one, the part with the body. */
function hides({ code }: Func, { code: other }: Func): boolean {
  if (!code.explicit !== !other.explicit) return !code.explicit;
  return code.hasBody && !other.hasBody;
}

/** Equal for functions whose parameters have types that are written alike. A type parameter is what bounds it. */
export function signatureKey(func: Func): string {
  return (func.signatureKey ??= keyOf(func));
}

function keyOf({ code: { parameters, constant }, generics, unit }: Func): string {
  const boundsOf = (type: code.Type): readonly code.Type[] =>
    (type.kind === 'named' && type.path.length === 1
      ? generics.find(({ name }) => name === type.path[0])?.bounds
      : undefined) ?? [];
  const { wholeTypeArguments, prototypes } = unit.rules;
  const isWhole = wholeTypeArguments === true || prototypes === true;
  const types = parameters.map(({ type, rest, reference }) => [
    type && typeKey(type, boundsOf, isWhole),
    rest,
    reference,
  ]);
  return JSON.stringify([types, constant, ...(wholeTypeArguments ? [generics.length] : [])]);
}

/** Equal for functions of C and C++ that say in the same places what is `const`, which types do not have. */
export function constantsOf({ unit, symbol }: Func): string {
  const signature = unit.rules.prototypes && symbol !== undefined ? unit.symbols[symbol]?.signature : '';
  return signature?.match(/\bconst\b|[*&,]/g)?.join('') ?? '';
}

/** True where a function has a parameter of the same type for an argument, which is not the rest. */
export function hasAlike({ parameters }: Func, position: number, type: code.Type | undefined): boolean {
  const other = parameters[position];
  if (!type || !other?.type || other.rest) return false;
  return JSON.stringify(typeKey(type)) === JSON.stringify(typeKey(other.type));
}

/** Equal for types that are written alike; `isWhole`: with equal type arguments, which tell functions apart in C++ and C#. */
function typeKey(
  type: code.Type,
  boundsOf: (type: code.Type) => readonly code.Type[] = () => [],
  isWhole = false,
): unknown {
  const bounds = boundsOf(type);
  const inside = (each: code.Type): unknown => typeKey(each, boundsOf, isWhole);
  if (bounds.length > 0) return bounds.map((each) => typeKey(each, undefined, isWhole));
  if (type.kind === 'named') return isWhole ? [type.path, type.arguments?.map(inside)] : type.path;
  if (isWhole && type.kind === 'function')
    return [type.kind, type.parameters.map(inside), type.returns && inside(type.returns)];
  if (isWhole && type.kind === 'tuple') return [type.kind, type.of.map(inside)];
  return 'of' in type && type.of && !Array.isArray(type.of) && 'kind' in type.of
    ? [type.kind, inside(type.of)]
    : type.kind;
}

/** The last function of a builtin's name that takes no more positional arguments than a call has: `iter(a)`, `iter(f, end)`. */
export function fittingBuiltin(func: Func, { arguments: args }: CallSite): Func {
  const given = args.filter(({ name, spread }) => name === undefined && !spread).length;
  const taken = ({ parameters }: Func): number => {
    const end = parameters.findIndex(({ name, rest }) => rest !== undefined || name !== '_');
    return end < 0 ? parameters.length : end;
  };
  return func.overloads?.findLast((each) => taken(each) <= given) ?? func;
}
