import {
  amendCall,
  inputRequired,
  invalidArgument,
  passedOn,
  type AdmittedCall,
  type Catalog,
  type RegistryView,
} from '@service-mcp/core';

interface RequestedCall {
  readonly name: string;
  readonly arguments: object;
}

interface Deps {
  readonly catalog: Catalog;
  readonly registry: RegistryView;
}

/**
 * Calls another tool like a call from outside: the catalog authorizes, validates, counts and audits it, and its errors
 * are returned. Throws INVALID_ARGUMENT when `readOnly` does not match the effect of the tool.
 */
export async function callInner(
  inner: RequestedCall,
  { catalog, registry }: Deps,
  call: AdmittedCall,
  readOnly: boolean,
) {
  const reach = registry.reach(call);
  const { name } = inner;
  const known = registry.allowed.find(({ info }) => info.name === name)?.info;
  if (registry.toolsets.some(({ id, callsOthers }) => callsOthers && id === known?.toolset)) {
    throw invalidArgument('/name', `${name} cannot be called through another tool: call it directly`);
  }
  if (known && (known.effect === 'read') !== readOnly) {
    throw invalidArgument(
      '/name',
      readOnly
        ? `${name} is not read-only (${known.effect}): call it with tools_call_write`
        : `${name} is read-only: call it with tools_call_read`,
    );
  }
  // The read-only selection also rejects aliases of writing tools.
  const bound = readOnly ? amendCall(reach, { selection: { ...reach.selection, readOnly: true } }) : reach;
  const answersTo = stateFor(name, call.answersTo);
  const own = answersTo === undefined ? bound : amendCall(bound, { answersTo });
  const result = await catalog.call(name, { ...inner.arguments }, own);
  if (result.kind === 'input_required')
    return inputRequired(result.requests, {
      state: result.state === '' ? '' : `${name} ${result.state}`,
      ...(result.instead !== undefined && { instead: `arguments.${result.instead}` }),
    });
  return passedOn({ args: { ...inner.arguments }, finished: result });
}

/** The state of the tool's own input request. Throws INVALID_ARGUMENT for another tool's: transports check only the name of the outer tool. */
function stateFor(name: string, state: string | undefined): string | undefined {
  if (!state) return state;
  if (state.startsWith(`${name} `)) return state.slice(name.length + 1);
  throw invalidArgument('/name', 'these input responses belong to another tool: call without them');
}
