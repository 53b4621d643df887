import type { Lowering } from '../lowering.js';
import { child, named, type SyntaxNode } from '../syntax-node.js';

/**
 * The path of an `include`: `__DIR__ . '/a.php'` is `./a.php`, `dirname(__DIR__) . '/a.php'` is `../a.php`. Undefined
 * where it is computed.
 */
export function includedPath(lowering: Lowering, node: SyntaxNode): string | undefined {
  const path = pathIn(lowering, node);
  return path?.startsWith('./../') ? path.slice(2) : path;
}

function pathIn(lowering: Lowering, node: SyntaxNode): string | undefined {
  const [inner] = named(node);
  switch (node.type) {
    case 'parenthesized_expression':
      return inner && pathIn(lowering, inner);
    case 'string':
      return lowering.text.slice(node.start + 1, node.end - 1);
    case 'encapsed_string':
      return named(node).every(({ type }) => type === 'string_content')
        ? lowering.text.slice(node.start + 1, node.end - 1)
        : undefined;
    case 'name':
      return lowering.textOf(node) === '__DIR__' ? '.' : undefined;
    case 'function_call_expression':
      return parentDirectory(lowering, node);
    case 'binary_expression': {
      const [left, right] = [child(node, 'left'), child(node, 'right')];
      const [head, tail] = [left && pathIn(lowering, left), right && pathIn(lowering, right)];
      return head !== undefined && tail !== undefined && child(node, 'operator')?.type === '.'
        ? head + tail
        : undefined;
    }
    default:
      return undefined;
  }
}

/** `dirname(__FILE__)`, `dirname(__DIR__, 2)`. */
function parentDirectory(lowering: Lowering, node: SyntaxNode): string | undefined {
  const called = child(node, 'function');
  const [path, levels] = named(child(node, 'arguments') ?? node).flatMap((each) => named(each));
  if (!path || !called || lowering.textOf(called).toLowerCase() !== 'dirname') return undefined;
  const count = levels ? Number(lowering.textOf(levels)) : 1;
  const isFile = lowering.textOf(path) === '__FILE__';
  const base = isFile ? '.' : pathIn(lowering, path);
  const up = count - (isFile ? 1 : 0);
  return base === undefined || !(up >= 0 && up < 20) ? undefined : base + '/..'.repeat(up);
}
