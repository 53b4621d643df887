import {
  Client,
  StreamableHTTPClientTransport,
  type DiscoverResult,
  type JSONRPCMessage,
  type JsonSchemaValidatorResult,
  type RequestOptions,
} from '@modelcontextprotocol/client';
import type { CallContext, Progress } from '@service-mcp/core';
import { endpoint } from './address.js';
import type { Connection } from './connection.js';
import { abortError, connectionError, notTheService } from './connection-errors.js';
import { forwardRateHeaders } from './rate-headers.js';
import { mapError } from './map-error.js';

/**
 * Assumed, so that calls need no discovery: revision 2026-07-28, without sessions. Neither side keeps state per caller,
 * so that callers and restarts of the service do not affect each other.
 */
const SERVICE: DiscoverResult = {
  supportedVersions: ['2026-07-28'],
  capabilities: {
    tools: { listChanged: true },
    resources: { listChanged: true },
    prompts: { listChanged: true },
    completions: {},
    logging: {},
  },
  ttlMs: 0,
  cacheScope: 'private',
  resultType: 'complete',
};

/** Input requests are forwarded to the gateway's client, which can decline them. */
const CAPABILITIES = { elicitation: { form: {} }, sampling: {}, roots: {} };

/** The service validates its results, and the transport validates what it sends. */
const NO_VALIDATOR = {
  getValidator:
    <T>() =>
    (input: unknown): JsonSchemaValidatorResult<T> => ({
      valid: true,
      data: input as T, // see above
      errorMessage: undefined,
    }),
};

/** Disables the SDK's timeout: the call has a deadline, and the connection a response timeout. */
const NO_TIMEOUT_MS = 2 ** 31 - 1;

/** A broken call may have been executed, so it is never sent again. */
const NO_RECONNECTION = {
  maxRetries: 0,
  initialReconnectionDelay: 0,
  maxReconnectionDelay: 0,
  reconnectionDelayGrowFactor: 1,
};

/** The fields of a call that requests use. */
export type CallOptions = Pick<CallContext, 'selection' | 'requestId' | 'signal'> &
  Partial<Pick<CallContext, 'progress' | 'notify' | 'remark' | 'idempotencyKey'>>;

/** How requests reach the service. */
export interface ServiceAccess {
  readonly connection: Connection;
  readonly version: string;
  /** The caller's credential headers. */
  readonly credential: Readonly<Record<string, string>>;
}

/**
 * Creates a client for one request (0.1 ms), so that calls share only sockets. Throws only ServiceError; an aborted
 * call closes its request.
 */
export async function withClient<T>(
  access: ServiceAccess,
  call: CallOptions,
  work: (client: Client, options: RequestOptions) => Promise<T>,
): Promise<T> {
  const { base } = access.connection;
  const { signal, progress, notify } = call;
  if (signal.aborted) throw abortError(base, signal);
  const { client, transport } = await openClient(access, call);
  if (notify) {
    client.setNotificationHandler('notifications/message', ({ params: { level, logger, data } }) =>
      notify({ level, data, ...(logger !== undefined && { logger }) }),
    );
  }
  const options = {
    signal,
    timeout: NO_TIMEOUT_MS,
    ...(progress && { onprogress: (report: object) => progress(report as Progress) }), // the same shape on the wire
  };
  try {
    const result = await Promise.race([work(client, options), transport.rejectWhenEnded(base)]);
    // Closing takes a tenth of the call; without a stream nothing is open.
    if (transport.finish()) await client.close();
    return result;
  } catch (thrown) {
    await client.close();
    throw mapError(base, thrown, signal);
  }
}

/** A connected client; connecting sends no request. `endless`: for a long-lived stream. */
export async function openClient(
  { connection, version, credential }: ServiceAccess,
  call: Omit<CallOptions, 'signal'>,
  endless = false,
): Promise<{ readonly client: Client; readonly transport: SingleCallTransport }> {
  const transport = new SingleCallTransport(new URL(endpoint(connection.base, call.selection)), {
    fetch: async (url, init) => {
      const response = await connection.send(String(url), {
        method: 'POST',
        headers: Object.fromEntries(new Headers(init?.headers)),
        body: init?.body as string, // the SDK's transport posts JSON text
        endless,
        probe: endless, // a rejected change stream does not mean that the service is unavailable
        ...(init?.signal && { signal: init.signal }),
        onHeaders: (headers) => forwardRateHeaders(call, headers),
      });
      transport.streams = response.headers.get('content-type') === 'text/event-stream';
      return response;
    },
    requestInit: {
      headers: {
        ...credential,
        'x-request-id': call.requestId,
        ...(call.idempotencyKey !== undefined && { 'idempotency-key': call.idempotencyKey }),
      },
    },
    reconnectionOptions: NO_RECONNECTION,
  });
  const client = new Client(
    { name: 'service-mcp-gateway', version },
    { capabilities: CAPABILITIES, jsonSchemaValidator: NO_VALIDATOR, inputRequired: { autoFulfill: false } },
  );
  await client.connect(transport, { prior: { kind: 'modern', discover: SERVICE } });
  return { client, transport };
}

/** Transport for one request. Detects a stream that ends without a response, for which the SDK's client waits forever. */
class SingleCallTransport extends StreamableHTTPClientTransport {
  #end: ((streamed: boolean) => void) | undefined;

  override async send(
    message: JSONRPCMessage | JSONRPCMessage[],
    options: Parameters<StreamableHTTPClientTransport['send']>[1] = {},
  ): Promise<void> {
    await super.send(message, { onRequestStreamEnd: () => this.#end?.(true), ...options });
    if (!this.streams) this.#end?.(false);
  }

  /** Set by the response headers: a streamed response continues after them. */
  streams = false;

  /** Stops the detection after a response. True when a stream is open. */
  finish(): boolean {
    this.#end = undefined;
    return this.streams;
  }

  /** Rejects with UNAVAILABLE when the response ends without a result; never resolves. */
  rejectWhenEnded(base: string): Promise<never> {
    return new Promise((_resolve, reject) => {
      this.#end = (streamed) =>
        setImmediate(() => {
          if (!this.#end) return;
          reject(
            streamed ? connectionError(base, undefined) : notTheService(base, 'does not respond to the call'),
          );
        });
    });
  }
}
