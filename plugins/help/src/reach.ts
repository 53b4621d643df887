import { amendCall, type AdmittedCall, type CallContext, type RegistryView } from '@service-mcp/core';

/** The toolset of tools that find and call other tools. */
export const META = 'meta';

/**
 * The call with all allowed tools selected, except the meta tools. Read-only mode, scopes, roles and rate limits still
 * apply.
 */
export function withFullReach(registry: RegistryView, call: AdmittedCall): CallContext {
  const optional = registry.allowed
    .filter(({ info }) => info.level === 'optional' && info.toolset !== META)
    .map(({ info }) => info.name);
  return amendCall(call, {
    selection: { toolsets: ['complete', ...optional], readOnly: call.selection.readOnly },
  });
}
