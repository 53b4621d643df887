import type { Entry, Expression } from '../../../code.js';
import { child, named, type SyntaxNode } from '../syntax-node.js';
import { UNKNOWN } from '../values.js';
import { propertyName, stringLiteral, type Context } from './context.js';

/** The target of an assignment or declaration: a name, a member, or a list or object of targets. */
export function pattern(node: SyntaxNode, context: Context): Expression {
  switch (node.type) {
    case 'array_pattern':
      return { kind: 'list', items: elements(node).map((each) => (each ? pattern(each, context) : UNKNOWN)) };
    case 'object_pattern':
      return { kind: 'object', entries: named(node).map((each) => entry(each, context)) };
    case 'assignment_pattern':
    case 'object_assignment_pattern': {
      const target = child(node, 'left');
      const value = child(node, 'right');
      if (!target || !value) return UNKNOWN;
      return { kind: 'assign', target: pattern(target, context), value: context.expression(value) };
    }
    case 'rest_pattern': {
      const target = named(node)[0];
      return { kind: 'spread', value: target ? pattern(target, context) : UNKNOWN, of: 'list' };
    }
    case 'shorthand_property_identifier_pattern':
      return { kind: 'name', name: context.lowering.textOf(node), ...context.lowering.at(node) };
    default:
      return context.expression(node);
  }
}

/** Items between commas, with the holes. */
export function elements(node: SyntaxNode): (SyntaxNode | undefined)[] {
  const items: (SyntaxNode | undefined)[] = [];
  let item: SyntaxNode | undefined;
  for (const each of node.children) {
    if (each.named && each.type !== 'comment') item = each;
    else if (each.type === ',') {
      items.push(item);
      item = undefined;
    }
  }
  return item ? [...items, item] : items;
}

function entry(node: SyntaxNode, context: Context): Entry {
  if (node.type === 'rest_pattern') {
    const target = named(node)[0];
    return { value: { kind: 'spread', value: target ? pattern(target, context) : UNKNOWN, of: 'dict' } };
  }
  const key = child(node, 'key');
  const value = child(node, 'value');
  if (key && value) return { key: stringLiteral(propertyName(key, context)), value: pattern(value, context) };
  const shorthand = child(node, 'left') ?? node;
  return { key: stringLiteral(context.lowering.textOf(shorthand)), value: pattern(node, context) };
}
