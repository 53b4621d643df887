import type { Expression } from '../../../code.js';
import { child, named, ofType, type SyntaxNode } from '../syntax-node.js';
import { pathValue } from '../values.js';
import type { Unit } from './context.js';

/** The last part of a qualified name: where the symbol of a definition starts and what a call is placed at. */
export function lastName(node: SyntaxNode): SyntaxNode {
  const inner = NAMING.has(node.type) ? child(node, 'name') : undefined;
  return inner ? lastName(inner) : node;
}

const NAMING = new Set([
  'qualified_identifier',
  'template_function',
  'template_method',
  'template_type',
  'dependent_type',
]);

/** Parts of a name from the outside in, without template arguments. `::a` starts with an empty part. */
export function pathOf(unit: Unit, node: SyntaxNode): string[] {
  switch (node.type) {
    case 'qualified_identifier': {
      const [scope, name] = [child(node, 'scope'), child(node, 'name')];
      return [...(scope ? pathOf(unit, scope) : ['']), ...(name ? pathOf(unit, name) : [])];
    }
    case 'nested_namespace_specifier':
      return named(node).flatMap((each) => pathOf(unit, each));
    case 'template_function':
    case 'template_method':
    case 'template_type': {
      const name = child(node, 'name');
      return name ? pathOf(unit, name) : [];
    }
    case 'dependent_name':
    case 'dependent_type':
      return named(node)
        .slice(0, 1)
        .flatMap((each) => pathOf(unit, each));
    default:
      return [nameText(unit, node)];
  }
}

/** `operator +` is `operator+`, `operator bool` keeps its space. */
function nameText(unit: Unit, node: SyntaxNode): string {
  if (node.type === 'operator_cast') {
    const type = child(node, 'type');
    return `operator ${type ? unit.lowering.textOf(type) : ''}`;
  }
  const text = unit.lowering.textOf(node).replaceAll(/\s+/g, ' ').trim();
  return node.type === 'operator_name' ? text.replace(/^operator ?(?=\W)/, 'operator') : text;
}

export function nameOf(unit: Unit, node: SyntaxNode): Expression {
  return pathValue(pathOf(unit, node), unit.lowering.at(lastName(node)));
}

/** Type arguments of a name: `make<Foo>`. */
export function argumentsOfName(node: SyntaxNode): readonly SyntaxNode[] {
  if (node.type === 'qualified_identifier')
    return argumentsOfName(child(node, 'name') ?? { ...node, type: '' });
  const list = ofType(node, 'template_argument_list');
  return list ? named(list) : [];
}
