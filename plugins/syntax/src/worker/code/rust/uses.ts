import type { Import } from '../../../code.js';
import { child, named, type SyntaxNode } from '../syntax-node.js';
import type { Context } from './context.js';
import { fromFile, segments } from './paths.js';

/** `#[path = "a/b.rs"]` */
const PATH = /#\[\s*path\s*=\s*"([^"\n]+\.rs)"\s*\]/;

/** `use` declarations, one import for each name. */
export function useDeclaration(node: SyntaxNode, context: Context): Import[] {
  const argument = child(node, 'argument');
  return argument ? imports(argument, [], context) : [];
}

/** `mod name;`: a module in a file of its own; `attributes` may name the file. */
export function moduleFile(node: SyntaxNode, attributes: readonly string[], context: Context): Import[] {
  const name = child(node, 'name');
  if (!name) return [];
  const local = context.lowering.textOf(name);
  const path = context.modules.length === 0 ? PATH.exec(attributes.join('\n'))?.[1] : undefined;
  const module = path === undefined ? ['self', ...context.modules, local].join('::') : `./${path}`;
  return [{ kind: 'import', module, form: 'namespace', local, ...context.lowering.at(name) }];
}

/** `extern crate name as local;` */
export function externCrate(node: SyntaxNode, context: Context): Import[] {
  const name = child(node, 'name');
  if (!name) return [];
  const module = context.lowering.textOf(name);
  const local = context.lowering.textOf(child(node, 'alias') ?? name);
  return [{ kind: 'import', module, form: 'namespace', local, ...context.lowering.at(name) }];
}

function imports(node: SyntaxNode, prefix: readonly string[], context: Context): Import[] {
  const names = (path: SyntaxNode | undefined): string[] => [
    ...prefix,
    ...(path ? segments(path, context).map(({ text }) => text) : []),
  ];
  switch (node.type) {
    case 'scoped_use_list': {
      const list = child(node, 'list');
      return list ? imports(list, names(child(node, 'path')), context) : [];
    }
    case 'use_list':
      return named(node).flatMap((each) => imports(each, prefix, context));
    case 'use_as_clause': {
      const alias = child(node, 'alias');
      return one(node, names(child(node, 'path')), alias && context.lowering.textOf(alias), context);
    }
    case 'use_wildcard': {
      const module = fromFile(names(named(node)[0]), context).join('::');
      return [{ kind: 'import', module, form: 'wildcard', ...context.lowering.at(node) }];
    }
    default:
      return one(node, names(node), undefined, context);
  }
}

function one(
  node: SyntaxNode,
  written: readonly string[],
  alias: string | undefined,
  context: Context,
): Import[] {
  // `a::{self}` is `a`.
  const path = fromFile(
    written.length > 1 && written.at(-1) === 'self' ? written.slice(0, -1) : written,
    context,
  );
  const name = path.at(-1);
  if (name === undefined) return [];
  const local = alias ?? name;
  const place = { kind: 'import' as const, ...context.lowering.at(node) };
  if (path.length === 1) return [{ ...place, module: name, form: 'namespace', local }];
  return [{ ...place, module: path.slice(0, -1).join('::'), form: 'named', name, local }];
}
