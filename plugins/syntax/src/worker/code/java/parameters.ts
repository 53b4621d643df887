import type { Parameter } from '../../../code.js';
import type { Lowering } from '../lowering.js';
import { child, named, ofType, type SyntaxNode } from '../syntax-node.js';
import { optionalType, withDimensions } from './types.js';

/** The parameters of a function or the components of a record, without a receiver (`Foo this`). */
export function parametersOf(node: SyntaxNode, lowering: Lowering): Parameter[] {
  return named(node).flatMap((each): Parameter[] => {
    const rest = each.type === 'spread_parameter';
    const declarator = rest ? ofType(each, 'variable_declarator') : each;
    const name = declarator && child(declarator, 'name');
    if (!name || (each.type !== 'formal_parameter' && !rest)) return [];
    const typeNode = rest
      ? named(each).find((part) => part.type !== 'modifiers' && part.type !== 'variable_declarator')
      : child(each, 'type');
    const { type } = optionalType(typeNode, lowering);
    return [
      {
        target: { kind: 'name', name: lowering.textOf(name), ...lowering.at(name) },
        ...(type && { type: withDimensions(type, child(declarator, 'dimensions')) }),
        ...(rest && { rest: 'list' as const }),
      },
    ];
  });
}
