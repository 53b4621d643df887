import { Node, type Receiver } from '../node.js';
import { positional } from '../compile/keys.js';
import type { Instruction } from '../instructions.js';
import { switchWork } from '../file-work.js';
import type { Unit } from '../program.js';
import { importedBy } from './alternatives.js';
import { plainText } from './answered-members.js';
import type { Engine } from './engine.js';
import { copyEach } from './copy-members.js';
import { flowHit } from './flow-hit.js';
import { linkFreeName } from './link-free-name.js';
import { MemberLoad } from './member-load.js';
import { narrow, proveType } from './guards.js';
import { keepsClass } from './kept-classes.js';
import { isKnownType } from './known-types.js';
import { OperatorLink } from './operators.js';
import { loadField, loadPart } from './load-part.js';
import { callClassIndex, callProtocol, hasProtocol, iterate, operate } from './protocol.js';
import type { Value } from '../values.js';
import { storeIndex } from './store-index.js';
import { storingMember } from './store-member.js';
import { isGeneric } from './types.js';

type Of<Kind extends Instruction['kind']> = Extract<Instruction, { kind: Kind }>;

/** What a file or a part of it was compiled to. */
export type InstalledCode = Pick<Unit, 'functions' | 'classes' | 'names' | 'instructions' | 'seeds'>;

/** Turns the instructions of files into what the solver runs. */
export class Installer {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  unit(unit: Unit): void {
    switchWork(unit.work);
    this.part(unit, unit);
    // Only these are read again, by what writes the graphs.
    unit.instructions = unit.instructions.filter(({ kind }) => kind === 'module');
  }

