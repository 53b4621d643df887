import type { code } from '@service-mcp/plugin-syntax/contract';
import { DECLARED, Node } from '../node.js';
import { instanceMember } from '../declarations.js';
import { compileObject, operate } from './objects.js';
import { functionScope, lookUp } from './names.js';
import { isGlobalObject } from './global-objects.js';
import { elementOf, indexKeys, keyOf, memberKey, positional, slice } from './keys.js';
import { originOf } from './origin.js';
import type { Origin } from '../instructions.js';
import type { Variable } from '../program.js';
import type { Place, Walker } from './walker.js';

/** Assigns a value to a name, member, index or pattern. The parts of the target are evaluated even for a plain value. */
export function assignTo(
  walker: Walker,
  target: code.Expression,
  value: Node | undefined,
  place: Place,
  declares: boolean,
): void {
  const { unit } = walker;
  switch (target.kind) {
    case 'name':
      assignName(walker, target.name, value, place, declares);
      return;
    case 'member': {
      if (isGlobalObject(target.object, place)) {
        unit.scope.declare(target.name).isGlobal = true;
        assignName(walker, target.name, value, { ...place, scope: unit.scope }, true);
      }
      const field = declareField(target, place);
      const object = compileObject(walker, target.object, place);
      const name = memberKey(target.name, place.scope);
      if (!object || (!value && !unit.rules.bindsFunctions)) return;
      const runs = unit.rules.bindsFunctions === true || unit.rules.storingMissing !== undefined;
      const origin = runs ? originOf(unit, target, place) : undefined;
      if (origin && unit.rules.bindsFunctions && value && !isField(field)) unit.storedNames.add(name);
      const stored = value ?? new Node();
      unit.instructions.push({ kind: 'store', unit, object, name, value: stored, ...(origin && { origin }) });
      return;
    }
    case 'index': {
      const object = compileObject(walker, target.object, place);
      const keys = indexKeys(walker, target, place);
      const origin = originOf(unit, target, place);
      if (object && (value || unit.rules.protocol?.index !== undefined))
        unit.instructions.push({
          kind: 'store_index',
          unit,
          origin,
          object,
          ...keys,
          value: value ?? new Node(),
        });
      const current = elementOf(walker, target, place);
      if (current) place.flow.setElement(current.variable, current.key, value);
      else place.flow.forgetElements();
      return;
    }
    case 'list':
    case 'tuple':
    case 'set':
      assignElements(walker, target, value, place, declares);
      return;
    case 'object':
      for (const { key, value: part } of target.entries) {
        if (part.kind === 'spread') assignTo(walker, part.value, value, place, declares);
        else
          assignTo(
            walker,
            part,
            value && member(walker, value, keyOf(key, walker.unit.rules), place),
            place,
            declares,
          );
      }
      return;
    case 'assign': {
      const initial = walker.expression(target.value, place);
      const either = value && initial ? new Node() : (value ?? initial);
      if (either && value && initial) {
        value.flowTo(either);
        initial.flowTo(either);
      }
      assignTo(walker, target.target, either, place, declares);
      return;
    }
    case 'address':
    case 'cast':
    case 'unwrap':
    case 'spread':
      assignTo(walker, target.value, value, place, declares);
      return;
    case 'slice':
      assignSlice(walker, target, value, place);
      return;
    case 'this':
    case 'super':
    case 'call':
    case 'function':
    case 'class':
    case 'literal':
    case 'choice':
    case 'await':
    case 'yield':
    case 'enter':
    case 'import':
    case 'block':
    case 'operation':
      walker.expression(target, place);
  }
}

/** The elements of a value become elements of the object. */
function assignSlice(
  walker: Walker,
  target: Extract<code.Expression, { kind: 'slice' }>,
  value: Node | undefined,
  place: Place,
): void {
  const { unit } = walker;
  const object = compileObject(walker, target.object, place);
  for (const each of [target.from, target.to]) if (each) walker.expression(each, place);
  const elements = value && operate(walker, 'each', target, value, place);
  if (!object || !elements) return;
  unit.instructions.push({
    kind: 'store_index',
    unit,
    origin: originOf(unit, target, place),
    object,
    key: undefined,
    computed: undefined,
    arguments: [positional(undefined)],
    value: elements,
  });
  place.flow.forgetElements();
}

