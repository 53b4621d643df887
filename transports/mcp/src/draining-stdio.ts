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
    const inlet = draining(unanswered, drainMs);
    super(inlet, stdout);
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

/**
 * Forwards its input without a byte order mark, which clients on .NET and shells of Windows write first, and ends once
 * every request is answered.
 */
function draining(unanswered: Unanswered, drainMs: number): Transform {
  /** The first bytes, while they may be a part of the mark. */
  let head: Buffer | undefined = Buffer.alloc(0);
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (!head) return done(null, chunk);
      head = Buffer.concat([head, chunk]);
      const isMark = BYTE_ORDER_MARK.subarray(0, head.length).equals(
        head.subarray(0, BYTE_ORDER_MARK.length),
      );
      if (isMark && head.length < BYTE_ORDER_MARK.length) return done();
      const first = isMark ? head.subarray(BYTE_ORDER_MARK.length) : head;
      head = undefined;
      done(null, first);
    },
    flush(done) {
      // The last line may lack its line break.
      this.push('\n');
      const drain = async (): Promise<void> => {
        while (this.readableLength > 0 && !this.destroyed) await nextTurn();
        await unanswered.allAnswered(drainMs);
        done();
      };
      void drain();
    },
  });
}
