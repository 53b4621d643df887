import type { Argument, Entry, Expression } from '../../../code.js';
import { child, named, type SyntaxNode } from '../syntax-node.js';
import { after } from '../values.js';
import { constantText, isPlainText, propertyName, stringLiteral, type Context } from './context.js';

/** Functions that take property descriptors: the index of the name that one is for, and that of the descriptors. */
const DEFINING: ReadonlyMap<string, { readonly name?: number; readonly descriptors: number }> = new Map([
  ['Object.defineProperty', { name: 1, descriptors: 2 }],
  ['Object.defineProperties', { descriptors: 1 }],
  ['Object.create', { descriptors: 1 }],
]);

/** The arguments of such a call, with an object that has the properties instead of their descriptors. */
export function definingArguments(
  callee: SyntaxNode,
  given: readonly SyntaxNode[],
  context: Context,
): Argument[] | undefined {
  const form = DEFINING.get(context.lowering.textOf(callee));
  const [object] = given;
  const descriptors = form && given[form.descriptors];
  if (!object || descriptors?.type !== 'object') return undefined;
  const name = form?.name === undefined ? undefined : given[form.name];
  const key = constantText(name, context);
  if (form?.name !== undefined && key === undefined) return undefined;
  const properties = key === undefined ? propertiesOf(descriptors, context) : [[key, descriptors] as const];
  const defined = properties.map(([each, written]) => property(each, context.expression(written)));
  const entries = defined.flatMap((each) => each.entries);
  const constant = name && !isPlainText(name) ? [context.expression(name)] : [];
  const used = [...constant, ...defined.flatMap((each) => each.used)];
  return [{ value: context.expression(object) }, { value: after(used, { kind: 'object', entries }) }];
}

function propertiesOf(
  descriptors: SyntaxNode,
  context: Context,
): Array<readonly [name: string, descriptor: SyntaxNode]> {
  return named(descriptors).flatMap((each) => {
    const key = child(each, 'key');
    const value = child(each, 'value');
    return key && value ? [[propertyName(key, context), value] as const] : [];
  });
}

/** The entries of a property: its value, or the functions that read and write it. `used`: what is evaluated besides. */
function property(
  name: string,
  descriptor: Expression,
): { readonly entries: readonly Entry[]; readonly used: readonly Expression[] } {
  if (descriptor.kind !== 'object') return { entries: [], used: [descriptor] };
  const entries: Entry[] = [];
  const used: Expression[] = [];
  for (const { key, value } of descriptor.entries) {
    const role = key?.kind === 'literal' ? key.text : undefined;
    if (role === 'value') entries.push({ key: stringLiteral(name), value });
    else if ((role === 'get' || role === 'set') && value.kind === 'function')
      entries.push({
        key: stringLiteral(name),
        value: { kind: 'function', function: { ...value.function, accessor: role } },
      });
    else used.push(value);
  }
  return { entries, used };
}
