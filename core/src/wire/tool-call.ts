import { invalidArgument } from '../errors.js';
import { isRecord } from './rpc.js';

/** Which tool a message calls, and with what. */
export interface NamedCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/**
 * The params of `tools/call`. As in any argument, null counts as left out: some clients send it for a tool without
 * arguments. Throws INVALID_ARGUMENT.
 */
export function readToolCall(params: Readonly<Record<string, unknown>>): NamedCall {
  const { name, arguments: given } = params;
  if (typeof name !== 'string' || name === '')
    throw invalidArgument('/name', 'must be the name of a tool; tools/list has the names');
  const args = given ?? {};
  if (!isRecord(args)) throw invalidArgument('/arguments', 'must be an object, not the text of one');
  return { name, args };
}
