import { positional } from '../compile/keys.js';
import { Node } from '../node.js';
import type { Class, Func } from '../declarations.js';
import type { CallSite } from '../instructions.js';
import type { ConversionCall } from '../conversion-call.js';
import { functionAround } from '../program.js';
import type { Conversion, External, Instance, Value } from '../values.js';
import type { CallResult } from './call-result.js';
import type { Engine } from './engine.js';
import { addOperation } from './protocol.js';

/** Calls that the type decides which the code around them expects: `a.into()` is `B::from(a)` where a `B` is expected. */
export class Conversions {
  readonly #engine: Engine;
  readonly #made = new Map<CallResult, Conversion>();
  /** The classes that a call was resolved to. */
  readonly #resolved = new Map<CallResult, Set<Class>>();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Starts one for a method that an object lacks. False for other methods. */
  start(call: CallResult, value: Value, name: string): boolean {
    const { rules } = call.site.unit;
    const { classes, values, traits } = this.#engine;
    const found = Object.hasOwn(rules.conversionCalls ?? {}, name)
      ? rules.conversionCalls?.[name]
      : undefined;
    if (!found) return false;
    if (found.isOwn) return this.#startOwn(call, value, found);
    const isOfTrait = value.kind === 'class' && `${value.name ?? ''}.${name}` === found.external;
    if (found.isStatic ? !isOfTrait : value.kind === 'class') return false;
    if (value.kind === 'instance' && classes.member(value.class, name, 'instance')) return false;
    if (value.kind === 'parameter' && traits.isBound(value, name)) return false;
    if (!this.#made.has(call)) this.#begin(call, found);
    call.addExternal(values.external('', found.external));
    const made = this.#made.get(call);
    if (made?.argument) this.#engine.solver.add(made.argument, value);
    return true;
  }

  /** True where a type of the project is written: `collect::<Store>()`. */
  #startOwn(call: CallResult, value: Value, found: ConversionCall): boolean {
    const { classes, builtins, typeNames, values } = this.#engine;
    if (value.kind !== 'instance') return false;
    const own = classes.member(value.class, found.external.split('.').at(-1) ?? '', 'instance');
    if (!own || !builtins.isBuiltin(own.owner)) return false;
    if (!this.#made.has(call)) this.#begin(call, found);
    const [written] = call.site.types;
    if (!written || !typeNames.classNamed(written, call.site.scope)) return false;
    call.addExternal(values.external('', found.external));
    return true;
  }

  #begin(call: CallResult, { member, wrapper, isStatic, isOwn }: ConversionCall): void {
    const { solver, builtins, values, types } = this.#engine;
    const { site } = call;
    const argument = isStatic || isOwn ? undefined : new Node();
    const inner = wrapper === undefined ? site.result : new Node();
    const made: Conversion = {
      kind: 'conversion',
      call,
      member,
      argument,
      result: inner,
      isOwn: isOwn === true,
    };
    this.#made.set(call, made);
    const container = wrapper === undefined ? undefined : builtins.find(site.unit.rules, wrapper);
    if (container) solver.add(site.result, values.instance(container, [inner], false));
    solver.add(inner, made);
    const [written] = site.types;
    if (!written) return;
    solver.watch(types.node(written, site.scope), (value) => {
      if (value.kind === 'instance') this.resolve(made, value.class);
    });
  }

  /** Notes that the code around a call expects an object of a class. */
  resolve({ call, member, argument, result, isOwn }: Conversion, container: Class): void {
    const { classes, solver, values, traits, builtins } = this.#engine;
    if (isOwn && builtins.isBuiltin(container)) return;
    const known = this.#resolved.get(call) ?? new Set();
    this.#resolved.set(call, known);
    if (known.has(container)) return;
    known.add(container);
    const { rules } = call.site.unit;
    const declared = builtins.isBuiltin(container)
      ? traits.of(container.name ?? '', member, rules)
      : (classes.member(container, member, 'static')?.variable.declarations ?? []);
    const functions = declared.filter((each) => each.kind === 'function');
    solver.add(result, values.instance(container, [], false));
    if (!argument) this.#link(call.site, functions, undefined);
    else {
      solver.watch(argument, (value) => {
        if (value.kind === 'instance' && value.class === container) return;
        this.#link(call.site, this.#accepting(functions, value), value);
      });
    }
  }

  /** `a?` converts the error of a result to that of the function around it. */
  convertError(value: Value, site: Pick<CallSite, 'unit' | 'scope' | 'source' | 'line'>): void {
    const { classes, solver, types, builtins } = this.#engine;
    const member = site.unit.rules.errorConversion;
    const given =
      value.kind === 'instance' && builtins.isBuiltin(value.class) ? value.arguments[1] : undefined;
    if (member === undefined || !given) return;
    const func = functionAround(site.scope);
    if (!func?.code.returns) return;
    solver.watch(types.node(func.code.returns, func.scope), (result) => {
      const wanted =
        result.kind === 'instance' && builtins.isBuiltin(result.class) ? result.arguments[1] : undefined;
      if (!wanted) return;
      solver.watch(wanted, (target) => {
        if (target.kind !== 'instance' || builtins.isBuiltin(target.class)) return;
        const declared = classes.member(target.class, member, 'static')?.variable.declarations ?? [];
        const functions = declared.filter((each) => each.kind === 'function');
        solver.watch(given, (error) => {
          if (error.kind !== 'instance' && error.kind !== 'external') return;
          if (error.kind === 'instance' && error.class === target.class) return;
          this.#link(site, this.#accepting(functions, error), error);
        });
      });
    });
  }

  /** Those whose parameter has the type of a value. */
  #accepting(functions: readonly Func[], value: Value): readonly Func[] {
    if (value.kind !== 'instance' && value.kind !== 'external') return [];
    return functions.filter(({ parameters: [first], scope }) => {
      const wanted = first?.type && this.#engine.types.node(first.type, scope).values;
      return wanted?.some((each) => isSame(each, value)) === true;
    });
  }

  #link(
    site: Pick<CallSite, 'unit' | 'scope' | 'source' | 'line'>,
    functions: readonly Func[],
    value: Value | undefined,
  ): void {
    if (functions.length === 0) return;
    const argument = new Node();
    if (value) this.#engine.solver.add(argument, value);
    const call = addOperation(this.#engine, site, new Node(), value ? [positional(argument)] : []);
    this.#engine.linking.link(call, functions, undefined, { reason: 'type', open: false });
  }
}

function isSame(type: Value, value: Instance | External): boolean {
  if (type.kind === 'instance') return value.kind === 'instance' && value.class === type.class;
  return type === value;
}
