import { ERRORS, invalidArgument, type ToolResult } from '@service-mcp/core';

interface About {
  readonly server: string;
  readonly version: string;
}

const ACTIONS = ['version', 'tools', 'toolsets', 'errors'];

/**
 * What the tool `help` can tell while the service is away, in the form in which the service tells it: of the tools only
 * itself, since no other can be called. Throws INVALID_ARGUMENT for an action that there is not.
 */
export function helpHere(about: About, args: unknown, base: string): ToolResult {
  const { action = 'tools' } = (args ?? {}) as { action?: unknown }; // an argument may be anything; it is checked next
  const told = partOf(action);
  const text = `The service at ${base} does not answer, so that only help does, and of itself alone. Try again in a moment.`;
  return { kind: 'complete', structured: { ...about, ...told }, content: [{ type: 'text', text }] };
}

function partOf(action: unknown): object {
  switch (action) {
    case 'version':
      return {};
    case 'tools':
      return { tools: [{ name: 'help', title: 'Help', effect: 'read' }] };
    case 'toolsets':
      return { toolsets: [] };
    case 'errors':
      return { errors: Object.entries(ERRORS).map(([code, { http, rpc }]) => ({ code, http, rpc })) };
    default:
      throw invalidArgument('/action', `must be one of ${ACTIONS.join(', ')}`);
  }
}
