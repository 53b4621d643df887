import { positional } from '../compile/keys.js';
import type { Class } from '../declarations.js';
import type { CallSite, Instruction, Origin } from '../instructions.js';
import { Node } from '../node.js';
import { functionAround } from '../program.js';
import type { Instance, Value } from '../values.js';
import type { CallResult } from './call-result.js';
import type { Engine } from './engine.js';
import { flowHit } from './flow-hit.js';

type OperationOn = Extract<Instruction, { kind: 'operation' }>;

/** Runs an operation on one value: the member that stands for it in a class of the project, or that of a builtin type. */
export function operate(engine: Engine, instruction: OperationOn, value: Value): void {
  const { operation, node, unit, origin, value: operand } = instruction;
  const { solver, containers } = engine;
  const { protocol } = unit.rules;
  switch (operation) {
    case 'each':
      iterate(engine, value, origin, node);
      return;
    case 'keys':
      containers.operate(value, '@keys', node);
      return;
    case 'pairs':
      if (unit.rules.loopsOverIterators) iterate(engine, value, origin, new Node());
      if (!containers.operate(value, '@index', node)) containers.operate(value, '@each', node);
      return;
    case 'await':
      if (
        !callProtocol(engine, value, protocol?.await, origin, node) &&
        !containers.operate(value, '@await', node)
      ) {
        solver.add(node, value);
      }
      return;
    case 'return':
      containers.operate(value, '@return', node);
      return;
    case 'enter':
      enter(engine, value, origin, node);
      return;
    case 'dereference': {
      const method = protocol?.dereference;
      if (takes(engine, value, method, 0) && callProtocol(engine, value, method, origin, node)) return;
      unwrap(engine, value, node);
      return;
    }
    case 'address': {
      const pointer = isObject(value) ? containers.wrap('list', unit.rules, [operand], false) : undefined;
      solver.add(node, pointer ?? value);
      return;
    }
    case 'unwrap':
      engine.conversions.convertError(value, origin);
      unwrap(engine, value, node);
  }
}

function isObject({ kind }: Value): boolean {
  return kind === 'instance' || kind === 'self' || kind === 'parameter';
}

export function unwrap({ solver, containers }: Engine, value: Value, node: Node): void {
  if (!containers.operate(value, '@unwrap', node)) solver.add(node, value);
}

/** Gives the elements of a value: what its class calls for a loop, or those of a builtin type. */
export function iterate(engine: Engine, value: Value, origin: Origin, node: Node): void {
  const { solver, containers } = engine;
  const { protocol, loopsOverIterators } = origin.unit.rules;
  const iterator = new Node();
  if (loopsOverIterators) {
    const next = (each: Value) => {
      for (const step of [...loopsOverIterators, protocol?.next])
        callProtocol(engine, each, step, origin, new Node());
    };
    if (callProtocol(engine, value, protocol?.each, origin, iterator)) solver.watch(iterator, next);
    else next(value);
    const ofIterator = (): void => solver.watch(iterator, (each) => containers.operate(each, '@each', node));
    if (!containers.operate(value, '@each', node)) ofIterator();
    // The type of the library may not say what it holds.
    else engine.undecided.add(() => void (!node.values && ofIterator()));
    return;
  }
  if (callProtocol(engine, value, protocol?.each, origin, iterator)) {
    solver.watch(iterator, (each) => {
      callProtocol(engine, each, protocol?.more, origin, new Node());
      const isRead = readElement(engine, each, origin, node);
      if (callProtocol(engine, each, protocol?.next, origin, isRead ? new Node() : node)) return;
      if (protocol?.dereference !== undefined) unwrap(engine, each, node);
      else containers.operate(each, '@each', node);
    });
  } else if (callProtocol(engine, value, protocol?.asyncEach, origin, iterator)) {
    solver.watch(iterator, (each) => {
      const next = new Node();
      if (callProtocol(engine, each, protocol?.asyncNext, origin, next)) awaitInto(engine, next, node);
      else containers.operate(each, '@each', node);
    });
  } else if (!containers.operate(value, '@each', node)) {
    callProtocol(engine, value, protocol?.index, origin, node);
  }
}

/** Reads the member of an iterator of the project that is its element. False where it has none. */
function readElement(engine: Engine, value: Value, origin: Origin, node: Node): boolean {
  const name = origin.unit.rules.protocol?.element;
  if (name === undefined || !hasProtocol(engine, value, name)) return false;
  const load = { kind: 'load', ...origin, object: node, name, isSuper: false, node } as const;
  for (const hit of engine.members.find(value, { name, isSuper: false, scope: origin.scope, reads: true })) {
    flowHit(engine, hit, node, origin);
    engine.references.note(load, hit);
  }
  return true;
}

/** A class may be opened in both ways: code of an async function takes the async one. */
export function enter(engine: Engine, value: Value, origin: Origin, node: Node): void {
  const { protocol = {} } = origin.unit.rules;
  const plain = (): boolean => {
    callProtocol(engine, value, protocol.exit, origin, new Node());
    return callProtocol(engine, value, protocol.enter, origin, node);
  };
  const awaited = (): boolean => {
    const entered = new Node();
    if (!callProtocol(engine, value, protocol.asyncEnter, origin, entered)) return false;
    callProtocol(engine, value, protocol.asyncExit, origin, new Node());
    awaitInto(engine, entered, node);
    return true;
  };
  const isEntered = functionAround(origin.scope)?.code.async ? awaited() || plain() : plain();
  if (!isEntered && !engine.containers.operate(value, '@enter', node)) engine.solver.add(node, value);
}