  /** Code of a unit. */
  part(unit: Unit, { functions, classes: containers, names, instructions, seeds }: InstalledCode): void {
    const { solver, classes, types, infer } = this.#engine;
    for (const func of functions) {
      const { returns } = func.code;
      if (returns && func.code.hasBody)
        infer.match(returns, func.scope, func.passed ?? func.returned, undefined);
      if (!func.owner) continue;
      const container = classes.canonical(func.owner);
      const isDynamic = unit.rules.receiver === 'dynamic';
      if (func.code.extension) continue;
      const own = func.code.static ? container : types.own(container);
      if (func.receiver?.type && !func.code.static) continue;
      if (isDynamic) {
        this.#engine.undecided.add(() => {
          if (func.thisNode.values) return;
          const isOfModule = container.code.form === 'trait' && !func.code.static;
          const objects = isOfModule ? this.#engine.mixing.objectsOf(container) : [];
          for (const each of [own, ...objects]) solver.add(func.thisNode, each);
        });
      } else solver.add(func.thisNode, own);
    }
    for (const container of containers) {
      const own = classes.canonical(container);
      solver.add(container.thisNode, unit.rules.runsClassBodies ? own : types.own(own));
      if (container.code.form !== 'enum') continue;
      for (const variable of container.scope.names.values()) {
        if (!variable.declarations && !variable.type) {
          solver.add(variable.node, this.#engine.values.instance(classes.canonical(container), [], false));
        }
      }
    }
    // Names that are exported beside a module that is one value are members of it.
    if (unit.assigned) {
      solver.watch(unit.assigned, (value) => {
        for (const [name, { node }] of unit.exports) this.#engine.members.store(value, name, node);
      });
    }
    for (const binding of unit.imports) {
      if (!binding.node) continue;
      for (const target of importedBy(this.#engine, binding))
        for (const hit of this.#engine.members.ofTarget(target)) flowHit(this.#engine, hit, binding.node);
    }
    for (const name of names) linkFreeName(this.#engine, name, unit);
    for (const instruction of instructions) this.#install(instruction);
    for (const seed of seeds) solver.start(seed);
  }

  /** Settles what no value decided: decorators that return nothing known, methods that nothing calls. */
  settle(): void {
    for (const unit of this.#engine.project.units) {
      switchWork(unit.work);
      this.#engine.passing.settle(unit.functions);
    }
    this.#engine.undecided.settle();
    this.#engine.functionObjects.settle();
  }

  /** Closures are made in methods of their own: here, each instruction would pay for what they keep. */
  #install(instruction: Instruction): void {
    const engine = this.#engine;
    const { solver, calls } = engine;
    switch (instruction.kind) {
      case 'call':
        calls.add(instruction);
        return;
      case 'literal':
        return this.#literal(instruction);
      case 'container':
        return this.#container(instruction);
      case 'operator': {
        const link = new OperatorLink(engine, instruction);
        if (instruction.type) this.#engine.undecided.add(() => link.settle());
        return;
      }
      case 'load':
        return solver.watch(instruction.object, new MemberLoad(engine, instruction));
      case 'super':
        return this.#super(instruction);
      case 'store':
        return solver.watch(instruction.object, new MemberStore(engine, instruction));
      case 'load_index':
        return this.#loadIndex(instruction);
      case 'slice':
        return this.#slice(instruction);
      case 'store_index':
        return storeIndex(engine, instruction);
      case 'copy':
        return copyEach(engine, instruction);
      case 'operation':
        return solver.watch(instruction.value, new OperationWatcher(engine, instruction));
      case 'typed':
        return this.#typed(instruction);
      case 'class_of':
        return solver.watch(engine.types.node(instruction.type, instruction.scope), (value) => {
          if (value.kind === 'instance') solver.add(instruction.node, value.class);
        });
      case 'narrowed':
        return narrow(engine, instruction);
      case 'proved':
        return proveType(engine, instruction);
      case 'module':
        return this.#module(instruction);
      case 'decorated':
        return this.#decorated(instruction);
    }
  }

  #literal({ type, unit, key, node }: Of<'literal'>): void {
    const { solver, containers, values } = this.#engine;
    const made = containers.wrap(type, unit.rules, [], false);
    if (made) solver.add(node, key === undefined ? made : values.constant(made, key));
  }

  #container({ type, names, unit, items, node, scope }: Of<'container'>): void {
    const { solver, containers } = this.#engine;
    const plain = items.filter((each) => !each.spread && !each.computed);
    const grows = items.some(({ spread }) => spread);
    const made = containers.make(type, unit.rules, plain, isGeneric(scope), { grows, names });
    if (!made) return;
    solver.add(node, made);
    if (plain.length === items.length) return;
    for (const { computed, node: item } of items) {
      if (!computed) continue;
      containers.storeKey(made, computed);
      this.#engine.undecided.withKey(computed, (key) => containers.store(made, key, item));
    }
    for (const [index, item] of items.entries())
      if (item.spread) containers.spread(item.node, made, keysOf(items.slice(index + 1)));
  }

  #loadIndex(instruction: Of<'load_index'>): void {
    const { solver, containers, namespaces, undecided } = this.#engine;
    solver.watch(instruction.object, (value) => {
      const { unit, origin, loop, key, node, changes, arguments: args } = instruction;
      const { index, changedIndex, missingIndex } = unit.rules.protocol ?? {};
      const methods = changes ? [changedIndex, index] : [index];
      if (origin && methods.some((each) => callProtocol(this.#engine, value, each, origin, node, args)))
        return;
      if (origin && value.kind === 'class' && callClassIndex(this.#engine, value, origin, node, args)) return;
      if (origin && missingIndex !== undefined)
        callProtocol(this.#engine, value, missingIndex, origin, node, args);
      if (key !== undefined && loadField(this.#engine, value, key, instruction)) return;
      if (loop && value.kind === 'instance' && !value.site) {
        if (!loadPart(this.#engine, value, key, node)) iterate(this.#engine, value, loop, node);
        return;
      }
      const load = (found: string | undefined): void => {
        if (origin && namespaces.load(value, found, origin, node)) return;
        containers.load(value, found, node);
      };
      if (!instruction.computed) load(key);
      else undecided.withKey(instruction.computed, load);
    });
  }

  #slice({ object, from, to, node, unit, origin }: Of<'slice'>): void {
    const { solver, containers } = this.#engine;
    // One result for each list: that of a slice of itself is enough of a slice.
    const made = new Set<Value>();
    const index = unit.rules.protocol?.index;
    solver.watch(object, (value) => {
      if (made.has(value)) return;
      if (origin && callProtocol(this.#engine, value, index, origin, node, [positional(undefined)])) return;
      const part = containers.slice(value, from, to);
      made.add(part);
      solver.add(node, part);
    });
  }

  #super({ type, scope, object, node }: Of<'super'>): void {
    const { solver, values, typeNames, types } = this.#engine;
    const after = type ? typeNames.classNamed(type, scope) : typeNames.classOf(scope);
    if (type && !after) {
      // What comes after a class outside the project is outside, too.
      for (const each of types.node(type, scope).values ?? [])
        if (each.kind === 'external') solver.add(node, each);
      return;
    }
    solver.watch(object, (value) => {
      if (!after || (value.kind !== 'instance' && value.kind !== 'class')) solver.add(node, value);
      else solver.add(node, values.super(value, after));
    });
  }

  #typed({ type, scope, node, value, fallback }: Of<'typed'>): void {
    const { solver, types, infer, undecided } = this.#engine;
    const declared = types.node(type, scope);
    const isUnknown = () => ![...(node.values ?? [])].some(({ kind }) => kind !== 'external');
    if (fallback) undecided.add(() => void (isUnknown() && solver.copy(declared, node)));
    else if (isKnownType(this.#engine, type, scope)) solver.declare(node, declared);
    else solver.watch(declared, (each) => solver.add(node, each));
    if (value) infer.match(type, scope, value, undefined);
  }

  #module({ unit, module, isAsync, node }: Of<'module'>): void {
    const { solver, containers, values, project } = this.#engine;
    const target = project.find({ module, form: 'namespace' }, unit);
    const inner = isAsync ? new Node() : node;
    if (target.kind === 'external') solver.add(inner, values.external(target.module, ''));
    if (target.kind === 'files') {
      const units = project.unitsOf(target.paths);
      const [only] = units;
      if (units.length === 1 && only?.assigned) solver.copy(only.assigned, inner);
      else if (units.length > 0) solver.add(inner, values.module(units));
    }
    if (isAsync) containers.promise(unit.rules, inner, node);
  }

  #decorated({ call, from, to }: Of<'decorated'>): void {
    const { solver, calls } = this.#engine;
    calls.add(call);
    solver.watch(call.result, (value) => {
      if (value.kind !== 'class' && keepsClass(call, from)) return;
      if (value.kind === 'external') solver.copy(from, to); // Its effect is unknown.
      else solver.add(to, value);
    });
    this.#engine.undecided.add(() => {
      if (!to.values) solver.copy(from, to);
    });
  }
}

class MemberStore implements Receiver {
  readonly #engine: Engine;
  readonly #instruction: Of<'store'>;

  constructor(engine: Engine, instruction: Of<'store'>) {
    this.#engine = engine;
    this.#instruction = instruction;
  }

  receive(given: Value): void {
    const { name, value, origin, unit } = this.#instruction;
    const storing = origin && storingMember(this.#engine, given, name, origin);
    if (origin && storing !== undefined && hasProtocol(this.#engine, given, storing)) {
      const args = [positional(plainText(this.#engine, unit.rules)), positional(value)];
      callProtocol(this.#engine, given, storing, origin, new Node(), args);
    }
    this.#engine.members.store(given, name, value, origin);
  }
}

class OperationWatcher implements Receiver {
  readonly #engine: Engine;
  readonly #instruction: Of<'operation'>;

  constructor(engine: Engine, instruction: Of<'operation'>) {
    this.#engine = engine;
    this.#instruction = instruction;
  }

  receive(value: Value): void {
    operate(this.#engine, this.#instruction, value);
  }
}

function keysOf(items: Of<'container'>['items']): ReadonlySet<string | undefined> {
  return new Set(items.map(({ key }) => key));
}
