import type { Expression, Type } from '../../../code.js';
import { child, type SyntaxNode } from '../syntax-node.js';
import { typeValue } from '../values.js';
import { nameText, parts, type CSharpFile } from './context.js';
import { optionalType, typeOf } from './types.js';

/** Declares the variables of a pattern that is matched against a value. Returns the expressions in it. */
export function matchPattern(node: SyntaxNode, value: Expression, file: CSharpFile): Expression[] {
  const { lowering } = file;
  switch (node.type) {
    case 'declaration_pattern':
    case 'var_pattern':
    case 'declaration_expression':
      declareName(node, value, optionalType(child(node, 'type'), lowering).type, file);
      return [];
    case 'recursive_pattern':
      return matchParts(node, value, file);
    case 'type_pattern':
      return parts(node).map((each) => typeValue(typeOf(each, lowering)));
    case 'constant_pattern':
      return parts(node).flatMap((each) => matchConstant(each, value, file));
    case 'argument':
    case 'subpattern':
    case 'negated_pattern':
    case 'parenthesized_pattern':
    case 'and_pattern':
    case 'or_pattern':
      return parts(node).flatMap((each) => matchPattern(each, value, file));
    case 'relational_pattern':
      return file.expressions(parts(node));
    case 'list_pattern':
      return parts(node).flatMap((each) => matchPattern(each, { kind: 'index', object: value }, file));
    default:
      return [];
  }
}

/** A pattern of positions parses as a tuple or, with a type, as a call: constants have no calls. */
function matchConstant(node: SyntaxNode, value: Expression, file: CSharpFile): Expression[] {
  if (node.type === 'tuple_expression') return matchPositions(parts(node), value, file);
  const type = node.type === 'invocation_expression' ? child(node, 'function') : undefined;
  if (!type) return [file.expression(node)];
  const positions = child(node, 'arguments');
  const subject: Expression = { kind: 'cast', value, type: typeOf(type, file.lowering) };
  return [
    typeValue(typeOf(type, file.lowering)),
    ...matchPositions(positions ? parts(positions) : [], subject, file),
  ];
}

function declareName(node: SyntaxNode, value: Expression, type: Type | undefined, file: CSharpFile): void {
  const name = child(node, 'name');
  if (name?.type !== 'identifier') return;
  file.patternVariables.push({
    kind: 'declare',
    name: nameText(name, file.lowering),
    ...(type ? { type } : { value }),
    ...file.lowering.at(name),
  });
}

/** `A (p, q) { M: r } name`. */
function matchParts(node: SyntaxNode, value: Expression, file: CSharpFile): Expression[] {
  const { lowering } = file;
  const typeNode = child(node, 'type');
  const type = typeNode && typeOf(typeNode, lowering);
  const subject: Expression = type ? { kind: 'cast', value, type } : value;
  declareName(node, value, type, file);
  const found = parts(node).flatMap((clause) => {
    if (clause.type === 'positional_pattern_clause') return matchPositions(parts(clause), subject, file);
    if (clause.type !== 'property_pattern_clause') return [];
    return parts(clause).flatMap((subpattern) => {
      const [name, pattern] = parts(subpattern);
      if (!name || !pattern) return [];
      const at = lowering.at(name);
      const member: Expression = { kind: 'member', object: subject, name: nameText(name, lowering), ...at };
      return [member, ...matchPattern(pattern, member, file)];
    });
  });
  return [...(typeNode ? [typeValue(typeOf(typeNode, lowering))] : []), ...found];
}

function matchPositions(nodes: readonly SyntaxNode[], value: Expression, file: CSharpFile): Expression[] {
  return nodes.flatMap((each, position) => {
    const key: Expression = { kind: 'literal', type: 'number', text: String(position) };
    return matchPattern(each, { kind: 'index', object: value, key }, file);
  });
}
