import type { Expression, Located } from '../../../code.js';
import { pathValue } from '../values.js';

/** Functions of the language that call what an argument names. */
const CALLING = new Set(
  (
    'array_filter array_map array_reduce array_walk array_walk_recursive call_user_func call_user_func_array ' +
    'forward_static_call iterator_apply preg_replace_callback register_shutdown_function set_error_handler ' +
    'set_exception_handler spl_autoload_register uasort uksort usort'
  ).split(' '),
);
const CALLABLE = /^\\?[a-z_][\w\\]*(?:::\w+)?$/i;

/** A call of such a function with the functions that its arguments name as strings: `array_map('A\b', $list)`. */
export function withCallables(call: Expression, name: string, at: Located): Expression {
  if (call.kind !== 'call' || !CALLING.has(name.replace(/^\\/, '').toLowerCase())) return call;
  const args = call.arguments.map((each) => {
    const { value } = each;
    const text = value.kind === 'literal' && value.type === 'string' ? (value.text ?? '') : '';
    return CALLABLE.test(text) ? { ...each, value: namedBy(text, at) } : each;
  });
  return { ...call, arguments: args };
}

/** Names in strings start at the root. */
function namedBy(text: string, at: Located): Expression {
  const [path = '', member] = text.replace(/^\\/, '').split('::');
  const named = pathValue(['', ...path.split('\\')], at);
  return member === undefined ? named : { kind: 'member', ...at, object: named, name: member };
}
