import type { Import, Statement } from '../../../code.js';
import { child, named, ofType, type SyntaxNode } from '../syntax-node.js';
import { hasToken, stringText, type Context } from './context.js';
import { decoratorsOf } from './functions.js';

export function importStatement(node: SyntaxNode, context: Context): Statement[] {
  const { lowering } = context;
  const clause = ofType(node, 'import_clause', 'import_require_clause');
  const source = child(node, 'source') ?? (clause && child(clause, 'source'));
  if (!source) return [];
  const base = {
    kind: 'import' as const,
    module: stringText(source, context),
    ...(hasToken(node, 'type') && { typeOnly: true as const }),
  };
  if (!clause) return [{ ...base, form: 'load', ...lowering.at(source) }];
  const found = named(clause).flatMap((each): Statement[] => {
    if (each.type === 'identifier') {
      const form = clause.type === 'import_require_clause' ? 'namespace' : 'default';
      return [{ ...base, form, local: lowering.textOf(each), ...lowering.at(each) }];
    }
    if (each.type === 'namespace_import') {
      const local = named(each)[0];
      return local
        ? [{ ...base, form: 'namespace', local: lowering.textOf(local), ...lowering.at(local) }]
        : [];
    }
    return each.type === 'named_imports' ? specifiers(each, 'import_specifier', base, context) : [];
  });
  return found.length > 0 ? found : [{ ...base, form: 'load', ...lowering.at(source) }];
}

/** `a as b` of a list in braces. */
function specifiers(
  list: SyntaxNode,
  type: string,
  base: Pick<Import, 'kind' | 'module' | 'typeOnly' | 'reexport'>,
  context: Context,
): Statement[] {
  return named(list)
    .filter((each) => each.type === type)
    .map((each): Statement => {
      const { name, local } = specifier(each, context);
      return {
        ...base,
        ...(hasToken(each, 'type') && { typeOnly: true as const }),
        ...(name === 'default' ? { form: 'default' as const } : { form: 'named' as const, name }),
        local,
        ...context.lowering.at(each),
      };
    });
}

function specifier(node: SyntaxNode, context: Context): { readonly name: string; readonly local: string } {
  const text = (each: SyntaxNode | undefined): string =>
    each === undefined
      ? ''
      : each.type === 'string'
        ? stringText(each, context)
        : context.lowering.textOf(each);
  const name = text(child(node, 'name'));
  const alias = child(node, 'alias');
  return { name, local: alias ? text(alias) : name };
}

export function exportStatement(node: SyntaxNode, context: Context): Statement[] {
  const source = child(node, 'source');
  if (source) return reexport(node, source, context);
  const clause = ofType(node, 'export_clause');
  if (clause) return named(clause).flatMap((each) => exportedName(each, context));
  const declaration = child(node, 'declaration');
  if (declaration) return exportedDeclaration(node, declaration, context);
  const value = child(node, 'value') ?? named(node).find(({ type }) => type !== 'decorator');
  if (!value || hasToken(node, 'namespace')) return [];
  const { lowering, exported } = context;
  const { symbol } = lowering.symbolAt(node);
  if (symbol !== undefined) exported.symbols.add(symbol);
  if (value.type === 'identifier') exported.names.add(lowering.textOf(value));
  const name = hasToken(node, 'default') ? 'default' : '=';
  return [{ kind: 'export', name, value: context.value(value, node), ...lowering.at(node) }];
}

function reexport(node: SyntaxNode, source: SyntaxNode, context: Context): Statement[] {
  const { lowering } = context;
  const base = {
    kind: 'import' as const,
    module: stringText(source, context),
    reexport: true as const,
    ...(hasToken(node, 'type') && { typeOnly: true as const }),
  };
  const clause = ofType(node, 'export_clause');
  if (clause) {
    const found = specifiers(clause, 'export_specifier', base, context);
    return found.length > 0 ? found : [{ ...base, form: 'load', ...lowering.at(source) }];
  }
  const local = ofType(node, 'namespace_export');
  const name = local && named(local)[0];
  return name
    ? [{ ...base, form: 'namespace', local: lowering.textOf(name), ...lowering.at(name) }]
    : [{ ...base, form: 'wildcard', ...lowering.at(source) }];
}

function exportedName(node: SyntaxNode, context: Context): Statement[] {
  const name = child(node, 'name');
  if (!name) return [];
  const { name: own, local } = specifier(node, context);
  context.exported.names.add(own);
  const at = context.lowering.at(name);
  return [{ kind: 'export', name: local, value: { kind: 'name', name: own, ...at }, ...at }];
}

function exportedDeclaration(node: SyntaxNode, declaration: SyntaxNode, context: Context): Statement[] {
  const { lowering, exported } = context;
  const isDefault = hasToken(node, 'default');
  const decorators = decoratorsOf(node.children, context);
  const names = declaredNames(declaration);
  for (const name of names) {
    const { symbol } = lowering.symbolAt(name);
    if (symbol !== undefined) exported.symbols.add(symbol);
  }
  return [
    ...context.statement(declaration).map((each): Statement => {
      if (each.kind !== 'class' || decorators.length === 0) return each;
      return {
        ...each,
        class: { ...each.class, decorators: [...decorators, ...(each.class.decorators ?? [])] },
      };
    }),
    ...names.map((name): Statement => {
      const at = lowering.at(name);
      const text = lowering.textOf(name).split('.')[0] ?? '';
      return {
        kind: 'export',
        name: isDefault ? 'default' : text,
        value: { kind: 'name', name: text, ...at },
        ...at,
      };
    }),
  ];
}

/** The names that a declaration binds. */
function declaredNames(declaration: SyntaxNode): SyntaxNode[] {
  if (declaration.type === 'ambient_declaration') return named(declaration).flatMap(declaredNames);
  if (declaration.type === 'import_alias') return named(declaration).slice(0, 1);
  const name = child(declaration, 'name');
  if (name) return [name];
  return named(declaration)
    .filter(({ type }) => type === 'variable_declarator')
    .flatMap((each) => boundNames(child(each, 'name')));
}

function boundNames(pattern: SyntaxNode | undefined): SyntaxNode[] {
  if (!pattern) return [];
  if (pattern.type === 'identifier' || pattern.type === 'shorthand_property_identifier_pattern')
    return [pattern];
  if (pattern.type === 'pair_pattern') return boundNames(child(pattern, 'value'));
  const left = child(pattern, 'left');
  return left ? boundNames(left) : named(pattern).flatMap(boundNames);
}
