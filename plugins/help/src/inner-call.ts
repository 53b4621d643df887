import {
  amendCall,
  content,
  inputRequired,
  invalidArgument,
  type AdmittedCall,
  type Catalog,
  type RegistryView,
} from '@service-mcp/core';
import { META, reaching } from './reach.js';

interface Asked {
  readonly name: string;
  readonly arguments: object;
}

interface Deps {
  readonly catalog: Catalog;
  readonly registry: RegistryView;
}

/**
 * Calls another tool as if the call came from outside: the catalog admits, checks, counts and audits it, and its error
 * is the error. A tool that reads is called `reading` alone, and any other never is.
 */
export async function callInner(
  asked: Asked,
  { catalog, registry }: Deps,
  call: AdmittedCall,
  reading: boolean,
) {
  const inner = reaching(registry, call);
  const { name } = asked;
  const known = registry.allowed.find(({ info }) => info.name === name)?.info;
  if (known?.toolset === META) {
    throw invalidArgument('/name', `${name} is called directly; these tools do not call each other`);
  }
  if (known && (known.effect === 'read') !== reading) {
    throw invalidArgument(
      '/name',
      reading
        ? `${name} does not only read (${known.effect}): call it with tools_call_write`
        : `${name} only reads: call it with tools_call_read`,
    );
  }
  // Read-only besides, so that no former name of a tool that writes gets through.
  const bound = reading ? amendCall(inner, { selection: { ...inner.selection, readOnly: true } }) : inner;
  const answersTo = stateFor(name, call.answersTo);
  const own = answersTo === undefined ? bound : amendCall(bound, { answersTo });
  const result = await catalog.call(name, { ...asked.arguments }, own);
  if (result.kind === 'input_required')
    return inputRequired(result.requests, result.state === '' ? '' : `${name} ${result.state}`);
  const value = { result: { ...result.structured } };
  return result.content ? content(value, result.content) : value;
}

/** The state that a tool gave with its questions. Throws INVALID_ARGUMENT for that of another: transports tell these tools apart alone. */
function stateFor(name: string, given: string | undefined): string | undefined {
  if (!given) return given;
  if (given.startsWith(`${name} `)) return given.slice(name.length + 1);
  throw invalidArgument('/name', 'these answers are to questions of another tool; call it without them');
}
