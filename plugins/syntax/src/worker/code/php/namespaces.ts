import type { Import, Statement } from '../../../code.js';
import { namespaceCode } from '../namespaces.js';
import type { Lowering } from '../lowering.js';
import { child, named, NO_NODE, ofType, type SyntaxNode } from '../syntax-node.js';
import type { Php } from './context.js';

/** A namespace holds its statements, unless it is the package of the file. */
export function namespaceOf(php: Php, node: SyntaxNode): readonly Statement[] {
  const [name, body] = [child(node, 'name'), child(node, 'body')];
  if (!body) return [];
  const imports = importsOf(php.lowering, body);
  if (!name || php.namespace.length > 0) return php.within({ imports }).statements(body);
  const path = php.lowering.textOf(name).split('\\');
  const { symbol } = php.lowering.symbolAt(name);
  php.lowering.define(symbol, { exported: true });
  const members = php.within({ namespace: path, imports }).statements(body);
  const place = { ...php.lowering.at(name), ...(symbol !== undefined && { symbol }) };
  return [{ kind: 'class', class: namespaceCode(path, place, members) }];
}

/** What the statements of a namespace import, besides functions and constants: parts by the name in lower case. */
export function importsOf(lowering: Lowering, body: SyntaxNode): ReadonlyMap<string, readonly string[]> {
  const uses = body.children.filter(({ type }) => type === 'namespace_use_declaration');
  const imports = uses.flatMap((each) => usesOf(lowering, each)).filter(({ static: isOther }) => !isOther);
  return new Map(
    imports.map(({ module, name = '', local = name }) => [
      local.toLowerCase(),
      [...module.split('\\'), name].filter((part) => part !== ''),
    ]),
  );
}

export function usesOf(lowering: Lowering, node: SyntaxNode): Import[] {
  const base = ofType(node, 'namespace_name');
  const prefix = base ? lowering.textOf(base).split('\\') : [];
  const whole = child(node, 'type');
  const clauses = named(child(node, 'body') ?? node).filter(({ type }) => type === 'namespace_use_clause');
  return clauses.map((clause) => {
    const target = named(clause).find(({ field }) => field !== 'alias') ?? clause;
    const alias = child(clause, 'alias');
    const path = [...prefix, ...lowering.textOf(target).replace(/^\\/, '').split('\\')];
    const name = path.at(-1) ?? '';
    return {
      kind: 'import',
      ...lowering.at(clause),
      module: path.slice(0, -1).join('\\'),
      form: 'named',
      name,
      local: alias ? lowering.textOf(alias) : name,
      ...((whole ?? child(clause, 'type')) && { static: true }),
    };
  });
}

/** The name of the only namespace of a file, which is its package. */
export function packageOf(root: SyntaxNode): SyntaxNode | undefined {
  const [only, another] = root.children.filter(({ type }) => type === 'namespace_definition');
  return only && !another ? child(only, 'name') : undefined;
}

/** `namespace A; … namespace B; …`: each holds the statements after it, as if it had braces. */
export function enclosed(root: SyntaxNode): SyntaxNode {
  const isOpen = (node: SyntaxNode): boolean => node.type === 'namespace_definition' && !child(node, 'body');
  if (!root.children.some(isOpen) || packageOf(root)) return root;
  const children: SyntaxNode[] = [];
  let body: SyntaxNode[] = children;
  for (const each of root.children) {
    if (isOpen(each)) {
      body = [];
      const { start, end } = each;
      const block = {
        ...NO_NODE,
        type: 'compound_statement',
        field: 'body',
        named: true,
        start,
        end,
        children: body,
      };
      children.push({ ...each, children: [...each.children, block] });
    } else body.push(each);
  }
  return { ...root, children };
}
