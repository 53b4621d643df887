import { prefixOfKey } from '../compile/keys.js';
import type { CallSite } from '../instructions.js';
import type { Value } from '../values.js';
import type { Engine } from './engine.js';
import { flowHit } from './flow-hit.js';

/** Members that are read and written by names in variables: `getattr(object, name)`, `setattr(object, name, value)`. */
export class NamedMembers {
  readonly #engine: Engine;
  readonly #writes: CallSite[] = [];

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Notes a call of a builtin function. Reads the members of all known names. */
  note(site: CallSite, called: string): void {
    const { read, write } = site.unit.rules.namedAccess ?? {};
    if (called === write) this.#writes.push(site);
    if (called !== read) return;
    const { solver, members, answers, references } = this.#engine;
    if (answers.noteDelegate(site)) return;
    const [object, key, fallback] = site.arguments;
    if (!object?.node || !key?.node || object.spread || key.spread) return;
    const objects = object.node;
    if (fallback?.node) solver.copy(fallback.node, site.result);
    solver.watch(key.node, (each) => {
      const name = textOf(each);
      const prefix = prefixOf(each);
      if (name === undefined && prefix === undefined) return;
      solver.watch(objects, (owner) => {
        for (const each of name === undefined ? this.#namesIn(owner, prefix ?? '') : [name]) {
          const access = { name: each, isSuper: false, scope: site.scope, reads: true } as const;
          for (const hit of members.find(owner, access)) {
            flowHit(this.#engine, hit, site.result, site);
            if (name === undefined) references.noteStart(site, hit);
          }
        }
      });
    });
  }

  /** The names of the members that start so. */
  #namesIn(owner: Value, prefix: string): Iterable<string> {
    const container = owner.kind === 'instance' || owner.kind === 'self' ? owner.class : owner;
    if (container.kind !== 'class') return [];
    const found = new Set<string>();
    for (const { class: each } of this.#engine.classes.ancestors(container))
      for (const member of [...each.instanceMembers.keys(), ...each.scope.names.keys()])
        if (member.startsWith(prefix)) found.add(member);
    return found;
  }

  /** Writes members whose name is certain: of several, each has a value of its own. */
  settle(): void {
    const { solver, members } = this.#engine;
    for (const site of this.#writes) {
      const [object, key, value] = site.arguments;
      const [only, another] = key?.node?.values ?? [];
      const name = only && !another ? textOf(only) : undefined;
      if (name === undefined || !object?.node || !value?.node) continue;
      const from = value.node;
      solver.watch(object.node, (owner) => members.store(owner, name, from, site));
    }
    this.#writes.length = 0;
  }
}

/** The text of a known string. */
function textOf(value: Value): string | undefined {
  const key = value.kind === 'instance' ? value.constant?.key : undefined;
  return key?.startsWith("'") ? key.slice(1) : undefined;
}

/** The prefix of a string whose rest is not known. */
function prefixOf(value: Value): string | undefined {
  const key = value.kind === 'instance' ? value.constant?.key : undefined;
  return key === undefined ? undefined : prefixOfKey(key);
}
