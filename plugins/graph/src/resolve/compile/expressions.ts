import type { code } from '@service-mcp/plugin-syntax/contract';
import { Node } from '../node.js';
import type { CallArgument, Callee } from '../instructions.js';
import { Scope, type Unit } from '../program.js';
import { nameOf } from './classes.js';
import { compileContainer } from './containers.js';
import { compileValue } from './functions.js';
import { constantKey, elementOf, indexKeys, indexOf, keyOf, memberKey, methodKey, slice } from './keys.js';
import { noteGlobalObjects } from './global-objects.js';
import { compileLoad, compileName, compileObject, isPlainSuper, operate, operation } from './objects.js';
import { originOf } from './origin.js';
import { isOfFile, notePath, pathOf } from './name-chains.js';
import { lookUp } from './names.js';
import { compileOperation, literal } from './operations.js';
import type { Place, Walker } from './walker.js';

const NO_TYPES: readonly code.Type[] = [];

/** Compiles an expression to the node of its values. */
export function compileExpression(
  walker: Walker,
  expression: code.Expression,
  place: Place,
): Node | undefined {
  const { unit } = walker;
  switch (expression.kind) {
    case 'name':
      return compileName(walker, expression, place, true);
    case 'super':
      return compileSuper(walker, expression, place);
    case 'this':
      return place.thisNode;
    case 'member':
      return compileMember(walker, expression, place);
    case 'index': {
      const object =
        keyOf(expression.key, unit.rules) === undefined
          ? walker.expression(expression.object, place)
          : compileObject(walker, expression.object, place);
      const keys = indexKeys(walker, expression, place);
      if (!object) return undefined;
      const node = new Node();
      const origin = originOf(unit, expression.object, place);
      const changes = expression.changes === true;
      unit.instructions.push({ kind: 'load_index', unit, origin, object, ...keys, changes, node });
      const current = elementOf(walker, expression, place);
      return (current && place.flow.element(current.variable, current.key)) ?? node;
    }
    case 'slice': {
      const object = walker.expression(expression.object, place);
      const [from, to] = [expression.from, expression.to].map((each) => {
        if (each && indexOf(each) === undefined) walker.expression(each, place);
        return each ? (indexOf(each) ?? NaN) : undefined;
      });
      return object && slice(walker, object, from ?? 0, to, originOf(unit, expression.object, place));
    }
    case 'call':
      return compileCall(walker, expression, place);
    case 'function':
    case 'class':
      return unit.hold(compileValue(walker, expression, place));
    case 'literal':
      return literal(walker, expression.type, constantKey(expression, unit.rules));
    case 'list':
    case 'tuple':
    case 'set':
    case 'object':
      return compileContainer(walker, expression, place);
    case 'choice': {
      const nodes = expression.of
        .map((each) => walker.expression(each, place))
        .filter((each) => each !== undefined);
      if (nodes.length <= 1) return nodes[0];
      const node = new Node();
      for (const each of nodes) each.flowTo(node);
      return node;
    }
    case 'unwrap': {
      const name = expression.pointer ? 'dereference' : 'unwrap';
      return operation(walker, name, expression.value, place);
    }
    case 'address':
    case 'await':
    case 'enter':
      return operation(walker, expression.kind, expression.value, place);
    case 'yield': {
      if (!expression.from) {
        const yielded = walker.expression(expression.value, place);
        if (!place.function) return undefined;
        yielded?.flowTo(place.function.yielded);
        return (place.function.sent ??= new Node());
      }
      const from = walker.expression(expression.value, place);
      if (!from || !place.function) return undefined;
      operate(walker, 'each', expression.value, from, place).flowTo(place.function.yielded);
      return operate(walker, 'return', expression.value, from, place);
    }
    case 'spread':
      return walker.expression(expression.value, place);
    case 'cast': {
      const value = walker.expression(expression.value, place);
      walker.useType(expression.type, place);
      const node = new Node();
      if (!expression.keeps) value?.flowTo(node);
      const { type, fallback } = expression;
      unit.instructions.push({
        kind: 'typed',
        scope: place.scope,
        type,
        node,
        value,
        ...(fallback && { fallback }),
      });
      return expression.keeps ? value : node;
    }
    case 'assign': {
      const value = walker.expression(expression.value, place);
      walker.assign(expression.target, value, place, false);
      return value;
    }
    case 'import':
      return compileLoad(walker, expression, place, true);
    case 'block': {
      const inside = { ...place, scope: new Scope('block', place.scope, unit) };
      walker.statements(expression.body, inside);
      return expression.value && walker.expression(expression.value, inside);
    }
    case 'operation':
      return compileOperation(walker, expression, place);
  }
}

