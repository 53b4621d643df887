import type { code } from '@service-mcp/plugin-syntax/contract';
import type { SourceFile } from '../../model.js';
import { rulesOf } from '../languages/index.js';
import type { Use } from '../instructions.js';
import { switchWork } from '../file-work.js';
import type { Node } from '../node.js';
import type { Class, Func } from '../declarations.js';
import { Unit, type Binding, type Variable } from '../program.js';
import { assignTo } from './assignments.js';
import { compileClass, decorated } from './classes.js';
import { compileExpression } from './expressions.js';
import { FlowState } from './flow-state.js';
import { compileFunction } from './functions.js';
import { ReturnedParameters } from './returned-parameters.js';
import { compileStatements } from './statements.js';
import { compileTypes } from './types.js';
import type { FunctionOptions, Place, Walker } from './walker.js';

/** Code nested deeper is left out, and the graph of the file says so: the depth that syntax trees are read to. */
const MAX_DEPTH = 400;

/** Compiles one file. Depends on nothing else. */
export function compileFile(file: SourceFile, rules = rulesOf(file.language)): Unit {
  const unit = new Unit(file.path, rules, file.code?.package, file.symbols);
  unit.constraint = file.code?.constraint;
  unit.opened = file.code?.opened ?? [];
  if (!file.code) return unit;
  const { body } = file.code;
  compilePart(unit, (walker, place) => walker.statements(body, place));
  return unit;
}

/** Compiles more code at the outermost place of a file. */
export function compilePart(unit: Unit, compile: (walker: Walker, place: Place) => void): void {
  const before = switchWork(unit.work);
  new FileCompiler(unit).run(compile);
  switchWork(before);
}

class FileCompiler implements Walker {
  #tasks: Array<() => void> = [];
  readonly #lastUses = new Map<Binding, Use>();
  readonly #ordered: boolean;
  /** Variables with versions. */
  readonly #written: Variable[] = [];
  #depth = 0;

  readonly unit: Unit;
  readonly parameters = new ReturnedParameters();

  constructor(unit: Unit) {
    this.unit = unit;
    this.#ordered = unit.rules.flow === 'ordered';
  }

  run(compile: (walker: Walker, place: Place) => void): void {
    const place = {
      scope: this.unit.scope,
      source: 0,
      function: undefined,
      thisNode: undefined,
      flow: this.newFlow(),
    };
    compile(this, place);
    // In the order in which they came, those that others add at the end.
    while (this.#tasks.length > 0) {
      const tasks = this.#tasks;
      this.#tasks = [];
      for (const task of tasks) task();
    }
    this.parameters.settle();
    for (const variable of this.#written) variable.versions = undefined;
  }

  newFlow(): FlowState {
    return new FlowState(this.#written);
  }

  statements(statements: readonly code.Statement[], place: Place): void {
    if (this.#isTooDeep()) return;
    this.#depth += 1;
    compileStatements(this, statements, place);
    this.#depth -= 1;
  }

  expression(expression: code.Expression, place: Place): Node | undefined {
    if (this.#isTooDeep()) return undefined;
    this.#depth += 1;
    const node = compileExpression(this, expression, place);
    this.#depth -= 1;
    return node;
  }

  #isTooDeep(): boolean {
    if (this.#depth <= MAX_DEPTH) return false;
    this.unit.note = `Code nested more than ${String(MAX_DEPTH)} levels deep is left out.`;
    return true;
  }

  assign(target: code.Expression, value: Node | undefined, place: Place, declares: boolean): void {
    assignTo(this, target, value, place, declares);
  }

  function(code: code.FunctionCode, place: Place, options: FunctionOptions = {}): Func {
    return compileFunction(this, code, place, options);
  }

  class(code: code.ClassCode, place: Place): Class {
    return compileClass(this, code, place);
  }

  decorate(value: Func | Class, decorators: readonly code.Expression[], place: Place): Node {
    return decorated(this, value, decorators, place);
  }

  useType(type: code.Type, place: Place): void {
    this.unit.typeUses.push({ source: place.source, type, scope: place.scope });
    compileTypes(this, type, place);
  }

  use(binding: Binding, line: number, { source }: Place, isWhole: boolean): void {
    const last = this.#lastUses.get(binding);
    if (last?.source === source) {
      last.line = Math.min(last.line, line);
      last.isWhole ||= isWhole;
      return;
    }
    const use = { source, line, binding, isWhole };
    this.#lastUses.set(binding, use);
    this.unit.uses.push(use);
  }

  read(binding: Binding, place: Place): Node {
    if ('kind' in binding) return binding.node;
    return place.flow.read(binding) ?? binding.node;
  }

  write(variable: Variable, value: Node | undefined, place: Place): void {
    const isLocal = this.#ordered && functionOf(variable) === place.function;
    if (isLocal) {
      const version = place.flow.write(variable);
      value?.flowTo(version);
      return;
    }
    if (!this.#ordered) this.parameters.write(variable);
    value?.flowTo(variable.node);
    if (variable.narrowed) this.write(variable.narrowed, value, place);
    for (const version of variable.versions ?? []) value?.flowTo(version);
  }

  later(task: () => void): void {
    this.#tasks.push(task);
  }
}

/** The function whose straight-line code a variable belongs to. */
function functionOf(variable: Variable): Func | undefined {
  for (let scope: typeof variable.scope | null = variable.scope; scope; scope = scope.parent) {
    if (scope.kind === 'function') return scope.function;
  }
  return undefined;
}
