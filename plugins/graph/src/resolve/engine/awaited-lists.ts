import type { CallSite } from '../instructions.js';
import { Node } from '../node.js';
import type { Engine } from './engine.js';
import type { Remainder } from './keyed-calls.js';
import { addAwaited } from './utility-types.js';

/**
 * The builtin function of this name makes a promise of a list: `Promise.all([a(), b()])`. Elements of a literal keep
 * their places; its declaration tells what becomes of other collections.
 */
export function awaitAll(engine: Engine, site: CallSite, name: string): Remainder | undefined {
  const { rules } = site.unit;
  const [only] = site.arguments;
  if (rules.awaitsAll !== name || !only?.node || only.spread) return undefined;
  const { solver, containers } = engine;
  const list = new Node();
  const made = containers.make('list', rules, [], true, { grows: true });
  const promise = containers.wrap('promise', rules, [list], true);
  const elements = made?.site;
  if (!elements || !promise) return undefined;
  const others = new Node();
  solver.watch(only.node, (value) => {
    if (value.kind !== 'instance' || !value.site?.isSequence) {
      solver.add(others, value);
      return;
    }
    solver.add(list, made);
    solver.add(site.result, promise);
    value.site.follow((key, node) => {
      solver.watch(node, (each) => addAwaited(engine, each, elements.slot(key)));
    });
  });
  return { arguments: [{ ...only, node: others }], gives: true };
}
