import type { Statement } from '../../../code.js';
import { child, named, ofType, type SyntaxNode } from '../syntax-node.js';
import type { Php } from './context.js';
import { docTags } from './doc.js';
import { docType, typeOf } from './types.js';

export function methodOf(php: Php, node: SyntaxNode, doc?: string): Statement[] {
  const code = php.function(node, doc);
  const attributes = child(node, 'attributes');
  const isTest =
    code.name?.startsWith('test') || (attributes && /\bTest\b/.test(php.lowering.textOf(attributes)));
  const hidden = modifierOf(php, node) === 'private';
  php.lowering.define(code.symbol, { exported: !hidden, test: isTest === true });
  return [{ kind: 'function', function: code }];
}

function modifierOf(php: Php, node: SyntaxNode): string {
  const modifier = ofType(node, 'visibility_modifier');
  return modifier ? php.lowering.textOf(modifier).toLowerCase() : 'public';
}

export function propertiesOf(php: Php, node: SyntaxNode, doc?: string): Statement[] {
  const at = php.lowering.at(node);
  const documented = docTags(doc).find(({ tag }) => tag === 'var');
  const type = typeOf(php, child(node, 'type')) ?? (documented && docType(php, documented.type, at));
  return named(node)
    .filter((each) => each.type === 'property_element')
    .map((each) => {
      const [name, value] = [child(each, 'name') ?? each, child(each, 'default_value')];
      return {
        kind: 'declare',
        ...php.lowering.at(name),
        name: php.lowering.textOf(name),
        ...(type && { type }),
        ...(value && { value: php.expression(value) }),
        ...(ofType(node, 'static_modifier') && { static: true }),
      };
    });
}

export function constantsOf(php: Php, node: SyntaxNode): Statement[] {
  const hidden = modifierOf(php, node) === 'private';
  return named(node)
    .filter(({ type }) => type === 'const_element')
    .flatMap((each): Statement[] => {
      const [name, value] = named(each);
      if (!name) return [];
      const { symbol } = php.lowering.symbolAt(name);
      php.lowering.define(symbol, { exported: !hidden });
      return [
        {
          kind: 'declare',
          ...php.lowering.at(name),
          name: php.lowering.textOf(name),
          ...(value && { value: php.expression(value) }),
          ...(symbol !== undefined && { symbol }),
          ...(php.class && { static: true }),
        },
      ];
    });
}
