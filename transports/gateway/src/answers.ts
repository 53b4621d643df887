import { ERRORS, ServiceError, invalidArgument } from '@service-mcp/core';
import {
  SERVER_CAPABILITIES,
  completeResult,
  errorResult,
  idOf,
  isRecord,
  negotiateVersion,
  rpcFailure,
  rpcStatus,
} from '@service-mcp/core/wire';

/** The format of the failures of an address: MCP, JSON-RPC, the compatibility routes, or the envelope of REST. */
export type Format = 'mcp' | 'rpc' | 'plain' | 'rest';

interface About {
  readonly version: string;
  /** Address of the service. */
  readonly base: string;
  /** False: nothing is answered without the service, which alone knows whether a credential is good. */
  readonly answersAlone: boolean;
}

/** The JSON-RPC request that a body stands for: the body itself, or the arguments of a compatibility route. */
export function requestOf(format: Format, path: string, body: unknown): Record<string, unknown> {
  const given = isRecord(body) ? body : {};
  if (format !== 'plain') return given;
  if (path.endsWith('/initialize')) return { method: 'initialize', params: given };
  const params = path.endsWith('/tools/call')
    ? { name: given['name'] ?? given['tool'], arguments: given['arguments'] ?? given['input'] }
    : { name: path.slice(path.lastIndexOf('/') + 1), arguments: given };
  return { method: 'tools/call', params };
}

/** Is it a call of `help`, which is answered without the service? */
function callsHelp({ method, params }: Record<string, unknown>): boolean {
  return method === 'tools/call' && isRecord(params) && params['name'] === 'help';
}

/** Does the request open a conversation? */
export function isOpening({ method }: Record<string, unknown>): boolean {
  return method === 'initialize' || method === 'server/discover';
}

/**
 * The answer to a request that failed, in the format of its address. Where the service is away, the gateway answers
 * `help`, `ping` and the opening of a conversation by itself, but on a compatibility route.
 */
export function answerFailure(
  failure: ServiceError,
  format: Exclude<Format, 'rest'>,
  request: Record<string, unknown>,
  about: About,
): { readonly status: number; readonly body: object } {
  let error = failure;
  const id = idOf(request);
  try {
    const isAway = failure.code === 'UNAVAILABLE' || failure.code === 'DEADLINE_EXCEEDED';
    // The session that a compatibility route answers with is the service's.
    const keepsSession = format === 'plain' && isOpening(request);
    const result = isAway && about.answersAlone && !keepsSession ? offlineResult(request, about) : undefined;
    if (result) return { status: 200, body: format === 'plain' ? result : { jsonrpc: '2.0', id, result } };
  } catch (thrown) {
    if (!(thrown instanceof ServiceError)) throw thrown;
    error = thrown;
  }
  const { http, mcp } = ERRORS[error.code];
  if (format === 'plain') return { status: http, body: { error: error.body } };
  const body = rpcFailure(error, id);
  if (format === 'rpc') return { status: rpcStatus(error), body };
  if (id === null || mcp === 'http') return { status: http, body };
  if (mcp !== 'result' || request['method'] !== 'tools/call') return { status: 200, body };
  return { status: 200, body: { jsonrpc: '2.0', id, result: { ...errorResult(error), ...COMPLETE } } };
}

/** Results of revision 2026-07-28 say that they are complete; clients of earlier ones ignore it. */
const COMPLETE = { resultType: 'complete' };

/** The result of a request that the gateway can answer without the service. Throws INVALID_ARGUMENT. */
function offlineResult(request: Record<string, unknown>, { version, base }: About): object | undefined {
  const fault = `The service at ${base} does not respond`;
  if (callsHelp(request)) {
    const text = `${fault}, so only help is available. Try again in a moment.`;
    return help(request['params'] as Record<string, unknown>, version, text); // as callsHelp saw
  }
  if (request['method'] === 'ping') return {};
  const instructions = `${fault}. Only help works; every other call fails with UNAVAILABLE until the service is back.`;
  return isOpening(request) ? openingResult(request, { version, instructions }) : undefined;
}

/** The result of `initialize` and `server/discover` where the service gives none. */
export function openingResult(
  { method, params }: Record<string, unknown>,
  about: { readonly version: string; readonly instructions: string },
): object {
  const serverInfo = { name: 'service-mcp', version: about.version };
  const common = { capabilities: SERVER_CAPABILITIES, serverInfo, instructions: about.instructions };
  if (method !== 'initialize')
    return { supportedVersions: ['2026-07-28'], ...common, ...COMPLETE, ttlMs: 0, cacheScope: 'private' };
  const asked = isRecord(params) ? params['protocolVersion'] : undefined;
  return { protocolVersion: negotiateVersion(asked), ...common };
}

/** What `help` says beside the version, by its action, in the service's format; only help can be called. */
const HELP: Readonly<Record<string, object>> = {
  version: {},
  tools: { tools: [{ name: 'help', title: 'Help', effect: 'read' }] },
  toolsets: { toolsets: [] },
  errors: { errors: Object.entries(ERRORS).map(([code, { http, rpc }]) => ({ code, http, rpc })) },
};

function help({ arguments: args }: Record<string, unknown>, version: string, text: string): object {
  const { action = 'tools' } = isRecord(args) ? args : {};
  const actions = Object.keys(HELP);
  if (!actions.includes(String(action)))
    throw invalidArgument('/action', `must be one of ${actions.join(', ')}`);
  const structured = { server: 'service-mcp', version, ...HELP[String(action)] };
  return {
    ...completeResult({ kind: 'complete', structured, content: [{ type: 'text', text }] }),
    ...COMPLETE,
  };
}
