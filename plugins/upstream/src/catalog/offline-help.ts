import { ERRORS, invalidArgument, type ToolResult } from '@service-mcp/core';

interface About {
  readonly server: string;
  readonly version: string;
}

const ACTIONS = ['version', 'tools', 'toolsets', 'errors'];

/**
 * The result of the tool `help` while the service is unavailable, in the service's format. It lists only itself, since
 * no other tool can be called. Throws INVALID_ARGUMENT for an unknown action.
 */
export function offlineHelp(about: About, args: unknown, base: string): ToolResult {
  const { action = 'tools' } = (args ?? {}) as { action?: unknown }; // arguments are unvalidated; checked below
  const details = detailsOf(action);
  const text = `The service at ${base} does not respond, so only help is available. Try again in a moment.`;
  return { kind: 'complete', structured: { ...about, ...details }, content: [{ type: 'text', text }] };
}

function detailsOf(action: unknown): object {
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
