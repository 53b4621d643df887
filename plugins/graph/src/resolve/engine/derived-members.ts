import type { CallArgument } from '../instructions.js';
import type { Class, Func } from '../declarations.js';
import { Node } from '../node.js';
import type { Instance, Value } from '../values.js';
import type { CallResult } from './call-result.js';
import type { Engine } from './engine.js';
import { Environment } from './environment.js';
import { callProtocol } from './protocol.js';

/** Members that objects of the project have from a builtin type, and that run one of their own: `map` runs `each`. */
export class DerivedMembers {
  readonly #engine: Engine;
  readonly #elements = new Map<Class, Environment>();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** What stands for the type parameter of such a builtin type: what the own member gives its block. */
  elements(value: Instance, owner: Class): Node | undefined {
    const [generic] = owner.generics;
    return generic && this.#environment(value, owner)?.parameters.get(generic);
  }

  /** Calls the own member for a call of one that a builtin type has. */
  run({ site }: CallResult, { owner }: Func, receiver: Value | undefined): void {
    const name = owner && ruleOf(owner);
    if (!name || receiver?.kind !== 'instance' || this.#engine.builtins.isBuiltin(receiver.class)) return;
    callProtocol(
      this.#engine,
      receiver,
      name,
      site,
      new Node(),
      this.#arguments(receiver, owner, site.arguments),
    );
  }

  #arguments(value: Instance, owner: Class, given: readonly CallArgument[]): readonly CallArgument[] {
    const [generic] = owner.generics;
    const environment = this.#environment(value, owner);
    if (!generic || !environment) return given.slice(0, 1);
    const node = new Node();
    const type = { kind: 'named', start: 0, line: 0, path: [generic.name] } as const;
    const written = { types: [type], scope: owner.scope };
    this.#engine.solver.add(node, {
      kind: 'signature',
      parameters: [],
      returns: undefined,
      written,
      environment,
    });
    return [{ name: '&', node, spread: undefined }];
  }

  #environment(value: Instance, owner: Class): Environment | undefined {
    const [generic] = owner.generics;
    if (!generic || !ruleOf(owner) || !this.#engine.builtins.isBuiltin(owner)) return undefined;
    if (this.#engine.builtins.isBuiltin(value.class)) return undefined;
    let found = this.#elements.get(value.class);
    if (!found) this.#elements.set(value.class, (found = new Environment(new Map([[generic, new Node()]]))));
    return found;
  }
}

function ruleOf({ name = '', unit }: Class): string | undefined {
  const { derivedMembers = {} } = unit.rules;
  return Object.hasOwn(derivedMembers, name) ? derivedMembers[name] : undefined;
}
