import { ServiceError, invalidArgument, type CallContext, type Catalog } from '@service-mcp/core';
import {
  completeResult,
  isRecord,
  negotiateVersion,
  readToolCall,
  toolEntry,
  type Cancellations,
  type RpcMessage,
  type Session,
  type Sessions,
  type ToolEntry,
  type WireResult,
} from '@service-mcp/core/wire';

/** The parts that all routes share. */
export interface Service {
  readonly catalog: Catalog;
  readonly version: string;
  readonly sessions: Sessions;
  readonly cancellations: Cancellations;
}

export interface Initialized {
  readonly result: object;
  readonly session: Session;
}

type Params = Readonly<Record<string, unknown>>;

/** Opens a session. `params` are those of MCP's initialize; each may be left out, none may be of a wrong type. */
export async function initialize(service: Service, params: Params, call: CallContext): Promise<Initialized> {
  const { protocolVersion, capabilities, clientInfo } = params;
  if (protocolVersion !== undefined && typeof protocolVersion !== 'string') {
    throw invalidArgument('/protocolVersion', 'must be a string, such as "2025-11-25"');
  }
  if (capabilities !== undefined && !isRecord(capabilities)) {
    throw invalidArgument('/capabilities', 'must be an object');
  }
  if (clientInfo !== undefined && !isClientInfo(clientInfo)) {
    throw invalidArgument('/clientInfo', 'must be an object with the strings name and version');
  }
  const instructions = await service.catalog.instructions(call);
  const session = await service.sessions.open(call.caller, {
    protocolVersion: negotiateVersion(protocolVersion),
    capabilities: capabilities ?? {},
  });
  const result = {
    protocolVersion: session.protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'service-mcp', version: service.version },
    instructions,
  };
  return { result, session };
}

function isClientInfo(value: unknown): boolean {
  return isRecord(value) && typeof value['name'] === 'string' && typeof value['version'] === 'string';
}

/** Every tool the caller sees, sorted by name, in one page. */
export async function listTools(service: Service, call: CallContext): Promise<{ tools: ToolEntry[] }> {
  return { tools: (await service.catalog.tools(call)).map(toolEntry) };
}

/** The answer to one JSON-RPC request. Throws UNKNOWN_METHOD for a method that is not served. */
export async function answer(service: Service, message: RpcMessage, call: CallContext): Promise<object> {
  const { method, params } = message;
  switch (method) {
    case 'tools/list':
      return listTools(service, call);
    case 'tools/call':
      return callNamed(service, params, message.id, call);
    case 'ping':
      return {};
    default:
      // interface.md 4.4, rules 2 and 3: notification methods are recognized, and may come with an id
      if (method.startsWith('notifications/')) {
        notify(service, message, call);
        return {};
      }
      throw new ServiceError(
        'UNKNOWN_METHOD',
        `There is no method ${method.slice(0, 100)}. This endpoint serves initialize, tools/list, tools/call, ping and notifications.`,
      );
  }
}

/** Takes a notification. Only `notifications/cancelled` has an effect: on a call of the same session. */
export function notify({ cancellations }: Service, message: RpcMessage, call: CallContext): void {
  if (message.method === 'notifications/cancelled' && call.session !== undefined) {
    cancellations.cancel(call.session, message.params['requestId']);
  }
}

/** `{name, arguments}`, cancellable by request id within a session. */
export async function callNamed(
  { catalog, cancellations }: Service,
  params: Params,
  id: RpcMessage['id'],
  call: CallContext,
): Promise<WireResult> {
  const { name, args } = readToolCall(params);
  return cancellations.run(call, id, async (own) => completeResult(await catalog.call(name, args, own)));
}
