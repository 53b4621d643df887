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
import { givenUp, lostConnection, notTheService } from './failures.js';
import { remarkOn } from './remarks.js';
import { translated } from './translated.js';

/**
 * What the service is taken to be, so that no call asks it first: revision 2026-07-28, without sessions. There is then
 * no state of a caller, here or there, that another caller or a restart of the service could disturb.
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

/** Questions to the client or its user go on to the gateway's own client, which may refuse them. */
const CAPABILITIES = { elicitation: { form: {} }, sampling: {}, roots: {} };

/** Nothing is validated twice: the service checked its results, and a transport checks what it sends. */
const NO_VALIDATOR = {
  getValidator:
    <T>() =>
    (input: unknown): JsonSchemaValidatorResult<T> => ({
      valid: true,
      data: input as T, // as told above
      errorMessage: undefined,
    }),
};

/** The SDK's own limit is of no use: a call has its deadline, and the connection a limit on silence. */
const NEVER_MS = 2 ** 31 - 1;

/** A call that broke off may have been carried out: it is never sent again. */
const NO_RECONNECTION = {
  maxRetries: 0,
  initialReconnectionDelay: 0,
  maxReconnectionDelay: 0,
  reconnectionDelayGrowFactor: 1,
};

/** What of a call matters here. */
export type CallFacts = Pick<CallContext, 'selection' | 'requestId' | 'signal'> &
  Partial<Pick<CallContext, 'progress' | 'notify' | 'remark' | 'idempotencyKey'>>;

export interface Asking {
  readonly connection: Connection;
  readonly version: string;
  /** Headers with the caller's credential. */
  readonly credential: Readonly<Record<string, string>>;
}

/**
 * Makes a client for one request, and drops it after: 0.1 ms (measured), and calls share nothing but sockets. Throws
 * ServiceError alone; an aborted call closes its request.
 */
export async function inOneCall<T>(
  asking: Asking,
  call: CallFacts,
  work: (client: Client, options: RequestOptions) => Promise<T>,
): Promise<T> {
  const { base } = asking.connection;
  const { signal, progress, notify } = call;
  if (signal.aborted) throw givenUp(base, signal);
  const { client, transport } = await openClient(asking, call);
  if (notify) {
    client.setNotificationHandler('notifications/message', ({ params: { level, logger, data } }) =>
      notify({ level, data, ...(logger !== undefined && { logger }) }),
    );
  }
  const options = {
    signal,
    timeout: NEVER_MS,
    ...(progress && { onprogress: (report: object) => progress(report as Progress) }), // as the wire has it
  };
  try {
    const answer = await Promise.race([work(client, options), transport.brokenOff(base)]);
    // What was answered whole holds nothing open, and closing would cost a tenth of the call.
    if (transport.finish()) await client.close();
    return answer;
  } catch (thrown) {
    await client.close();
    throw translated(base, thrown, signal);
  }
}

/** A client that is connected without having asked anything. `endless`: for a stream that lasts. */
export async function openClient(
  { connection, version, credential }: Asking,
  call: Omit<CallFacts, 'signal'>,
  endless = false,
): Promise<{ readonly client: Client; readonly transport: OneCallTransport }> {
  const transport = new OneCallTransport(new URL(endpoint(connection.base, call.selection)), {
    fetch: async (url, init) => {
      const response = await connection.send(String(url), {
        method: 'POST',
        headers: Object.fromEntries(new Headers(init?.headers)),
        body: init?.body as string, // what the SDK's transport posts is JSON text
        endless,
        probe: endless, // that a service does not tell of its changes is no sign that it is away
        ...(init?.signal && { signal: init.signal }),
        onHeaders: (headers) => remarkOn(call, headers),
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

/** Tells when there will be no answer any more, for which the SDK's client would wait. For one request. */
class OneCallTransport extends StreamableHTTPClientTransport {
  #end: ((streamed: boolean) => void) | undefined;

  override async send(
    message: JSONRPCMessage | JSONRPCMessage[],
    options: Parameters<StreamableHTTPClientTransport['send']>[1] = {},
  ): Promise<void> {
    await super.send(message, { onRequestStreamEnd: () => this.#end?.(true), ...options });
    if (!this.streams) this.#end?.(false);
  }

  /** Set by the answer's head: what answers by a stream is not over when its head is there. */
  streams = false;

  /** The answer is there: nothing is told any more. True where a stream is open. */
  finish(): boolean {
    this.#end = undefined;
    return this.streams;
  }

  /** Rejects with UNAVAILABLE; never resolves. An answer that came was handed on before. */
  brokenOff(base: string): Promise<never> {
    return new Promise((_resolve, reject) => {
      this.#end = (streamed) =>
        setImmediate(() => {
          if (!this.#end) return;
          reject(
            streamed ? lostConnection(base, undefined) : notTheService(base, 'does not answer the call'),
          );
        });
    });
  }
}
