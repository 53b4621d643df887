import { ERRORS, ServiceError, invalidArgument, type ErrorCode } from '@service-mcp/core';
import {
  completeResult,
  errorResult,
  idOf,
  isRecord,
  negotiateVersion,
  rpcFailure,
} from '@service-mcp/core/wire';

/** The format of the failures of an address: MCP, JSON-RPC, the compatibility routes, or the envelope of REST. */
export type Format = 'mcp' | 'rpc' | 'plain' | 'rest';

/** An HTTP answer. */
export interface Answer {
  readonly status: number;
  readonly body: object;
}

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
  if (path.endsWith('/tools/call')) {
    const params = { name: given['name'] ?? given['tool'], arguments: given['arguments'] ?? given['input'] };
    return { method: 'tools/call', params };
  }
  return { method: 'tools/call', params: { name: path.slice(path.lastIndexOf('/') + 1), arguments: given } };
}

/** Is it a call of `help`, which is answered without the service? */
export function callsHelp({ method, params }: Record<string, unknown>): boolean {
  return method === 'tools/call' && isRecord(params) && params['name'] === 'help';
}

/**
 * The answer to a request that failed, in the format of its address. Where the service is away, the gateway answers
 * `help`, `ping` and the opening of a conversation by itself.
 */
export function answerFailure(
  failure: ServiceError,
  format: Exclude<Format, 'rest'>,
  request: Record<string, unknown>,
  about: About,
): Answer {
  let error = failure;
  try {
    const result = about.answersAlone && isAbsence(failure.code) ? offlineResult(request, about) : undefined;
    if (result) return { status: 200, body: format === 'plain' ? result : response(request, result) };
  } catch (thrown) {
    if (!(thrown instanceof ServiceError)) throw thrown;
    error = thrown;
  }
  const { http, mcp } = ERRORS[error.code];
  if (format === 'plain') return { status: http, body: { error: error.body } };
  const id = idOf(request);
  const isAnswered = id !== null && mcp !== 'http' && !(format === 'rpc' && http === 429);
  if (format === 'mcp' && isAnswered && mcp === 'result' && request['method'] === 'tools/call')
    return { status: 200, body: response(request, { ...errorResult(error), ...ofEra(request) }) };
  return { status: isAnswered ? 200 : http, body: rpcFailure(error, id) };
}

/** The answer to a body that is not a JSON-RPC request, which needs no service. */
export function answerInvalid(fault: ServiceError, body: unknown): Answer {
  const { http, mcp } = ERRORS[fault.code];
  return { status: mcp === 'http' ? http : 200, body: rpcFailure(fault, idOf(body)) };
}

export const isAbsence = (code: ErrorCode) => code === 'UNAVAILABLE' || code === 'DEADLINE_EXCEEDED';

function response(request: Record<string, unknown>, result: object): object {
  return { jsonrpc: '2.0', id: idOf(request), result };
}

/** Results of revision 2026-07-28 say that they are complete. */
function ofEra({ params }: Record<string, unknown>): object {
  const meta = isRecord(params) && isRecord(params['_meta']) ? params['_meta'] : {};
  return 'io.modelcontextprotocol/protocolVersion' in meta ? { resultType: 'complete' } : {};
}

/** The result of a request that the gateway can answer without the service. Throws INVALID_ARGUMENT. */
function offlineResult(request: Record<string, unknown>, about: About): object | undefined {
  const { method, params } = request;
  const { version, base } = about;
  const instructions = `The service at ${base} does not respond. Only help works; every other call fails with UNAVAILABLE until the service is back.`;
  if (callsHelp(request)) return { ...help(params as Record<string, unknown>, about), ...ofEra(request) };
  if (method === 'ping') return {};
  if (method === 'initialize' || method === 'server/discover')
    return openingResult(request, { version, instructions });
  return undefined;
}

/** What `initialize` and `server/discover` answer where the service does not. */
export function openingResult(
  { method, params }: Record<string, unknown>,
  { version, instructions }: { readonly version: string; readonly instructions: string },
): object {
  const lists = { listChanged: true };
  const capabilities = { tools: lists, resources: { ...lists, subscribe: true }, prompts: lists };
  const all = { ...capabilities, completions: {}, logging: {} };
  const serverInfo = { name: 'service-mcp', version };
  if (method !== 'initialize') {
    const cache = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
    return { supportedVersions: ['2026-07-28'], capabilities: all, serverInfo, instructions, ...cache };
  }
  const asked = isRecord(params) ? params['protocolVersion'] : undefined;
  return { protocolVersion: negotiateVersion(asked), capabilities: all, serverInfo, instructions };
}

const ACTIONS = ['version', 'tools', 'toolsets', 'errors'];

/** The result of `help`, in the service's format; only help can be called. */
function help({ arguments: args }: Record<string, unknown>, { version, base }: About): object {
  const { action = 'tools' } = isRecord(args) ? args : {};
  if (!ACTIONS.includes(String(action)))
    throw invalidArgument('/action', `must be one of ${ACTIONS.join(', ')}`);
  const text = `The service at ${base} does not respond, so only help is available. Try again in a moment.`;
  const details = {
    ...(action === 'tools' && { tools: [{ name: 'help', title: 'Help', effect: 'read' }] }),
    ...(action === 'toolsets' && { toolsets: [] }),
    ...(action === 'errors' && {
      errors: Object.entries(ERRORS).map(([code, { http, rpc }]) => ({ code, http, rpc })),
    }),
  };
  const structured = { server: 'service-mcp', version, ...details };
  return completeResult({ kind: 'complete', structured, content: [{ type: 'text', text }] });
}
