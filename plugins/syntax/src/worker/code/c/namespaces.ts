import type { Expression, Statement } from '../../../code.js';
import { namespaceCode } from '../namespaces.js';
import { child, named, NO_NODE, type SyntaxNode } from '../syntax-node.js';
import type { Unit } from './context.js';
import { lastName, nameOf, pathOf } from './names.js';
import { templateParameters } from './types.js';

/** `namespace a::b { … }`; the names of one without a name are those of the file. */
export function namespaceOf(unit: Unit, node: SyntaxNode): readonly Statement[] {
  const [name, body = NO_NODE] = [child(node, 'name'), child(node, 'body')];
  if (!name) return unit.within({ hidden: true }).statements(body);
  const { symbol } = unit.lowering.symbolAt(name);
  unit.lowering.define(symbol, { exported: true });
  const path = pathOf(unit, name);
  if (node.children.some(({ type }) => type === 'inline'))
    return [...inlineName(unit, name), ...unit.statements(body)];
  const inner = unit.within({ namespace: path.at(-1) ?? '' });
  const members = inner.statements(body);
  const place = { ...unit.lowering.at(name), ...(symbol !== undefined && { symbol }) };
  return [{ kind: 'class', class: namespaceCode(path, place, members) }];
}

/** The names of an inline namespace are those of the namespace around it, which its own name is another name for. */
function inlineName(unit: Unit, name: SyntaxNode): Statement[] {
  if (unit.namespace === undefined) return [];
  const at = unit.lowering.at(name);
  const value: Expression = { kind: 'name', ...at, name: unit.namespace };
  return [{ kind: 'declare', ...at, name: unit.lowering.textOf(name), value, alias: true }];
}

/** `namespace fs = std::filesystem;` */
export function namespaceAlias(unit: Unit, node: SyntaxNode): Statement[] {
  const name = child(node, 'name');
  const target = name && named(node).find((each) => each !== name);
  if (!name || !target) return [];
  return [
    {
      kind: 'declare',
      ...unit.lowering.at(name),
      name: unit.lowering.textOf(name),
      value: nameOf(unit, target),
      alias: true,
    },
  ];
}

/** `using namespace a;`, `using a::b;` */
export function usingOf(unit: Unit, node: SyntaxNode): Statement[] {
  const opens = node.children.some(({ type }) => type === 'namespace');
  return named(node).flatMap((target): Statement[] => {
    const path = pathOf(unit, target);
    const at = unit.lowering.at(lastName(target));
    if (opens) return [{ kind: 'import', ...at, module: path.join('::'), form: 'wildcard' }];
    // `using Base::Base` takes the constructors of a supertype and declares no name.
    if (path.length < 2 || path.at(-1) === path.at(-2)) return [];
    return [{ kind: 'declare', ...at, name: path.at(-1) ?? '', value: nameOf(unit, target), alias: true }];
  });
}

/** `using A = B<C>;` */
export function aliasOf(unit: Unit, node: SyntaxNode): Statement[] {
  const [name, target] = [child(node, 'name'), child(node, 'type')];
  if (!name || !target) return [];
  const { symbol } = unit.lowering.symbolAt(name);
  unit.lowering.define(symbol, { exported: unit.hidden !== true });
  return [
    {
      kind: 'alias',
      ...unit.lowering.at(name),
      name: unit.lowering.textOf(name),
      type: unit.type(target) ?? { kind: 'other' },
      ...(symbol !== undefined && { symbol }),
    },
  ];
}

/** The declarations of a template, with its type parameters. */
export function templateOf(unit: Unit, node: SyntaxNode): Statement[] {
  const types = templateParameters(unit, node);
  const inner = named(node).filter(({ field, type }) => field !== 'parameters' && type !== 'requires_clause');
  return inner
    .flatMap((each) => unit.statement(each))
    .map((each): Statement => {
      if (types.length === 0) return each;
      if (each.kind === 'function') return { ...each, function: { ...each.function, types } };
      if (each.kind === 'class') return { ...each, class: { ...each.class, types } };
      return each.kind === 'alias' ? { ...each, parameters: types } : each;
    });
}
