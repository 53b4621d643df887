import type { Statement } from '../../../code.js';
import { child, named, type SyntaxNode } from '../syntax-node.js';
import { likelihoodOf } from './cfg.js';
import type { Context } from './context.js';

const VALUES = new Set(['function_item', 'const_item', 'static_item']);
const TYPES = new Set(['struct_item', 'union_item', 'enum_item', 'trait_item', 'type_item', 'mod_item']);

/** An item that some builds have. */
interface Variant {
  readonly key: string;
  readonly node: SyntaxNode;
  readonly likelihood: number;
}

/** The attributes before each of some nodes. */
export function attributesBefore(
  nodes: readonly SyntaxNode[],
  { lowering }: Context,
): ReadonlyMap<SyntaxNode, readonly string[]> {
  const found = new Map<SyntaxNode, readonly string[]>();
  let before: string[] = [];
  for (const node of nodes) {
    if (node.type === 'attribute_item') before.push(lowering.textOf(node));
    else {
      if (before.length > 0) found.set(node, before);
      before = [];
    }
  }
  return found;
}

/** The items that an ordinary build lacks, because it has another one of their name: `#[cfg(windows)] fn open() {}`. */
export function unlikelyVariants(nodes: readonly SyntaxNode[], context: Context): ReadonlySet<SyntaxNode> {
  const variants = variantsOf(nodes, context, '', 1);
  const best = new Map<string, number>();
  for (const { key, likelihood } of variants) best.set(key, Math.max(best.get(key) ?? 0, likelihood));
  return new Set(
    variants.filter(({ key, likelihood }) => likelihood < (best.get(key) ?? 0)).map(({ node }) => node),
  );
}

/** `prefix`: what the items belong to; `around`: how likely that is part of a build. */
function variantsOf(
  nodes: readonly SyntaxNode[],
  context: Context,
  prefix: string,
  around: number,
): Variant[] {
  const attributes = attributesBefore(nodes, context);
  const { lowering } = context;
  return nodes.flatMap((node): Variant[] => {
    const likelihood = Math.min(around, likelihoodOf(attributes.get(node) ?? []));
    const body = child(node, 'body');
    if (node.type === 'impl_item' && body) {
      const of = [child(node, 'type'), child(node, 'trait')].map((each) => each && lowering.textOf(each));
      return variantsOf(named(body), context, `${of.join(' ')} `, likelihood);
    }
    const kind = VALUES.has(node.type) ? 'value' : TYPES.has(node.type) ? 'type' : undefined;
    const name = child(node, 'name');
    if (kind === undefined || !name) return [];
    return [{ key: `${prefix}${kind} ${lowering.textOf(name)}`, node, likelihood }];
  });
}

/** The same code, without a name that others could find it by. */
export function withoutName(statement: Statement): Statement[] {
  const { kind } = statement;
  if (kind === 'function') {
    const { name: _, ...code } = statement.function;
    return [{ kind, function: code }];
  }
  if (kind === 'class') {
    const { name: _, ...code } = statement.class;
    return [{ kind, class: code }];
  }
  if (kind === 'declare') return statement.value ? [{ kind: 'evaluate', value: statement.value }] : [];
  return kind === 'import' || kind === 'alias' ? [] : [statement];
}
