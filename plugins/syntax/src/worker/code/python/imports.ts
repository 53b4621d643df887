import type { Export, Statement } from '../../../code.js';
import { child, childrenIn, named, ofType, type SyntaxNode } from '../syntax-node.js';
import type { Context } from './context.js';

/** `import a.b`, `import a.b as c`. */
export function importStatement(node: SyntaxNode, { lowering }: Context): Statement[] {
  return childrenIn(node, 'name').map((each): Statement => {
    const alias = child(each, 'alias');
    const name = alias ? (child(each, 'name') ?? each) : each;
    const module = dotted(lowering.textOf(name));
    const at = { kind: 'import', ...lowering.at(name), module, form: 'namespace' } as const;
    if (alias) return { ...at, local: lowering.textOf(alias) };
    const [first = module, ...rest] = module.split('.');
    return { ...at, local: first, ...(rest.length > 0 && { root: true as const }) };
  });
}

/** `from .a import b as c, d`, `from a import *`. */
export function importFrom(node: SyntaxNode, { lowering }: Context): Statement[] {
  const source = child(node, 'module_name');
  if (!source) return [];
  const module = dotted(lowering.textOf(source));
  if (ofType(node, 'wildcard_import'))
    return [{ kind: 'import', ...lowering.at(source), module, form: 'wildcard' }];
  return childrenIn(node, 'name').map((each): Statement => {
    const alias = child(each, 'alias');
    const name = dotted(lowering.textOf(alias ? (child(each, 'name') ?? each) : each));
    const local = alias ? lowering.textOf(alias) : name;
    return { kind: 'import', ...lowering.at(each), module, form: 'named', name, local };
  });
}

function dotted(text: string): string {
  return text.replaceAll(/[\s\\]/g, '');
}

/** The names of `__all__ = ['a', 'b']` and `__all__ += ['c']`; none if one of them is computed. */
export function allNames(value: SyntaxNode, { lowering }: Context): Export[] {
  if (value.type !== 'list' && value.type !== 'tuple') return [];
  const found = named(value).map((each): Export | undefined => {
    const content =
      each.type === 'string' ? each.children.filter(({ type }) => type === 'string_content') : [];
    const [only] = content;
    if (!only || content.length > 1) return undefined;
    const name = lowering.textOf(only);
    return {
      kind: 'export',
      ...lowering.at(only),
      name,
      value: { kind: 'name', ...lowering.at(only), name },
    };
  });
  return found.flatMap((each) => each ?? []).length === found.length
    ? found.flatMap((each) => each ?? [])
    : [];
}