function assignElements(
  walker: Walker,
  target: Extract<code.Expression, { kind: 'list' | 'tuple' | 'set' }>,
  value: Node | undefined,
  place: Place,
  declares: boolean,
): void {
  const { items } = target;
  const iterates = walker.unit.rules.operationsCall && walker.unit.rules.protocol?.each !== undefined;
  const loop = iterates && value ? originOf(walker.unit, target, place) : undefined;
  const rest = items.findIndex((each) => each.kind === 'spread');
  for (const [index, item] of items.entries()) {
    const after = index - items.length;
    if (item.kind === 'spread') {
      const others = value && slice(walker, value, index, after === -1 ? undefined : after + 1);
      assignTo(walker, item.value, others, place, declares);
    } else {
      const key = String(rest >= 0 && index > rest ? after : index);
      assignTo(walker, item, value && element(walker, value, key, loop), place, declares);
    }
  }
}

function assignName(
  walker: Walker,
  name: string,
  value: Node | undefined,
  place: Place,
  declares: boolean,
): void {
  const { assignedNames, staticTypes } = walker.unit.rules;
  if (declares) {
    walker.write(place.scope.declare(name), value, place);
    return;
  }
  if (staticTypes && value) {
    assignFunctions(name, value, place);
    return;
  }
  const local = functionScope(place.scope);
  if (assignedNames === 'local') {
    const outer = local.outer?.get(name);
    walker.write(outer ?? local.declare(name), value, place);
    return;
  }
  const binding = lookUp(name, place.scope);
  if (!('kind' in binding)) walker.write(binding, value, place);
  else if (assignedNames === 'lexical' || binding.classes.length === 0) {
    walker.write(binding.lexical ?? local.declare(name), value, place);
  } else if (value) (binding.stores ??= []).push(value);
}

/** Passes only the functions of a value to a variable. */
function assignFunctions(name: string, value: Node, place: Place): void {
  const binding = lookUp(name, place.scope);
  const functions = new Node().mark(DECLARED);
  value.flowTo(functions);
  if ('kind' in binding) (binding.stores ??= []).push(functions);
  else functions.flowTo(binding.node);
}

function element(walker: Walker, object: Node, key: string, loop: Origin | undefined): Node {
  const node = new Node();
  const { unit } = walker;
  unit.instructions.push({
    kind: 'load_index',
    unit,
    origin: undefined,
    loop,
    object,
    key,
    computed: undefined,
    arguments: [],
    changes: false,
    node,
  });
  return node;
}

function member(walker: Walker, object: Node, name: string | undefined, place: Place): Node {
  const { unit } = walker;
  const node = new Node();
  if (name === undefined)
    unit.instructions.push({
      kind: 'load_index',
      unit,
      origin: undefined,
      object,
      key: name,
      computed: undefined,
      arguments: [],
      changes: false,
      node,
    });
  else {
    const { scope, source } = place;
    unit.instructions.push({
      kind: 'load',
      unit,
      source,
      line: 0,
      object,
      name,
      isSuper: false,
      scope,
      node,
    });
  }
  return node;
}

/** `self.name = …` in a method makes a field of its class, also where a supertype of another package may have one. */
function declareField(
  { object, name }: Extract<code.Expression, { kind: 'member' }>,
  place: Place,
): Variable | undefined {
  const { owner, code } = place.function ?? {};
  const receiver = code?.receiver?.target;
  const isOwn = object.kind === 'name' && receiver?.kind === 'name' && object.name === receiver.name;
  if (!isOwn || !owner) return undefined;
  const key = memberKey(name, place.scope);
  return owner.scope.names.get(key) ?? (code?.static ? undefined : instanceMember(owner, key));
}

/** True for a member that is not a method of its class. */
function isField(variable: Variable | undefined): boolean {
  return variable !== undefined && !variable.declarations?.some(({ kind }) => kind === 'function');
}
