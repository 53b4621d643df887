import type { Expression } from '../../../code.js';
import type { Lowering } from '../lowering.js';
import { child, named, ofType, type SyntaxNode } from '../syntax-node.js';
import { attributesOf } from './attributes.js';
import type { CSharpFile } from './context.js';

export function hasModifier(node: SyntaxNode, modifier: string, lowering: Lowering): boolean {
  return node.children.some((each) => each.type === 'modifier' && lowering.textOf(each) === modifier);
}

const TESTS = /^(?:.*\.)?(?:Fact|Theory|Test|TestCase|TestMethod|DataTestMethod)$/;
const VISIBLE = ['public', 'protected', 'internal'];

/** Marks a declaration as exported or as a test. Returns its attributes. */
export function describe(
  node: SyntaxNode,
  symbol: number | undefined,
  file: CSharpFile,
): { readonly decorators?: Expression[] } {
  const { lowering } = file;
  const attributes = node.children
    .filter((each) => each.type === 'attribute_list')
    .flatMap(named)
    .flatMap((each) => child(each, 'name') ?? []);
  const parent = symbol === undefined ? null : (lowering.symbols[symbol]?.parent ?? null);
  const container = parent === null ? undefined : lowering.symbols[parent];
  const modified = VISIBLE.some((modifier) => hasModifier(node, modifier, lowering));
  // Members of classes are private by default; those of interfaces and namespaces are not.
  const visible =
    container?.kind === 'class'
      ? modified
      : !hasModifier(node, 'private', lowering) && !['method', 'function'].includes(container?.kind ?? '');
  const reachable =
    parent === null || container?.kind === 'module' || lowering.definitions[parent]?.exported === true;
  lowering.define(symbol, {
    exported: visible && reachable,
    test: attributes.some((name) => TESTS.test(lowering.textOf(name))),
  });
  const decorators = attributesOf(node, file);
  return decorators.length > 0 ? { decorators } : {};
}

/** The list of types after the colon of a declaration. */
export function baseList(node: SyntaxNode): SyntaxNode[] {
  const list = ofType(node, 'base_list');
  return list ? named(list).filter((each) => each.type !== 'argument_list') : [];
}
