import type { ServerResponse } from 'node:http';
import type { JSONRPCMessage, Transport, TransportSendOptions } from '@modelcontextprotocol/server';
import { eventOf, feed, HEARTBEAT, STREAM_HEADERS } from './event-stream.js';
import { finish, type Exchange } from './exchange.js';
import type { Questions } from './questions.js';

type RequestId = string | number;

/** What a POST needs besides its exchange. */
export interface PostSettings {
  readonly questions: Questions;
  /** To whom questions are put: the session and the principal. */
  readonly asked: string;
  readonly heartbeatMs: number;
}

/**
 * The SDK's end of one POST of the handshake's revisions: one request in, one answer out. The answer is plain JSON, unless
 * something is to be sent before it: then it becomes an event stream, which the answer ends. What the client has
 * taken back ends without an answer, unless it reads no stream. A request to the
 * client goes out under an id of {@link Questions}.
 */
export class PostTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Resolves when the answer is written, or the client is gone. */
  readonly answered: Promise<void>;
  readonly #res: ServerResponse;
  readonly #exchange: Exchange;
  readonly #settings: PostSettings;
  /** Ids under which questions went out, by those of the SDK. */
  readonly #asked = new Map<RequestId, string>();
  #heartbeat: NodeJS.Timeout | undefined;
  #tellAnswered: () => void = () => undefined;

  constructor(res: ServerResponse, exchange: Exchange, settings: PostSettings) {
    this.#res = res;
    this.#exchange = exchange;
    this.#settings = settings;
    this.answered = new Promise((resolve) => (this.#tellAnswered = resolve));
  }

  async start(): Promise<void> {
    // The one message is handed over by whoever made this.
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (!('method' in message)) return this.#answer(message);
    // What belongs to no request has no stream here, and a client that reads none gets the answer alone.
    if (options?.relatedRequestId === undefined || !this.#exchange.streams) return;
    this.#stream(this.#addressed(message));
  }

  async close(): Promise<void> {
    clearInterval(this.#heartbeat);
    for (const id of this.#asked.values()) this.#settings.questions.forget(id);
    this.#asked.clear();
    this.#tellAnswered();
    this.onclose?.();
  }

  /** The message with the id that its receiver sees, where it is a question or takes one back. */
  #addressed(message: Extract<JSONRPCMessage, { method: string }>): JSONRPCMessage {
    const { questions, asked } = this.#settings;
    if ('id' in message) {
      const own = message.id;
      const id = questions.ask(asked, (answer) => {
        this.#asked.delete(own);
        this.onmessage?.({ ...answer, jsonrpc: '2.0', id: own } as JSONRPCMessage); // the SDK checks it
      });
      this.#asked.set(own, id);
      return { ...message, id };
    }
    if (message.method !== 'notifications/cancelled') return message;
    const own = message.params?.['requestId'] as RequestId;
    const id = this.#asked.get(own);
    if (id === undefined) return message;
    this.#asked.delete(own);
    questions.forget(id);
    return { ...message, params: { ...message.params, requestId: id } };
  }

  #stream(message: JSONRPCMessage): void {
    const res = this.#res;
    if (!res.headersSent && !res.destroyed) {
      res.writeHead(200, { ...STREAM_HEADERS, ...this.#exchange.headers });
      this.#heartbeat = setInterval(() => feed(res, HEARTBEAT), this.#settings.heartbeatMs).unref();
    }
    feed(res, eventOf(message));
  }

  #answer(message: JSONRPCMessage): void {
    const res = this.#res;
    const { headers: more, isCancelled, streams } = this.#exchange;
    if (isCancelled?.() && streams) {
      // No answer is due any more, and clients warn of one: the stream ends without.
      if (!res.headersSent && !res.destroyed) res.writeHead(200, { ...STREAM_HEADERS, ...more });
      res.end();
    } else if (res.headersSent) {
      feed(res, eventOf(message));
      res.end();
    } else if (!res.destroyed) {
      const headers = { 'content-type': 'application/json', ...more };
      finish(res, this.#exchange, 200, headers, JSON.stringify(message));
    }
    this.#tellAnswered();
  }
}
