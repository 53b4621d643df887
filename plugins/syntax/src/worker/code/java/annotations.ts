import type { Expression } from '../../../code.js';
import { child, named, ofType, type SyntaxNode } from '../syntax-node.js';
import type { JavaFile } from './context.js';

/** The annotations before a declaration. */
export function annotationNodes(node: SyntaxNode): SyntaxNode[] {
  return (ofType(node, 'modifiers')?.children ?? []).filter((each) => each.type.endsWith('annotation'));
}

/** The annotations of a declaration and of its parameters: their types and the values that they are given. */
export function annotationsOf(node: SyntaxNode, file: JavaFile): Expression[] {
  const list = child(node, 'parameters');
  const annotations = [node, ...(list ? named(list) : [])].flatMap(annotationNodes);
  const values = annotations.flatMap((each) => {
    const given = child(each, 'arguments');
    return given ? named(given) : [];
  });
  return file.expressions([
    ...annotations.flatMap((each) => child(each, 'name') ?? []),
    ...values.map((each) => (each.type === 'element_value_pair' ? (child(each, 'value') ?? each) : each)),
  ]);
}

/** The annotations of the fields and constants of a type. */
export function annotationsOfFields(body: SyntaxNode, file: JavaFile): Expression[] {
  return named(body)
    .flatMap((each) => (each.type === 'enum_body_declarations' ? named(each) : [each]))
    .filter((each) => each.type === 'field_declaration' || each.type === 'enum_constant')
    .flatMap((each) => annotationsOf(each, file));
}
