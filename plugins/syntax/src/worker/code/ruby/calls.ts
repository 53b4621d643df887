import type { Argument, Expression } from '../../../code.js';
import { child, named, NO_NODE, type SyntaxNode } from '../syntax-node.js';
import { pathValue } from '../values.js';
import type { Ruby } from './context.js';
import { pathOf } from './flow.js';
import { symbolText } from './functions.js';

/** A constant by its path, or a member of a computed object. */
export function constantOf(ruby: Ruby, node: SyntaxNode): Expression {
  const at = ruby.lowering.at(node.type === 'scope_resolution' ? (child(node, 'name') ?? node) : node);
  const path = pathOf(ruby, node);
  const [scope, name] = [child(node, 'scope'), child(node, 'name')];
  if (!path && scope && name) {
    return { kind: 'member', ...at, object: ruby.expression(scope), name: ruby.lowering.textOf(name) };
  }
  return pathValue(path ?? [], at);
}

/** The call of a method on an object. */
export function sent(
  ruby: Ruby,
  place: SyntaxNode,
  object: Expression,
  name: string,
  args: readonly Argument[],
): Expression {
  const at = ruby.lowering.at(place);
  return { kind: 'call', ...at, callee: { kind: 'member', ...at, object, name }, arguments: args };
}

/** Methods that return the object itself. */
export const SAME: ReadonlySet<string> = new Set(['freeze', 'dup', 'clone', 'itself']);
const RAISES = new Set(['raise', 'fail']);
const CONSTANTS = new Set(['constant', 'scope_resolution']);
const SENDS = new Set(['send', 'public_send', '__send__']);

export function callOf(ruby: Ruby, node: SyntaxNode): Expression {
  const method = node.type === 'super' ? node : child(node, 'method');
  const receiver = child(node, 'receiver');
  const list = child(node, 'arguments');
  const block = child(node, 'block');
  const text = method ? ruby.lowering.textOf(method) : '';
  const at = ruby.lowering.at(method ?? node);
  if (method?.type === 'super') {
    const name = ruby.method ?? '';
    return sent(
      ruby,
      method,
      { kind: 'super' },
      name,
      list ? ruby.arguments(list, block) : implied(ruby, block),
    );
  }
  const [first] = named(list ?? NO_NODE);
  if (!receiver && block && (text === 'proc' || text === 'lambda')) {
    return { kind: 'function', function: ruby.function(block) };
  }
  const made = receiver && block ? constructedBlock(ruby, receiver, text, block) : undefined;
  if (made) return made;
  const code = receiver && ruby.madeClass(node);
  if (code) return { kind: 'class', class: code };
  const object = receiver && ruby.expression(receiver);
  if (object && !list && !block) {
    if (SAME.has(text)) return object;
    if (text === 'class' && object.kind === 'this' && ruby.className) return constantOf(ruby, ruby.className);
  }
  if (text === 'method' && first && symbolText(ruby, first) !== '') {
    const name = symbolText(ruby, first);
    if (!object && !ruby.className) return { kind: 'name', ...at, name };
    return { kind: 'member', ...at, object: object ?? { kind: 'this' }, name };
  }
  const named_ = SENDS.has(text) && first ? symbolText(ruby, first) : '';
  const args = isRaised(receiver, text, first)
    ? [{ value: raised(ruby, first, list) }]
    : ruby.arguments(named_ ? withoutFirst(list) : list, block);
  if (named_) return sent(ruby, method ?? node, object ?? { kind: 'this' }, named_, args);
  if (text === 'new') {
    return { kind: 'call', ...at, callee: object ?? { kind: 'this' }, arguments: args, constructs: true };
  }
  if (!method) return { kind: 'call', ...at, callee: object ?? { kind: 'this' }, arguments: args };
  if (object) return sent(ruby, method, object, text, args);
  return { kind: 'call', ...at, callee: { kind: 'name', ...at, name: text }, arguments: args };
}

/** `raise Failure, text` makes an object of the class. */
function isRaised(
  receiver: SyntaxNode | undefined,
  method: string,
  first: SyntaxNode | undefined,
): first is SyntaxNode {
  return !receiver && RAISES.has(method) && first !== undefined && CONSTANTS.has(first.type);
}

function raised(ruby: Ruby, type: SyntaxNode, list: SyntaxNode | undefined): Expression {
  const [message] = ruby.arguments(withoutFirst(list), undefined);
  return {
    kind: 'call',
    ...ruby.lowering.at(type),
    callee: ruby.expression(type),
    arguments: message && message.name === undefined ? [message] : [],
    constructs: true,
  };
}

/** A `super` without arguments passes on the arguments of the method, with a block of its own. */
function implied(ruby: Ruby, block: SyntaxNode | undefined): Argument[] {
  return ruby.arguments(undefined, block);
}

function withoutFirst(list: SyntaxNode | undefined): SyntaxNode {
  const [first] = named(list ?? NO_NODE);
  return { ...(list ?? NO_NODE), children: (list?.children ?? []).filter((each) => each !== first) };
}

/** `Proc.new { … }` */
function constructedBlock(
  ruby: Ruby,
  receiver: SyntaxNode,
  method: string,
  block: SyntaxNode,
): Expression | undefined {
  const isProc = method === 'new' && ruby.lowering.textOf(receiver) === 'Proc';
  return isProc ? { kind: 'function', function: ruby.function(block) } : undefined;
}
