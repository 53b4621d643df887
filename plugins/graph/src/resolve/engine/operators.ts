import { positional } from '../compile/keys.js';
import type { CallSite, Instruction } from '../instructions.js';
import type { Class, Func } from '../declarations.js';
import { Node, type Receiver } from '../node.js';
import type { Instance, Value } from '../values.js';
import type { CallResult } from './call-result.js';
import type { Engine } from './engine.js';
import { Arithmetic } from './arithmetic.js';
import { JoinedCollection } from './joined-collection.js';
import { addOperation, callProtocol, iterate, takes } from './protocol.js';

type Operator = Extract<Instruction, { kind: 'operator' }>;

/**
 * Calls the function of an operator: a member of an operand, or a function beside its class. Only operands of a known
 * class decide. The result has the type that the function declares, else the plain type of the operator.
 */
export class OperatorLink {
  readonly #engine: Engine;
  readonly #operator: Operator;
  /** One bit for each operand that has no plain value yet. */
  #undecided = 0;
  /** Static functions, and functions beside a class: one call of all operands chooses among them. */
  #functions: Func[] | undefined;
  #call: CallResult | undefined;
  #joined: JoinedCollection | undefined;
  readonly #arithmetic: Arithmetic | undefined;

  constructor(engine: Engine, operator: Operator) {
    this.#engine = engine;
    this.#operator = operator;
    const { operands, unit, type } = operator;
    if (unit.rules.numbers && type !== 'boolean')
      this.#arithmetic = new Arithmetic(unit.rules, operator.operator);
    for (const [index, operand] of operands.entries()) if (operand) this.#undecided |= 1 << index;
    for (const [index, operand] of operands.entries()) {
      if (operand) engine.solver.watch(operand, new OperandWatcher(this, index));
    }
  }