/** As a value of its own. See `compileObject` for one of which a member is taken. */
function compileSuper(
  walker: Walker,
  { call, of: type }: Extract<code.Expression, { kind: 'super' }>,
  { scope, thisNode: object, ...place }: Place,
): Node | undefined {
  const { unit } = walker;
  if (call) walker.expression(call, { scope, thisNode: object, ...place });
  if (!object || !unit.rules.bindsFunctions) return object;
  const node = new Node();
  unit.instructions.push({ kind: 'super', unit, scope, type, object, node });
  return node;
}

function compileMember(
  walker: Walker,
  expression: Extract<code.Expression, { kind: 'member' }>,
  place: Place,
): Node | undefined {
  const { unit } = walker;
  const object = compileObject(walker, expression.object, place);
  if (!object) return undefined;
  const { line } = expression;
  const called = expression.method ? methodKey(expression.name, unit.rules) : expression.name;
  const name = memberKey(called, place.scope);
  const node = new Node();
  notePath(expression, node, place);
  const isSuper = isPlainSuper(expression.object);
  unit.instructions.push({
    kind: 'load',
    unit,
    source: place.source,
    line,
    object,
    name,
    isSuper,
    scope: place.scope,
    node,
    ...(isOfFile(expression, place) && { isOfFile: true }),
  });
  return node;
}

function compileCall(walker: Walker, call: code.Call, place: Place): Node {
  const { unit } = walker;
  const { callee: written } = call;
  const isIndex = call.instantiates === true && written.kind === 'index';
  const element = isIndex ? walker.expression(written, place) : undefined;
  const callee = compileCallee(walker, isIndex ? { ...call, callee: written.object } : call, place);
  noteGlobalObjects(call, callee, place);
  const result = new Node();
  unit.instructions.push({
    kind: 'call',
    unit,
    scope: place.scope,
    source: place.source,
    line: call.line,
    name: call.fields ? undefined : nameOf(isIndex ? written.object : written),
    callee,
    ...(element && { element }),
    arguments: call.arguments.map((each) => compileArgument(walker, each, place)),
    constructs: call.constructs === true,
    ...(call.constructs && unit.rules.typesByArity && { constructed: pathOf(call.callee) ?? [] }),
    implicit: call.implicit === true,
    fields: call.fields,
    types: call.types ?? NO_TYPES,
    result,
  });
  for (const type of call.types ?? []) walker.useType(type, place);
  place.flow.forgetElements();
  return result;
}

/** Constructions name classes, other calls methods. */
function calleeKey(name: string, call: code.Call, { rules }: Unit): string {
  return call.constructs ? name : methodKey(name, rules);
}

function compileCallee(walker: Walker, call: code.Call, place: Place): Callee {
  const { callee } = call;
  const { unit } = walker;
  if (callee.kind === 'name') {
    const binding = lookUp(calleeKey(callee.name, call, unit), place.scope);
    return { kind: 'binding', binding, node: walker.read(binding, place), object: place.thisNode };
  }
  if (callee.kind === 'member') {
    const object = compileObject(walker, callee.object, place);
    const path = notePath(callee, undefined, place, !call.constructs);
    const name = memberKey(calleeKey(callee.name, call, unit), place.scope);
    const isInherited = callee.object.kind === 'cast' && callee.object.value.kind === 'super';
    return { kind: 'member', object, name, isSuper: isPlainSuper(callee.object), isInherited, path };
  }
  if (callee.kind !== 'this' && callee.kind !== 'super') {
    return { kind: 'value', node: compileObject(walker, callee, place) };
  }
  if (!place.thisNode) return { kind: 'value', node: undefined };
  return { kind: 'constructor', object: place.thisNode, isSuper: callee.kind === 'super' };
}

function compileArgument(
  walker: Walker,
  { name, value, reference }: code.Argument,
  place: Place,
): CallArgument {
  const spread = value.kind === 'spread' ? value.of : undefined;
  const node = walker.expression(value, place);
  const literal = walker.unit.rules.overloads === 'implementation' ? literalText(value) : undefined;
  return { name, node, spread, ...(literal !== undefined && { literal }), ...(reference && { reference }) };
}

function literalText(value: code.Expression): string | undefined {
  if (value.kind !== 'literal' || value.text === undefined) return undefined;
  return value.type === 'string' ? `'${value.text}'` : value.text;
}
