import { Readable, type Writable } from 'node:stream';
import {
  SdkHttpError,
  StreamableHTTPClientTransport,
  isInitializedNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type RequestId,
} from '@modelcontextprotocol/client';
import { ServiceError } from '@service-mcp/core';
import { createLog } from '@service-mcp/core/host';
import { isRecord, within } from '@service-mcp/core/wire';
import { DrainingStdio, lineFault } from '@service-mcp/transport-mcp';
import { answerFailure, isOpening, openingResult } from './answers.js';
import { broken } from './failures.js';
import { selectionHeaders } from './forward.js';
import type { GatewaySettings } from './settings.js';
import { Upstream } from './upstream.js';

interface RelayOptions {
  readonly signal: AbortSignal;
  /** Tells the person, and the model in the instructions, how to get a key that the service accepts. */
  readonly keyRemedy: string;
  readonly warn: (line: string) => void;
  readonly stdin?: Readable;
  readonly stdout?: Writable;
}

const DRAIN_MS = 30_000;
const CLOSE_WAIT_MS = 1_000;
const RECONNECTION = {
  initialReconnectionDelay: 500,
  maxReconnectionDelay: 10_000,
  reconnectionDelayGrowFactor: 2,
  maxRetries: Infinity,
};
/** The id of the relay's own requests, whose answers the client does not see. */
const REOPENING = 'service-mcp-relay';

/**
 * Relays JSON-RPC messages between standard input and output and the service's `/mcp`, of clients of both eras, until
 * the input ends and its requests are answered, or the signal aborts. The client's conversation outlives the service:
 * a lost session is opened again, and the client learns that lists may have changed.
 */
