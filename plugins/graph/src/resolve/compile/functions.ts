import type { code } from '@service-mcp/plugin-syntax/contract';
import { Node } from '../node.js';
import { type Class, Func, GenericParameter, instanceMember, type FuncParameter } from '../declarations.js';
import type { LanguageRules } from '../language-rules.js';
import { Scope } from '../program.js';
import { lookUp } from './names.js';
import { resultKind } from './result-kind.js';
import type { FunctionOptions, Place, Walker } from './walker.js';

/** Compiles a function. Its body is compiled once all names around it are declared. */
export function compileFunction(
  walker: Walker,
  code: code.FunctionCode,
  place: Place,
  { owner, symbol }: FunctionOptions,
): Func {
  const { unit } = walker;
  const scope = new Scope('function', place.scope, unit);
  const generics: GenericParameter[] = [];
  if (code.types) declareGenerics(code.types, scope, generics);
  const { body, ...rest } = code;
  const sharesThis =
    !owner &&
    !code.receiver &&
    !code.owner &&
    (code.arrow === true || !unit.rules.functionsBindThis) &&
    !code.extension;
  const func = new Func(
    {
      ...rest,
      hasBody: body !== undefined,
      ...(body && code.name === undefined && unit.rules.functionalInterfaces && { gives: resultKind(body) }),
    },
    unit,
    scope,
    place.source,
    (sharesThis ? sharedObject(code, place, unit.rules) : undefined) ?? new Node(),
  );
  scope.function = func;
  func.generics.push(...generics);
  func.owner = owner;
  func.symbol ??= symbol;
  unit.functions.push(func);
  const inside: Place = {
    scope,
    source: func.symbol === undefined ? place.source : func.symbol + 1,
    function: func,
    thisNode: func.thisNode,
    flow: walker.newFlow(),
  };
  if (code.receiver) {
    func.receiver = parameter(walker, code.receiver, inside, func.thisNode, place);
  }
  for (const each of code.parameters)
    func.parameters.push(parameter(walker, each, inside, new Node(), place));
  if (code.returns) walker.useType(code.returns, inside);
  for (const each of code.types ?? []) for (const bound of each.bounds ?? []) walker.useType(bound, inside);
  if (body) walker.later(() => walker.statements(body, inside));
  return func;
}

/** Compiles a function or class that is a value. Its name is declared in a scope around it. */
export function compileValue(
  walker: Walker,
  value: Extract<code.Expression, { kind: 'function' | 'class' }>,
  place: Place,
  options?: FunctionOptions,
): Func | Class {
  const isFunction = value.kind === 'function';
  const { name } = isFunction ? value.function : value.class;
  const scope = name === undefined ? place.scope : new Scope('block', place.scope, walker.unit);
  const own = name === undefined ? undefined : scope.declare(name);
  const around = { ...place, scope };
  const made = isFunction
    ? walker.function(value.function, around, options)
    : walker.class(value.class, around);
  if (own) {
    own.addDeclaration(made);
    walker.unit.hold(made).flowTo(own.node);
  }
  return made;
}

/** Declares type parameters in a scope. */
export function declareGenerics(
  types: readonly code.TypeParameter[],
  scope: Scope,
  into: GenericParameter[],
): void {
  if (types.length > 0) scope.generic = true;
  for (const { name, bounds } of types) {
    const generic = new GenericParameter(name, bounds ?? [], scope);
    scope.declare(name).addDeclaration(generic);
    into.push(generic);
  }
}

function parameter(
  walker: Walker,
  code: code.Parameter,
  place: Place,
  node: Node,
  around: Place,
): FuncParameter {
  const { unit } = walker;
  const name = code.target.kind === 'name' ? code.target.name : undefined;
  const initial =
    code.default && walker.expression(code.default, unit.rules.defaults === 'definition' ? around : place);
  if (code.type) {
    walker.useType(code.type, place);
    const type = restType(code.type, code.rest, place);
    unit.instructions.push({ kind: 'typed', scope: place.scope, type, node, value: initial });
  }
  // By the types of others, functions are objects that only their type tells.
  const isOwn = name !== undefined && (!code.type || !unit.rules.callsByType);
  const isOrdered = unit.rules.flow === 'ordered';
  const plain = isOwn && !isOrdered && place.function;
  if (plain) walker.parameters.add(place.scope.declare(name), plain);
  walker.assign(code.target, node, place, true);
  const state = isOwn && isOrdered ? walker.read(place.scope.declare(name), place) : undefined;
  if (code.field && name !== undefined) {
    const container = place.function?.owner;
    if (container) {
      const field = instanceMember(container, name);
      field.type ??= code.type;
      node.flowTo(field.node);
    }
  }
  return {
    node,
    name,
    initial,
    type: code.type,
    optional: code.default !== undefined || code.rest !== undefined,
    rest: code.rest,
    state,
  };
}

/** The annotation of a rest is the type of its elements, or of a list of them. */
function restType(type: code.Type, rest: code.Parameter['rest'], { scope }: Place): code.Type {
  if (rest === 'dict') return { kind: 'map', key: { kind: 'other' }, of: type };
  const isList = type.kind === 'list' || (scope.unit.rules.typesWholeRests && !isGenericName(type, scope));
  return rest === 'list' && !isList ? { kind: 'list', of: type } : type;
}

/** A generic parameter that stands for the rest takes the type of each argument. */
function isGenericName(type: code.Type, scope: Scope): boolean {
  const [name, ...others] = type.kind === 'named' ? type.path : [];
  const binding = name !== undefined && others.length === 0 ? lookUp(name, scope) : undefined;
  if (!binding || 'kind' in binding) return false;
  return binding.declarations?.some(({ kind }) => kind === 'parameter') ?? false;
}

/** The object of the code around a function. A block of Ruby may be run with another one, which is that of the block alone. */
function sharedObject(
  { name }: code.FunctionCode,
  { thisNode }: Place,
  rules: LanguageRules,
): Node | undefined {
  if (!thisNode || name !== undefined || !rules.runsClassBodies) return thisNode;
  const own = new Node();
  thisNode.flowTo(own);
  return own;
}