function awaitInto({ solver, containers }: Engine, from: Node, to: Node): void {
  solver.watch(from, (value) => {
    if (!containers.operate(value, '@await', to)) solver.add(to, value);
  });
}

/** Calls the member of a project class that stands for an operation. False where the value has none. */
export function callProtocol(
  engine: Engine,
  value: Value,
  method: string | undefined,
  origin: Origin,
  to: Node,
  args: CallSite['arguments'] = [],
): boolean {
  if (method === undefined) return false;
  if (!hasProtocol(engine, value, method)) {
    if (value.kind === 'instance') noteInherited(engine, value, method, origin);
    return false;
  }
  const call = addOperation(engine, origin, to, args);
  const func = value.kind === 'class' ? engine.creation.method(value, method) : undefined;
  if (func) engine.linking.link(call, [func], value, { reason: 'type', open: false });
  else {
    for (const hit of engine.members.find(value, { name: method, isSuper: false, scope: origin.scope })) {
      engine.calls.hit(call, hit, 'type', value);
    }
  }
  return true;
}

/** Subtypes of a class may declare a member that it has from outside the project. */
function noteInherited(engine: Engine, { class: type, exact }: Instance, key: string, origin: Origin): void {
  const { classes, builtins } = engine;
  if (exact || !type.unit.rules.callsByType || builtins.isBuiltin(type)) return;
  if (classes.member(type, key, 'instance'))
    addOperation(engine, origin, new Node(), []).addInherited({ class: type, key });
}

/** True for a value of the project whose class, or metaclass where it is one, has the member of an operation. */
export function hasProtocol({ classes, builtins, creation }: Engine, value: Value, method: string): boolean {
  if (value.kind === 'class') return creation.method(value, method) !== undefined;
  if (value.kind !== 'instance' || builtins.isBuiltin(value.class)) return false;
  const found = classes.member(value.class, method, 'instance');
  return found !== null && !builtins.isBuiltin(found.owner);
}

/** `A[1]` of a class that gives elements itself. False where it does not. */
export function callClassIndex(
  engine: Engine,
  container: Class,
  origin: Origin,
  to: Node,
  args: CallSite['arguments'],
): boolean {
  const name = origin.unit.rules.classIndex;
  const found = name === undefined ? null : engine.classes.member(container, name, 'static');
  const func = found?.variable.declarations?.findLast((each) => each.kind === 'function');
  if (!found || func?.kind !== 'function' || engine.builtins.isBuiltin(found.owner)) return false;
  const call = addOperation(engine, origin, to, args);
  engine.linking.link(call, [func], container, { reason: 'type', open: false });
  return true;
}

/** False for a member that takes another number of operands: the sign of `-a` is not that of `a - b`. */
export function takes(engine: Engine, value: Value, name: string | undefined, count: number): boolean {
  if (name === undefined || value.kind !== 'instance') return false;
  const declared = engine.classes.member(value.class, name, 'instance')?.variable.declarations;
  const functions = declared?.filter((each) => each.kind === 'function') ?? [];
  return (
    functions.length === 0 ||
    functions.some(({ parameters }) => {
      const required = parameters.filter(({ optional, rest }) => !optional && !rest);
      return required.length <= count && (count <= parameters.length || parameters.some(({ rest }) => rest));
    })
  );
}

/** A call that the language makes for an operation. */
export function addOperation(
  { calls }: Engine,
  { unit, scope, source, line }: Origin,
  to: Node,
  args: CallSite['arguments'],
): CallResult {
  return calls.add({
    kind: 'call',
    unit,
    scope,
    source,
    line,
    name: undefined,
    callee: { kind: 'value', node: undefined },
    arguments: args,
    constructs: false,
    implicit: true,
    isOperation: true,
    types: [],
    result: to,
  });
}

/** A builtin function or type calls a member of its first argument: `len(a)` calls `a.__len__()`. */
export function callMemberOfArgument(engine: Engine, site: CallSite, name: string | undefined): void {
  const methods = name === undefined ? undefined : site.unit.rules.memberCalls?.get(name);
  const [first] = site.arguments;
  if (!methods || !first?.node || first.spread) return;
  engine.solver.watch(first.node, (value) => {
    methods.some((each) =>
      callProtocol(engine, value, each, site, site.result, operands(engine, value, each)),
    );
  });
}

/** As many arguments as a member takes, of which nothing is known. */
function operands({ classes }: Engine, value: Value, name: string): CallSite['arguments'] {
  const found = value.kind === 'instance' ? classes.member(value.class, name, 'instance') : null;
  const func = found?.variable.declarations?.find((each) => each.kind === 'function');
  const parameters = func?.kind === 'function' ? func.parameters : [];
  return parameters.filter(({ optional, rest }) => !optional && !rest).map(() => positional(undefined));
}
