import type { Lower } from '../lowering.js';
import { named } from '../syntax-node.js';
import { block } from './blocks.js';
import { itemNames, Locals, type Context } from './context.js';
import { expression } from './expressions.js';
import { item, moduleItems } from './items.js';

/** Rust as code. A file is a module; its inline modules are namespaces. */
export const lowerRust: Lower = (root, lowering) => {
  const context: Context = {
    lowering,
    locals: new Locals(itemNames(root, lowering)),
    modules: [],
    declared: new Set(),
    typeParameters: new Set(),
    expression,
    block,
    item,
  };
  return { body: moduleItems(named(root), context) };
};
