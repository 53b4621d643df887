import type { code } from '@service-mcp/plugin-syntax/contract';
import type { Class, Func } from '../declarations.js';
import { partOf, type Scope } from '../program.js';
import type { External, Value } from '../values.js';
import type { CallResult } from './call-result.js';
import type { Engine } from './engine.js';
import type { Hit } from './hit.js';

type Method = Extract<Hit, { kind: 'method' }>;

/**
 * `Trait::area(shape)` calls the method of the first argument's type. The method of the trait stands for it while the type is not
 * known. False for other calls.
 */
export class TraitCalls {
  readonly #engine: Engine;
  readonly #undecided: Array<() => void> = [];

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  link(call: CallResult, hit: Method): boolean {
    const [first] = call.site.arguments;
    const { receiver, owner, functions } = hit;
    const { builtins, values } = this.#engine;
    const ofLibrary =
      receiver.kind === 'external' || (receiver.kind === 'class' && builtins.isBuiltin(receiver));
    if (ofLibrary && builtins.isBuiltin(owner)) {
      const name = `${receiver.name ?? ''}.${functions[0]?.name ?? ''}`;
      this.linkExternal(call, values.external('', name));
      return false;
    }
    if (!owner.unit.rules.finalClasses || receiver.kind !== 'class' || receiver.code.form !== 'trait')
      return false;
    const [method] = functions;
    if (!first?.node || !method?.receiver || method.name === undefined) return false;
    const { solver, linking } = this.#engine;
    const { node } = first;
    const { name } = method;
    solver.watch(node, (value) => this.#callOn(call, value, name, receiver));
    this.#undecided.push(() => {
      if (!node.values) linking.link(call, functions, undefined, { reason: 'type', open: false });
    });
    return true;
  }

  /** `Display::fmt(point, f)` of a trait outside the project calls what the type of the first argument implements it by. */
  linkExternal(call: CallResult, { name: path }: External): void {
    const [first] = call.site.arguments;
    const [trait, name] = path.split('.').slice(-2);
    if (!call.site.unit.rules.finalClasses || !first?.node || !trait || name === undefined) return;
    const { solver, classes, builtins } = this.#engine;
    solver.watch(first.node, (value) => {
      if ((value.kind !== 'instance' && value.kind !== 'self') || builtins.isBuiltin(value.class)) return;
      const found = classes.member(value.class, name, 'instance')?.variable.declarations ?? [];
      for (const func of found)
        if (
          func.kind === 'function' &&
          func.receiver &&
          implementing(func, (type) => type.path.at(-1) === trait)
        )
          this.#linkOne(call, func, value, false);
    });
  }

  /** Links calls with an unknown object. */
  settle(): void {
    for (const task of this.#undecided.splice(0)) task();
  }

  #callOn(call: CallResult, value: Value, name: string, trait: Class): void {
    const { members, traits, typeNames } = this.#engine;
    const { site } = call;
    const given = traits.find(value, name, site.unit.rules);
    for (const func of given) this.#linkOne(call, func, value, false);
    if (given.length > 0) return;
    for (const hit of members.find(value, { name, isSuper: false, scope: site.scope })) {
      if (hit.kind === 'method') {
        // Other traits may give the type methods of the same name.
        const own = hit.functions.filter((func) =>
          implementing(func, (type, scope) => typeNames.classNamed(type, scope) === trait),
        );
        for (const each of own.length > 0 ? own : hit.functions)
          this.#linkOne(call, each, hit.receiver, true);
      } else if (hit.kind === 'value' && hit.value.kind === 'external') call.addExternal(hit.value);
    }
  }

  #linkOne(call: CallResult, func: Func, receiver: Value, mayBeOpen: boolean): void {
    const { linking, builtins } = this.#engine;
    if (!call.links(func, receiver) || builtins.isFunction(func)) return;
    const form = receiver.kind === 'instance' ? receiver.class.code.form : 'trait';
    call.target(func, { reason: 'type', open: mayBeOpen && form === 'trait' });
    linking.pass(call, func, receiver, call.site.arguments.slice(1));
  }
}

/** True for a member of an implementation of a trait. */
function implementing(func: Func, isTrait: (type: code.NamedType, scope: Scope) => boolean): boolean {
  const supertypes = partOf(func.scope)?.class?.supertypes ?? [];
  return supertypes.some(({ type, scope }) => type.kind === 'named' && isTrait(type, scope));
}
