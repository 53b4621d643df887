import { positional } from '../compile/keys.js';
import type { Func } from '../declarations.js';
import type { CallSite, Origin } from '../instructions.js';
import type { LanguageRules } from '../language-rules.js';
import { Node } from '../node.js';
import { functionAround } from '../program.js';
import type { ModuleValue } from '../values.js';
import type { CallResult } from './call-result.js';
import type { Engine } from './engine.js';
import { flowHit } from './flow-hit.js';
import type { Hit } from './hit.js';
import { addOperation } from './protocol.js';

/** Functions that answer for names which an object or a module lacks: `__getattr__`. */
export class AnsweredMembers {
  readonly #engine: Engine;
  /** Objects whose members of the name a function gives. */
  readonly #delegates = new Map<Func, Node>();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Calls the function. Gives its result, and the member of the name where it asks another object for that. */
  call({ found, name, value }: Extract<Hit, { kind: 'answer' }>, origin: Origin, to: Node): void {
    const { calls, solver, members } = this.#engine;
    const around = functionAround(origin.scope);
    const functions = found.flatMap((hit) => this.#functionsOf(hit));
    // Its own reads of such names are of fields that it is made with.
    if (around && functions.includes(around)) return;
    const text = plainText(this.#engine, origin.unit.rules);
    const result = new Node();
    const call = addOperation(this.#engine, origin, result, [positional(text)]);
    // What a builtin function gives is not called here.
    solver.watch(result, (each) => {
      if (each.kind !== 'external' || each.module !== '') solver.add(to, each);
    });
    for (const hit of found) calls.hit(call, hit, 'type', value);
    for (const each of functions)
      solver.watch(this.#delegate(each), (object) => {
        const hits = members.find(object, { name, isSuper: false, scope: origin.scope, reads: true });
        for (const hit of hits) if (isOfProject(hit)) flowHit(this.#engine, hit, to, origin);
      });
  }

  /** Calls the function in place of a method, with its name before its arguments. */
  run({ found, value }: Extract<Hit, { kind: 'answer' }>, call: CallResult): void {
    const { site } = call;
    const args = [positional(plainText(this.#engine, site.unit.rules)), ...site.arguments];
    for (const each of found.flatMap((hit) => this.#functionsOf(hit)))
      this.#engine.linking.through(call, each, value, args);
  }

  /** Notes `getattr(object, name)` with the parameter of such a function. False for other reads. */
  noteDelegate({ scope, unit, arguments: [object, key] }: CallSite): boolean {
    const around = functionAround(scope);
    const [parameter] = around?.parameters ?? [];
    if (!around || !parameter || around.name !== unit.rules.missingMember) return false;
    if (!key?.node || (key.node !== parameter.node && key.node !== parameter.state)) return false;
    if (object?.node) this.#engine.solver.copy(object.node, this.#delegate(around));
    return true;
  }

  /** What a module answers for a name which it lacks. */
  ofModule(value: ModuleValue, name: string): readonly Hit[] {
    const { bindings, members } = this.#engine;
    const fallback = value.units[0]?.rules.missingMember;
    if (fallback === undefined || name.startsWith('__')) return [];
    const found = members.ofTarget(bindings.exported(value.units, fallback));
    return found.length > 0 ? [{ kind: 'answer', found, name, value }] : [];
  }

  #functionsOf(hit: Hit): readonly Func[] {
    if (hit.kind === 'method') return hit.functions;
    if (hit.kind !== 'node') return [];
    return (hit.variable?.declarations ?? []).flatMap((each) => (each.kind === 'function' ? [each] : []));
  }

  #delegate(func: Func): Node {
    let node = this.#delegates.get(func);
    if (!node) this.#delegates.set(func, (node = new Node()));
    return node;
  }
}

/** What objects outside the project have, and what answers again, says nothing. */
function isOfProject(hit: Hit): boolean {
  if (hit.kind === 'value') return hit.value.kind !== 'external';
  return hit.kind !== 'answer';
}

/** A node that holds a string. */
export function plainText({ containers, solver }: Engine, rules: LanguageRules): Node {
  const node = new Node();
  const made = containers.wrap('string', rules, [], false);
  if (made) solver.add(node, made);
  return node;
}
