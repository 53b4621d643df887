import { child, named, NO_NODE, type SyntaxNode } from '../syntax-node.js';
import { MIXES } from './attributes.js';
import type { Supertype } from './classes.js';
import type { Ruby } from './context.js';
import { typeOf } from './flow.js';
import { symbolText } from './functions.js';
import { bodyNodes } from './locals.js';

/** Methods of a module that are given what mixes it in. */
const HOOKS = /^(?:included|prepended)$/;
const SENDS = /^(?:send|public_send|__send__)$/;
/** Rails lends the module of this name to what includes a concern. */
const LENT = 'ClassMethods';

/** Modules that what mixes a module in gets as well: `def self.included(base) base.extend(A) end`, concerns of Rails. */
export function passedOn(ruby: Ruby, body: readonly SyntaxNode[]): Supertype[] {
  const methods = body.flatMap((each) =>
    each.type === 'singleton_class' ? bodyNodes(child(each, 'body')) : [each],
  );
  // The last module that is included answers first.
  return [...methods.flatMap((each) => fromHook(ruby, each)).reverse(), ...ofConcern(ruby, body)];
}

function fromHook(ruby: Ruby, node: SyntaxNode): Supertype[] {
  const [name, list] = [child(node, 'name'), child(node, 'parameters')];
  if (!/^(?:singleton_)?method$/.test(node.type) || !name || !HOOKS.test(ruby.lowering.textOf(name)))
    return [];
  const [parameter] = named(list ?? NO_NODE);
  const base = parameter && ruby.lowering.textOf(parameter);
  return bodyNodes(child(node, 'body')).flatMap((each) => {
    const [receiver, method] = [child(each, 'receiver'), child(each, 'method')];
    if (each.type !== 'call' || !receiver || !method || ruby.lowering.textOf(receiver) !== base) return [];
    const args = named(child(each, 'arguments') ?? NO_NODE);
    const isSent = SENDS.test(ruby.lowering.textOf(method));
    const mixes = isSent ? symbolText(ruby, args[0]) : ruby.lowering.textOf(method);
    if (!MIXES.has(mixes)) return [];
    return (isSent ? args.slice(1) : args).flatMap((constant): Supertype[] => {
      const type = typeOf(ruby, [constant]);
      if (!type) return [];
      // What the module includes later comes before the module itself.
      const how = mixes === 'extend' ? ({ static: true } as const) : ({ first: true } as const);
      return [{ relation: 'mixes', type, ...how, passed: true }];
    });
  });
}

function ofConcern(ruby: Ruby, body: readonly SyntaxNode[]): Supertype[] {
  const isConcern = body.some(
    (each) => each.type === 'call' && /^extend\b.*\bConcern\b/.test(ruby.lowering.textOf(each)),
  );
  const lent = body.find((each) => {
    const name = each.type === 'module' ? child(each, 'name') : undefined;
    return name !== undefined && ruby.lowering.textOf(name) === LENT;
  });
  if (!isConcern || !lent) return [];
  const type = { kind: 'named', ...ruby.lowering.at(child(lent, 'name') ?? lent), path: [LENT] } as const;
  return [{ relation: 'mixes', type, static: true, passed: true }];
}