  get #names(): readonly string[] {
    const { operator, operands, unit } = this.#operator;
    return unit.rules.operators?.names(operator, operands.length) ?? [];
  }

  get #arguments(): CallSite['arguments'] {
    return this.#operator.operands.map((node) => positional(node));
  }

  /** Gives a result that no value decided its plain type. */
  settle(): void {
    if (!this.#operator.result.values) this.#addPlain();
  }

  receive(given: Value, index: number): void {
    const { builtins, values } = this.#engine;
    const value = given.kind === 'self' ? values.instance(given.class, [], false) : given;
    if (value.kind !== 'instance' || builtins.isBuiltin(value.class)) {
      if (value.kind === 'instance') this.#arithmetic?.add(value, index);
      if (value.kind === 'instance' && value.class.generics.length > 0) this.#join(value, index);
      const { unit, operator } = this.#operator;
      if (value.kind === 'instance' && index === 0 && unit.rules.operators?.shifts?.(operator))
        value.site?.shift();
      this.#notePlain(index);
    } else if (!this.#link(value, index)) {
      const { type, result } = this.#operator;
      // Constants of an enum combine to one of it.
      if (type === 'number' && value.class.code.form === 'enum') this.#engine.solver.add(result, value);
      // Without the operator it is compared or written out like any other object.
      if (type !== 'number') this.#notePlain(index);
      this.#linkText(value);
      if (index === 1) this.#linkReflected(value);
      else if (this.#operator.unit.rules.operators?.loops?.(this.#operator.operator))
        iterate(this.#engine, value, this.#operator, new Node());
    }
  }

  #join(value: Instance, index: number): void {
    const { unit, operator, result } = this.#operator;
    if (!unit.rules.operators?.joins?.(operator)) return;
    this.#joined ??= JoinedCollection.of(this.#engine, value, operator);
    if (!this.#joined) return;
    this.#engine.solver.add(result, this.#joined.value);
    this.#joined.add(value, index);
  }

  #notePlain(index: number): void {
    const bit = 1 << index;
    if ((this.#undecided & bit) === 0) return;
    this.#undecided &= ~bit;
    if (this.#undecided === 0) this.#addPlain();
  }

  #addPlain(): void {
    const { type, unit, result } = this.#operator;
    const { builtins, containers, values } = this.#engine;
    const name = this.#arithmetic?.result;
    const found = name === undefined ? undefined : builtins.find(unit.rules, name);
    if (found) {
      this.#engine.solver.add(result, values.instance(found, [], true));
      return;
    }
    const made = type && containers.wrap(type, unit.rules, [], false);
    if (made) this.#engine.solver.add(result, made);
  }

  #link(value: Instance, index: number): boolean {
    const place = this.#operator.unit.rules.operators?.place;
    if (place === 'static') return this.#linkStatic(value.class);
    const isMember = index === 0 && this.#linkMember(value, this.#names, this.#arguments.slice(1));
    return (place === 'beside' && this.#linkBeside(value.class, index)) || isMember;
  }

  #linkMember(value: Instance, names: readonly string[], args: CallSite['arguments']): boolean {
    const { result, unit, operator } = this.#operator;
    const missing = unit.rules.operators?.missing?.(operator);
    if (missing !== undefined && this.#engine.classes.member(value.class, missing, 'instance')) return false;
    return names.some(
      (name) =>
        (missing !== undefined || takes(this.#engine, value, name, args.length)) &&
        callProtocol(this.#engine, value, name, this.#operator, result, args),
    );
  }

  /** `"a" + b` is given the text of `b`. */
  #linkText(value: Instance): void {
    const { unit, operator } = this.#operator;
    const { text } = unit.rules.operators ?? {};
    if (!text?.operators.has(operator)) return;
    callProtocol(this.#engine, value, text.member, this.#operator, new Node());
    // Whatever the other operand is, the result is a text.
    const made = this.#engine.containers.wrap('string', unit.rules, [], false);
    if (made) this.#engine.solver.add(this.#operator.result, made);
  }

  /** `1 + a` is `a.__radd__(1)` where 1 cannot add objects of that class. */
  #linkReflected(value: Instance): void {
    const { unit, operator, operands } = this.#operator;
    this.#linkPlain(value.class);
    const names = unit.rules.operators?.reflected?.(operator) ?? [];
    const { classes, builtins, solver } = this.#engine;
    if (!names.some((name) => classes.member(value.class, name, 'instance'))) return;
    const [first] = operands;
    const link = (): boolean => this.#linkMember(value, names, this.#arguments.slice(0, 1));
    if (!first) link();
    else {
      solver.watch(first, (each) => {
        if (each.kind !== 'instance') return;
        const hasOwn = this.#names.some((name) => classes.member(each.class, name, 'instance'));
        if (builtins.isBuiltin(each.class) || !hasOwn) link();
      });
    }
  }

  /** `2.0 * v` calls the function by which the type of the number takes an object of the class. */
  #linkPlain(container: Class): void {
    const { operands, unit } = this.#operator;
    const { traits, solver } = this.#engine;
    const [first] = operands;
    const [name] = this.#names;
    if (!first || name === undefined) return;
    solver.watch(first, (value) => this.#callFunctions(traits.taking(container, value, name, unit.rules)));
  }

  #linkStatic(container: Class): boolean {
    return this.#names.some((name) => {
      const found = this.#engine.classes.member(container, name, 'static')?.variable.declarations ?? [];
      const first = found.find((each) => each.kind === 'function');
      return first !== undefined && this.#callFunctions([first]);
    });
  }

  #linkBeside(container: Class, index: number): boolean {
    const { operands } = this.#operator;
    return this.#names.some((name) => {
      const found = this.#engine.beside.functions(container, name, index);
      return this.#callFunctions(found.filter(({ parameters }) => parameters.length === operands.length));
    });
  }

  #callFunctions(functions: readonly Func[]): boolean {
    for (const each of functions) {
      // A call of one means all its overloads.
      const isCalled = (one: Func) =>
        one === each || (one.unit.rules.overloads && one.overloads?.includes(each));
      if (this.#functions?.some(isCalled)) continue;
      (this.#functions ??= []).push(each);
      this.#call ??= addOperation(this.#engine, this.#operator, this.#operator.result, this.#arguments);
      this.#engine.calls.call(this.#call, each, 'type');
    }
    return functions.length > 0;
  }
}

/** Calls the functions of an operator as soon as its operands are known. */
export function linkOperator(engine: Engine, operator: Operator): OperatorLink {
  return new OperatorLink(engine, operator);
}

class OperandWatcher implements Receiver {
  readonly #link: OperatorLink;
  readonly #index: number;

  constructor(link: OperatorLink, index: number) {
    this.#link = link;
    this.#index = index;
  }

  receive(value: Value): void {
    this.#link.receive(value, this.#index);
  }
}
