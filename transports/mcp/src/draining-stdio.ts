import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type RequestId,
} from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { Transform, type Readable, type Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ServiceError } from '@service-mcp/core';
import { rpcError } from '@service-mcp/core/wire';
import { withKnownMembers } from './known-members.js';
import { LISTEN } from './subscribe.js';
import type { SubscriptionGate } from './subscription-gate.js';

/** Tracks requests without an answer. */
class Unanswered {
  readonly #ids = new Set<RequestId>();
  #onEmpty: () => void = () => undefined;

  add(id: RequestId): void {
    this.#ids.add(id);
  }

  settle(id: RequestId): void {
    this.#ids.delete(id);
    if (this.#ids.size === 0) this.#onEmpty();
  }

  /** Resolves when every request is answered, at the latest after `timeoutMs`. */
  async allAnswered(timeoutMs: number): Promise<void> {
    if (this.#ids.size === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, timeoutMs);
      this.#onEmpty = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  clear(): void {
    this.#ids.clear();
    this.#onEmpty();
  }
}

interface DrainingOptions {
  /** Longest wait for answers once the input has ended. */
  readonly drainMs: number;
  /** Answers subscriptions that are refused; without one every message goes on. */
  readonly gate?: SubscriptionGate;
}

/**
 * Standard input and output that answers pending requests before it ends: the SDK's transport drops them when
 * its input ends, so its input is a stream that ends only after their answers.
 */
export class DrainingStdio extends StdioServerTransport {
  /** Resolves when the transport has closed, for any reason. */
  readonly closed: Promise<void>;
  readonly #unanswered: Unanswered;
  readonly #release: () => void;
  readonly #gate: SubscriptionGate | undefined;
  /** The last message that waits for the gate, undefined when there is none. */
  #gated: Promise<void> | undefined;
  #resolveClosed: () => void = () => undefined;

  constructor(stdin: Readable, stdout: Writable, { drainMs, gate }: DrainingOptions) {
    const unanswered = new Unanswered();
    const inlet = draining(unanswered, drainMs, (ends) => this.#refuseLong(ends));
    // It gets whole lines, so that its buffer needs no limit of its own.
    super(inlet, stdout, { maxBufferSize: Infinity });
    this.#unanswered = unanswered;
    this.#gate = gate;
    this.closed = new Promise((resolve) => (this.#resolveClosed = resolve));
    const end = (): void => void inlet.end();
    const fail = (error: Error): void => {
      this.onerror?.(error);
      end();
    };
    if (stdin.readableEnded || stdin.destroyed) end();
    stdin.on('error', fail).on('close', end).pipe(inlet);
    this.#release = () => {
      stdin.off('error', fail).off('close', end).unpipe(inlet);
      stdin.pause();
      inlet.destroy();
    };
  }

  /** Wraps the handlers that the SDK has set by now. */
  override async start(): Promise<void> {
    const { onmessage, onclose } = this;
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK's transports are not event targets
    this.onmessage = (message) => {
      this.#arrived(message);
      this.#admit(message, (admitted) => onmessage?.(admitted));
    };
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- as above
    this.onclose = () => {
      this.#unanswered.clear();
      this.#release();
      onclose?.();
      this.#resolveClosed();
    };
    await super.start();
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    try {
      await super.send(message);
    } finally {
      if (!('method' in message) && message.id !== undefined) this.#unanswered.settle(message.id);
    }
  }

  /** Forwards the message, or sends the gate's refusal back, in the order of arrival. */
  #admit(message: JSONRPCMessage, pass: (message: JSONRPCMessage) => void): void {
    const subscription = this.#gate && isSubscription(message) ? message : undefined;
    if (!subscription && !this.#gated) return pass(message);
    const admit = async (before: Promise<void> | undefined): Promise<void> => {
      // The gate runs at once, so that it knows a request before its client can cancel it.
      const [refusal] = await Promise.all([subscription && this.#gate?.open(subscription), before]);
      if (refusal) await this.send(refusal);
      else pass(message);
    };
    const turn = admit(this.#gated)
      .catch((error: unknown) => this.onerror?.(error as Error)) // only Errors are thrown here
      .finally(() => {
        if (this.#gated === turn) this.#gated = undefined;
      });
    this.#gated = turn;
  }

  /** Answers a request that is too long, where its id can be told; the conversation goes on. */
  #refuseLong(ends: string): void {
    const id = idIn(ends);
    const message = `An input line is over ${MAX_LINE_BYTES} bytes and was skipped. Send less at a time.`;
    if (id === undefined) return this.onerror?.(new Error(message));
    const error = rpcError(new ServiceError('PAYLOAD_TOO_LARGE', message));
    super.send({ jsonrpc: '2.0', id, error }).catch(() => undefined); // the client has gone
  }

  #arrived(message: JSONRPCMessage): void {
    // A subscription is answered only when it is cancelled.
    if (isJSONRPCRequest(message) && !isSubscription(message)) this.#unanswered.add(message.id);
    else if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled') {
      // A cancelled request gets no answer.
      const id = message.params?.['requestId'];
      if (typeof id !== 'string' && typeof id !== 'number') return;
      this.#unanswered.settle(id);
      this.#gate?.close(id);
    }
  }
}

function isSubscription(message: JSONRPCMessage): message is JSONRPCRequest & { method: typeof LISTEN } {
  return isJSONRPCRequest(message) && message.method === LISTEN;
}

const BYTE_ORDER_MARK = Buffer.from('\ufeff');
const NEWLINE = 0x0a;
/** A call of the largest body of a tool, 16 MiB, and as much again for what JSON escapes in it. */
const MAX_LINE_BYTES = 32 * 1024 * 1024;
/** Bytes of either end of a longer line, of which one holds the id of its request. */
const END_BYTES = 512;
const ID_AT_START =
  /^\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?(?:"method"\s*:\s*"[^"]*"\s*,\s*)?"id"\s*:\s*(\d+|"[^"\\]*")\s*,/;
const ID_AT_END = /,\s*"id"\s*:\s*(\d+|"[^"\\]*")\s*\}$/;

/** The id of the request whose start and end these are, where it can be told. */
function idIn(ends: string): RequestId | undefined {
  if (!ends.includes('"method"')) return undefined; // an answer of the client
  const [, id] = ID_AT_START.exec(ends) ?? ID_AT_END.exec(ends) ?? [];
  return id === undefined ? undefined : (JSON.parse(id) as RequestId); // a number or a text, by the expressions
}

/** A line without members that MCP does not know; one that is not JSON stays, to be reported. */
function knownLine(line: Buffer): Buffer {
  try {
    const message: unknown = JSON.parse(line.toString());
    const known = withKnownMembers(message);
    return known === message ? line : Buffer.from(`${JSON.stringify(known)}\n`);
  } catch {
    return line;
  }
}

/**
 * Forwards its input line by line, without a byte order mark, which clients on .NET and shells of Windows write first, and
 * ends once every request is answered. A line over {@link MAX_LINE_BYTES} is dropped and reported by its ends.
 */
function draining(unanswered: Unanswered, drainMs: number, onTooLong: (ends: string) => void): Transform {
  let parts: Buffer[] = [];
  let bytes = 0;
  let isFirst = true;
  const add = (part: Buffer): void => {
    parts.push(part);
    bytes += part.length;
    if (bytes <= MAX_LINE_BYTES) return;
    const whole = Buffer.concat(parts);
    parts = [whole.subarray(0, END_BYTES), whole.subarray(-END_BYTES)].map((end) => Buffer.from(end));
  };
  const take = (): Buffer => {
    const whole = Buffer.concat(parts);
    const isTooLong = bytes > MAX_LINE_BYTES;
    const hasMark = isFirst && whole.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
    const line = hasMark ? whole.subarray(BYTE_ORDER_MARK.length) : whole;
    [parts, bytes, isFirst] = [[], 0, false];
    if (!isTooLong) return knownLine(line);
    onTooLong(line.toString().trim());
    return Buffer.alloc(0);
  };
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let from = 0;
      for (let end; (end = chunk.indexOf(NEWLINE, from) + 1) > 0; from = end) {
        add(chunk.subarray(from, end));
        this.push(take());
      }
      if (from < chunk.length) add(chunk.subarray(from));
      done();
    },
    flush(done) {
      // The last line may lack its line break.
      this.push(Buffer.concat([take(), Buffer.of(NEWLINE)]));
      const drain = async (): Promise<void> => {
        while (this.readableLength > 0 && !this.destroyed) await nextTurn();
        await unanswered.allAnswered(drainMs);
        done();
      };
      void drain();
    },
  });
}
