import type { ErrorCode, RouteDescription } from '@service-mcp/core';
import {
  BODY_FAILURES,
  CALL_FAILURES,
  JSON_RPC_FAILURE,
  JSON_RPC_REQUEST,
  JSON_RPC_RESULT,
  SELECTION_PARAMETERS,
  SESSION_PARAMETER,
} from '@service-mcp/core/wire';

const text = { type: 'string' };
const EVENTS = { type: 'text/event-stream', schema: text };
const OF_A_CALL: readonly ErrorCode[] = [...CALL_FAILURES, 'UNKNOWN_SESSION'];

const VERSION_PARAMETER = {
  name: 'MCP-Protocol-Version',
  in: 'header',
  description: 'The revision of MCP that the client speaks.',
  schema: text,
} as const;
const MODE_PARAMETER = {
  name: 'default_context_mode',
  in: 'query',
  description: 'The mode of a `context` call that names none.',
  schema: { type: 'string', enum: ['fast', 'standard', 'pack'] },
} as const;

/** The routes of one endpoint, as OpenAPI shows them. `ceiling`: it shows every tool under the deployment's ceiling. */
export function routesOf(path: string, ceiling: boolean): readonly RouteDescription[] {
  const name = path.slice(1).replaceAll('-', '_');
  const shown = ceiling ? 'Every tool that the deployment allows.' : 'The toolset that the deployment lists.';
  const shared = { path, failureForm: 'rpc' } as const;
  return [
    {
      ...shared,
      id: `mcp.${name}.post`,
      method: 'POST',
      summary: 'MCP',
      description: `One message of MCP Streamable HTTP. ${shown} A client that accepts text/event-stream may get one, whose last event is the response.`,
      parameters: [...SELECTION_PARAMETERS, MODE_PARAMETER, SESSION_PARAMETER, VERSION_PARAMETER],
      body: { required: true, schema: JSON_RPC_REQUEST },
      answers: {
        200: {
          description: 'The response.',
          bodies: [{ schema: { anyOf: [JSON_RPC_RESULT, JSON_RPC_FAILURE] } }, EVENTS],
        },
        202: { description: 'A notification or an answer was taken.' },
      },
      failures: [...OF_A_CALL, ...BODY_FAILURES],
    },
    {
      ...shared,
      id: `mcp.${name}.get`,
      method: 'GET',
      summary: 'Follow changes of a session',
      description: 'The notifications of a session of the revisions with initialize.',
      parameters: [{ ...SESSION_PARAMETER, required: true }, VERSION_PARAMETER],
      answers: { 200: { description: 'Notifications until the client leaves.', bodies: [EVENTS] } },
      failures: [...OF_A_CALL, 'METHOD_NOT_ALLOWED'],
    },
    {
      ...shared,
      id: `mcp.${name}.delete`,
      method: 'DELETE',
      summary: 'End a session',
      description: 'Ends the session that initialize opened.',
      parameters: [{ ...SESSION_PARAMETER, required: true }],
      answers: { 204: { description: 'The session has ended.' } },
      failures: OF_A_CALL,
    },
  ];
}