export async function relayStdio(settings: GatewaySettings, options: RelayOptions): Promise<void> {
  const { stdin = process.stdin, stdout = process.stdout, signal, keyRemedy, warn } = options;
  const { upstream: section, base, version } = settings;
  const upstream = new Upstream(settings, createLog(settings.log.level));
  const stdio = new DrainingStdio(stdin, stdout, { drainMs: DRAIN_MS });
  const key = section.api_key;
  const about = { base, version, answersAlone: true };
  const running = new Map<RequestId, AbortController>();
  let opening: JSONRPCRequest | undefined;
  /** What else the client set in its session: subscriptions by their URIs, and the log level, which has none. */
  const kept = new Map<unknown, JSONRPCRequest>();
  /** The newest stream of changes, and its session. */
  let followed: { readonly session: string | undefined; readonly body: Readable } | undefined;

  /** The SDK's transport over our connections. Throws the ServiceError of a request without a response. */
  async function send(_url: string | URL, init: RequestInit = {}): Promise<Response> {
    const { method = 'GET', signal: leaving } = init;
    const body = typeof init.body === 'string' ? init.body : null;
    const message = body === null ? undefined : (JSON.parse(body) as Record<string, unknown>);
    const given = Object.fromEntries(new Headers(init.headers));
    const headers = { ...given, ...selectionHeaders(settings), ...(key && { 'x-service-api-key': key }) };
    const request = { method, path: '/mcp', headers, body, signal: leaving ?? signal };
    const { statusCode: status, headers: fields, body: answer } = await upstream.send(request);
    if (status === 401 && message && isOpening(message)) {
      warn(keyRemedy);
      const result = openingResult(message, { version, instructions: keyRemedy });
      return Response.json({ jsonrpc: '2.0', id: message['id'], result });
    }
    // The SDK reads no error with a status of its own, and the service cannot name the id of a request that it refused unread.
    if (status >= 400 && message && !(status === 404 && opening))
      return Response.json({ ...((await answer.json()) as object), id: message['id'] });
    if (method === 'GET') {
      const session = given['mcp-session-id'];
      const isSecond = followed?.session === session && followed?.body.destroyed === false;
      if (isSecond || (status === 404 && opening)) {
        answer.on('error', () => undefined).destroy();
        if (opening && !isSecond && session === http.sessionId) await reopenOnce(opening);
        // The SDK follows each session that is opened; a 405 ends the loop that followed the lost one.
        return new Response(null, { status: 405 });
      }
      followed = { session, body: answer };
    }
    const stream = status === 204 ? null : (Readable.toWeb(answer) as ReadableStream<Uint8Array>);
    const returned = Object.entries(fields).map(([name, value]): [string, string] => [name, String(value)]);
    return new Response(stream, { status, headers: returned });
  }

  const http = new StreamableHTTPClientTransport(new URL(`${base}/mcp`), {
    fetch: send,
    reconnectionOptions: RECONNECTION,
  });
  const toClient = (message: JSONRPCMessage): void => {
    if (!('method' in message) && message.id !== undefined) {
      const isCancelled = running.get(message.id)?.signal.aborted ?? false;
      running.delete(message.id);
      if (isJSONRPCResultResponse(message) && [opening?.id, REOPENING].includes(message.id)) {
        const { protocolVersion } = message.result;
        if (typeof protocolVersion === 'string') http.setProtocolVersion(protocolVersion);
      }
      if (isCancelled || message.id === REOPENING) return;
    }
    stdio.send(message).catch(() => undefined); // the client has gone
  };
  const reopen = async (initialize: JSONRPCRequest): Promise<void> => {
    await http.send({ ...initialize, id: REOPENING });
    if (http.sessionId === undefined) return;
    await http.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    for (const message of kept.values()) await http.send({ ...message, id: REOPENING });
    // The new session does not know which lists its client has seen.
    for (const list of ['tools', 'prompts', 'resources'])
      toClient({ jsonrpc: '2.0', method: `notifications/${list}/list_changed` });
  };
  let reopening: Promise<void> | undefined;
  const reopenOnce = (initialize: JSONRPCRequest) =>
    (reopening ??= reopen(initialize).finally(() => (reopening = undefined)));

  async function relay(message: JSONRPCMessage): Promise<void> {
    if (isCancellation(message)) return running.get(message.params.requestId)?.abort();
    if (!isJSONRPCRequest(message)) return forward(message);
    const { id, method } = message;
    const uri = message.params?.['uri'];
    if (method === 'initialize') opening = message;
    if (method === 'resources/subscribe' || method === 'logging/setLevel') kept.set(uri, message);
    if (method === 'resources/unsubscribe') kept.delete(uri);
    const leaving = new AbortController();
    running.set(id, leaving);
    const fail = (thrown?: unknown): void => {
      if (!running.delete(id) || leaving.signal.aborted) return;
      const error = thrown instanceof ServiceError ? thrown : broken(base, thrown);
      toClient(answerFailure(error, 'mcp', { ...message }, about).body as JSONRPCMessage);
    };
    await forward(message, { requestSignal: leaving.signal, onRequestStreamEnd: fail }).catch(fail);
  }

  /** Sends a message within the session of the conversation, which is opened where there is none. */
  async function forward(
    message: JSONRPCMessage,
    how: { requestSignal?: AbortSignal; onRequestStreamEnd?: () => void } = {},
  ) {
    const opens = message === opening || isInitializedNotification(message);
    if (opening && !opens && http.sessionId === undefined) await reopenOnce(opening);
    try {
      await http.send(message, how);
    } catch (thrown) {
      // An unknown session executes nothing.
      if (!opening || opens || !(thrown instanceof SdkHttpError && thrown.status === 404)) throw thrown;
      await reopenOnce(opening);
      await http.send(message, how);
    }
  }

  const receive = (message: JSONRPCMessage) => void relay(message).catch(() => undefined);
  // The SDK's transports are not event targets.
  Object.assign(http, { onmessage: toClient });
  Object.assign(stdio, { onmessage: receive, onerror: (error: Error) => warn(lineFault(error).message) });
  await http.start();
  await stdio.start();
  signal.addEventListener('abort', () => void stdio.close(), { once: true });
  if (signal.aborted) await stdio.close();
  await stdio.closed;
  await within(CLOSE_WAIT_MS, http.terminateSession()).catch(() => undefined);
  await http.close();
  await upstream.close(new ServiceError('UNAVAILABLE', 'The relay has ended.'));
}

function isCancellation(
  message: JSONRPCMessage,
): message is JSONRPCMessage & { params: { requestId: RequestId } } {
  return 'method' in message && message.method === 'notifications/cancelled' && isRecord(message.params);
}
