import { positional } from '../compile/keys.js';
import type { Class, Func, Supertype } from '../declarations.js';
import type { LanguageRules } from '../language-rules.js';
import type { Origin } from '../instructions.js';
import { Node } from '../node.js';
import type { Unit } from '../program.js';
import type { Engine } from './engine.js';
import { addOperation } from './protocol.js';

type Hooks = NonNullable<LanguageRules['hooks']>;

/** Makes the calls by which a class or module learns what extends it or mixes it in: `inherited`, `included` of Ruby. */
export function callHooks(engine: Engine, units: readonly Unit[]): void {
  const { solver, linking, classes } = engine;
  for (const { rules, classes: declared } of units) {
    const { hooks } = rules;
    if (!hooks) continue;
    for (const container of declared) {
      const own = container.supertypes.filter((each) => !each.writtenIn && !each.passed);
      for (const supertype of own) {
        const target = engine.typeNames.classNamed(supertype.type, supertype.scope);
        const hook = target && hookOf(engine, target, nameIn(hooks, supertype));
        if (!hook) continue;
        const given = new Node();
        solver.add(given, classes.canonical(container));
        const call = addOperation(engine, originOf(container, supertype), new Node(), [positional(given)]);
        linking.link(call, [hook], target, { reason: 'type', open: false });
      }
    }
  }
}

function nameIn(hooks: Hooks, { relation, static: isStatic, first }: Supertype): string {
  if (relation === 'extends') return hooks.subclass;
  if (isStatic) return hooks.lent;
  return first ? hooks.first : hooks.mixed;
}

function hookOf({ classes }: Engine, target: Class, name: string): Func | undefined {
  const found = classes.member(target, name, 'static');
  // A module does not inherit what the modules that it mixes in have themselves.
  const isInherited = found?.owner !== target && found?.owner.scope.names.get(name) === found?.variable;
  if (!found || (isInherited && target.code.form === 'trait')) return undefined;
  const func = found.variable.declarations?.findLast((each) => each.kind === 'function');
  return func?.kind === 'function' ? func : undefined;
}

/** A superclass is named around the class, a module inside. */
function originOf({ unit, scope, around, symbol, code }: Class, { relation, type }: Supertype): Origin {
  const isAround = relation === 'extends' || symbol === undefined;
  return {
    unit,
    scope: isAround ? (scope.parent ?? scope) : scope,
    source: isAround ? around : symbol + 1,
    line: type.kind === 'named' ? type.line : code.line,
  };
}
