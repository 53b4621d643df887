import type { ServerResponse } from 'node:http';
import type {
  JSONRPCMessage,
  RequestId,
  Transport,
  TransportSendOptions,
} from '@modelcontextprotocol/server';
import { eventOf, sendHeartbeats, STREAM_HEADERS, writeChunk } from './event-stream.js';
import { finish, type Exchange } from './sdk-bridge.js';
import type { PendingRequests } from './pending-requests.js';

/** Settings of a POST, besides its exchange. */
export interface PostSettings {
  readonly pending: PendingRequests;
  /** The client that gets the questions: see {@link recipientOf}. */
  readonly recipient: string;
  readonly heartbeatMs: number;
}

/**
 * The SDK's transport for one POST of the handshake revisions: one request, one answer. The answer is plain JSON, or ends an
 * event stream when messages were sent before it. A cancelled request ends without an answer, unless the client accepts no
 * stream. Requests to the client are sent under an id of {@link PendingRequests}.
 */
export class PostTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Resolves when the answer is written, or the client has disconnected. */
  readonly answered: Promise<void>;
  readonly #res: ServerResponse;
  readonly #exchange: Exchange;
  readonly #settings: PostSettings;
  /** Ids of our requests on the wire, by those of the SDK. */
  readonly #wireIds = new Map<RequestId, string>();
  #resolveAnswered: () => void = () => undefined;

  constructor(res: ServerResponse, exchange: Exchange, settings: PostSettings) {
    this.#res = res;
    this.#exchange = exchange;
    this.#settings = settings;
    this.answered = new Promise((resolve) => (this.#resolveAnswered = resolve));
  }

  async start(): Promise<void> {
    // The creator delivers the one message.
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (!('method' in message)) return this.#answer(message);
    // A message without a request has no stream here, and a client that accepts none gets only the answer.
    if (options?.relatedRequestId === undefined || !this.#exchange.streams) return;
    this.#stream(this.#addressed(message));
  }

  async close(): Promise<void> {
    for (const id of this.#wireIds.values()) this.#settings.pending.remove(id);
    this.#wireIds.clear();
    this.#resolveAnswered();
    this.onclose?.();
  }

  /** The message under the wire id, when it is a request to the client or cancels one. */
  #addressed(message: Extract<JSONRPCMessage, { method: string }>): JSONRPCMessage {
    const { pending, recipient } = this.#settings;
    if ('id' in message) {
      const own = message.id;
      const id = pending.add(recipient, (answer) => {
        this.#wireIds.delete(own);
        this.onmessage?.({ ...answer, jsonrpc: '2.0', id: own } as JSONRPCMessage); // the SDK checks it
      });
      this.#wireIds.set(own, id);
      return { ...message, id };
    }
    if (message.method !== 'notifications/cancelled') return message;
    const own = message.params?.['requestId'] as RequestId;
    const id = this.#wireIds.get(own);
    if (id === undefined) return message;
    this.#wireIds.delete(own);
    pending.remove(id);
    return { ...message, params: { ...message.params, requestId: id } };
  }

  #stream(message: JSONRPCMessage): void {
    const res = this.#res;
    if (!res.headersSent && !res.destroyed) {
      res.writeHead(200, { ...STREAM_HEADERS, ...this.#exchange.headers });
      sendHeartbeats(res, this.#settings.heartbeatMs);
    }
    writeChunk(res, eventOf(message));
  }

  #answer(message: JSONRPCMessage): void {
    const res = this.#res;
    const { headers: more, isCancelled, streams } = this.#exchange;
    if (isCancelled?.() && streams) {
      // Clients warn of an answer to a cancelled request.
      if (!res.headersSent && !res.destroyed) res.writeHead(200, { ...STREAM_HEADERS, ...more });
      res.end();
    } else if (res.headersSent) {
      writeChunk(res, eventOf(message));
      res.end();
    } else if (!res.destroyed) {
      const headers = { 'content-type': 'application/json', ...more };
      finish(res, this.#exchange, 200, headers, JSON.stringify(message));
    }
    this.#resolveAnswered();
  }
}
