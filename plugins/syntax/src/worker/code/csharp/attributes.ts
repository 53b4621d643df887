import type { Expression } from '../../../code.js';
import { child, named, ofType, type SyntaxNode } from '../syntax-node.js';
import { typeValue } from '../values.js';
import { parts, type CSharpFile } from './context.js';
import { typeOf } from './types.js';

/** The attributes of a declaration and of its parameters: their classes and the values that they are given. */
export function attributesOf(node: SyntaxNode, file: CSharpFile): Expression[] {
  const parameters = named(child(node, 'parameters') ?? { ...node, children: [] });
  return [node, ...parameters]
    .flatMap((each) => each.children.filter(({ type }) => type === 'attribute_list'))
    .flatMap(named)
    .filter(({ type }) => type === 'attribute')
    .flatMap((attribute) => {
      const name = child(attribute, 'name');
      const list = ofType(attribute, 'attribute_argument_list');
      const values = list ? named(list).flatMap(valueOf) : [];
      return [...(name ? [classOf(name, file)] : []), ...file.expressions(values)];
    });
}

/** Attributes of the members of a type that run nothing: fields, constants, properties without bodies. */
export function attributesOfFields(body: SyntaxNode, file: CSharpFile): Expression[] {
  return named(body)
    .filter((each) => FIELDS.test(each.type) && !runs(each))
    .flatMap((each) => attributesOf(each, file));
}

const FIELDS = /^(?:field|event_field|property|enum_member)_declaration$/;

function runs(property: SyntaxNode): boolean {
  const list = child(property, 'accessors');
  const isComputed = child(property, 'value')?.type === 'arrow_expression_clause';
  return isComputed || (list !== undefined && named(list).some((each) => child(each, 'body')));
}

/** `a`, `Name = a`, `name: a` */
function valueOf(argument: SyntaxNode): SyntaxNode[] {
  const value = parts(argument).at(-1);
  return [value?.type === 'assignment_expression' ? child(value, 'right') : value].filter(
    (each) => each !== undefined,
  );
}

/** `[Route]` is an object of `RouteAttribute`. */
function classOf(name: SyntaxNode, file: CSharpFile): Expression {
  const type = typeOf(name, file.lowering);
  if (type.kind !== 'named') return file.expression(name);
  const last = type.path.at(-1) ?? '';
  const suffix = last.endsWith('Attribute') ? '' : 'Attribute';
  return typeValue({ ...type, path: [...type.path.slice(0, -1), `${last}${suffix}`] });
}
