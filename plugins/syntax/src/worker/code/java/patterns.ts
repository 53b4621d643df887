import type { Expression } from '../../../code.js';
import { named, type SyntaxNode } from '../syntax-node.js';
import type { JavaFile } from './context.js';
import { optionalType, typeOf } from './types.js';

/** Declares the variables of `A a` and `A(B b, var c)`, matched against a value. */
export function declarePattern(node: SyntaxNode, value: Expression, file: JavaFile): void {
  if (node.type === 'pattern') {
    for (const inner of named(node)) declarePattern(inner, value, file);
  } else if (node.type === 'record_pattern') {
    declareRecord(node, value, file);
  } else {
    declareVariable(node, value, file);
  }
}

/** `A a`, `var a`. */
function declareVariable(node: SyntaxNode, value: Expression, file: JavaFile): void {
  const { lowering } = file;
  const parts = named(node).filter((each) => each.type !== 'modifiers');
  const [typeNode, name] = parts;
  if (!typeNode || !name) return;
  const { type } = optionalType(typeNode, lowering);
  file.patternVariables.push({
    kind: 'declare',
    name: lowering.textOf(name),
    ...(type ? { type } : { value }),
    ...lowering.at(name),
  });
}

/** The components of a record by their positions: keys of an index. */
function declareRecord(node: SyntaxNode, value: Expression, file: JavaFile): void {
  const [name, ...rest] = named(node);
  if (!name) return;
  const record: Expression = { kind: 'cast', value, type: typeOf(name, file.lowering) };
  const components = rest.flatMap((each) => (each.type === 'record_pattern_body' ? named(each) : []));
  components.forEach((component, position) => {
    const key: Expression = { kind: 'literal', type: 'number', text: String(position) };
    declarePattern(component, { kind: 'index', object: record, key }, file);
  });
}
