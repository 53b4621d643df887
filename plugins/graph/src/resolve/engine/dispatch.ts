import type { code } from '@service-mcp/plugin-syntax/contract';
import { nameOf } from '../compile/classes.js';
import type { Func } from '../declarations.js';
import { Node } from '../node.js';
import type { Registrar } from '../values.js';
import type { CallResult } from './call-result.js';
import type { Engine } from './engine.js';

/** Functions that call others by the type of an argument, which are registered with them: `singledispatch`. */
export class Dispatch {
  readonly #engine: Engine;
  readonly #registered = new Map<Func, Node>();
  readonly #registrars = new Map<Func, Registrar>();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Calls back for each function that is registered with one. */
  follow(func: Func, use: (registered: Func) => void): void {
    if (!isDispatcher(func)) return;
    this.#engine.solver.watch(this.#of(func), (value) => {
      if (value.kind === 'function') use(value);
    });
  }

  /** The member that registers functions. */
  registrar(func: Func, name: string): Registrar | undefined {
    if (func.unit.rules.dispatch?.register !== name || !isDispatcher(func)) return undefined;
    let found = this.#registrars.get(func);
    if (!found) this.#registrars.set(func, (found = { kind: 'registrar', function: func }));
    return found;
  }

  /** `register(function)` and `register(type, function)` give the function; `register(type)` what takes it. */
  register(call: CallResult, registrar: Registrar): void {
    const { solver, values } = this.#engine;
    const { arguments: args, result, unit } = call.site;
    const [module = '', name = ''] = unit.rules.dispatch?.dispatcher.split('.') ?? [];
    call.addExternal(values.external(module, `${name}.${unit.rules.dispatch?.register ?? ''}`));
    for (const { node } of args) {
      if (!node) continue;
      solver.watch(node, (value) => {
        if (value.kind === 'function') {
          solver.add(this.#of(registrar.function), value);
          solver.add(result, value);
        } else if (args.length === 1) solver.add(result, registrar);
      });
    }
  }

  #of(func: Func): Node {
    let node = this.#registered.get(func);
    if (!node) this.#registered.set(func, (node = new Node()));
    return node;
  }
}

function isDispatcher({ unit, code: { decorators = [] } }: Func): boolean {
  const name = unit.rules.dispatch?.dispatcher;
  if (name === undefined || decorators.length === 0) return false;
  const last = name.slice(name.lastIndexOf('.') + 1);
  return decorators.some((each: code.Expression) => nameOf(each)?.startsWith(last));
}
