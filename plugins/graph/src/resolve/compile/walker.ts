import type { code } from '@service-mcp/plugin-syntax/contract';
import type { Node } from '../node.js';
import type { Class, Func } from '../declarations.js';
import type { Binding, Scope, Unit, Variable } from '../program.js';
import type { Loop } from './branches.js';
import type { FlowState } from './flow-state.js';
import type { ReturnedParameters } from './returned-parameters.js';

/** Position of the compiler in a file. */
export interface Place {
  readonly scope: Scope;
  /** Index in the symbols of the graph: 0 is the module. */
  readonly source: number;
  readonly function: Func | undefined;
  /** Absent outside classes. */
  readonly thisNode: Node | undefined;
  readonly flow: FlowState;
  /** The loop around it in its function. Absent where flow is not ordered. */
  readonly loop?: Loop;
  /** In a `try`, after which code runs where this leaves the function. */
  readonly isTried?: true;
}

/** Functions that the parts of the compiler share. A node is absent for plain values. */
export interface Walker {
  /** The state in which the code of a function or file begins. */
  newFlow(): FlowState;
  readonly unit: Unit;
  readonly parameters: ReturnedParameters;
  statements(statements: readonly code.Statement[], place: Place): void;
  expression(expression: code.Expression, place: Place): Node | undefined;
  assign(target: code.Expression, value: Node | undefined, place: Place, declares: boolean): void;
  function(code: code.FunctionCode, place: Place, options?: FunctionOptions): Func;
  class(code: code.ClassCode, place: Place): Class;
  /** The value of a function or class after its decorators. */
  decorate(value: Func | Class, decorators: readonly code.Expression[], place: Place): Node;
  /** Notes the types that an annotation uses. */
  useType(type: code.Type, place: Place): void;
  /** Notes a name that is used other than by calling it: see `Use.isWhole`. */
  use(binding: Binding, line: number, place: Place, isWhole: boolean): void;
  read(binding: Binding, place: Place): Node;
  write(variable: Variable, value: Node | undefined, place: Place): void;
  /** Runs once everything around is declared. */
  later(task: () => void): void;
}

export interface FunctionOptions {
  readonly owner?: Class;
  /** The symbol that stands for a function without one. */
  readonly symbol?: number;
}
