import { amendCall, type AdmittedCall, type CallContext, type RegistryView } from '@service-mcp/core';

/** The toolset of the tools that find and call others. */
export const META = 'meta';

/**
 * The call as it is made on another tool: whatever the ceiling holds can be reached, not only what the request lists, but
 * for the meta tools themselves. Read-only mode, scopes, roles and rates bind as they do from outside.
 */
export function reaching(registry: RegistryView, call: AdmittedCall): CallContext {
  const optional = registry.allowed
    .filter(({ info }) => info.level === 'optional' && info.toolset !== META)
    .map(({ info }) => info.name);
  return amendCall(call, {
    selection: { toolsets: ['complete', ...optional], readOnly: call.selection.readOnly },
  });
}
