import { isJSONRPCNotification, isJSONRPCRequest, type JSONRPCMessage } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { Transform, type Readable, type Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';

type RequestId = string | number;

/** Knows which requests wait for their answer. */
class Unanswered {
  readonly #ids = new Set<RequestId>();
  #settled: () => void = () => undefined;

  add(id: RequestId): void {
    this.#ids.add(id);
  }

  settle(id: RequestId): void {
    this.#ids.delete(id);
    if (this.#ids.size === 0) this.#settled();
  }

  /** Resolves when nothing waits any more, at the latest after `mostMs`. */
  async none(mostMs: number): Promise<void> {
    if (this.#ids.size === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, mostMs);
      this.#settled = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  forget(): void {
    this.#ids.clear();
    this.#settled();
  }
}

/** Resolves to the answer to a `subscriptions/listen` that is not to be served, else to undefined. */
type Gate = (message: JSONRPCMessage) => Promise<JSONRPCMessage | undefined>;

interface DrainingOptions {
  /** How long answers are waited for at most once the input has ended. */
  readonly drainMs: number;
  readonly gate: Gate;
  /** Told the id of each request that the client takes back. */
  readonly onCancelled: (id: RequestId) => void;
}

/**
 * Standard input and output that answers what it was asked before it ends: the SDK's transport drops
 * requests under way when its input ends, so it is given an input that ends only after their answers.
 */
export class DrainingStdio extends StdioServerTransport {
  /** Resolves when the transport is closed, for whatever reason. */
  readonly closed: Promise<void>;
  readonly #unanswered: Unanswered;
  readonly #release: () => void;
  readonly #gate: Gate;
  readonly #onCancelled: (id: RequestId) => void;
  /** The last message that waits for the gate; undefined where none does. */
  #gated: Promise<void> | undefined;
  #tellClosed: () => void = () => undefined;

  constructor(stdin: Readable, stdout: Writable, { drainMs, gate, onCancelled }: DrainingOptions) {
    const unanswered = new Unanswered();
    const inlet = draining(unanswered, drainMs);
    super(inlet, stdout);
    this.#unanswered = unanswered;
    this.#gate = gate;
    this.#onCancelled = onCancelled;
    this.closed = new Promise((resolve) => (this.#tellClosed = resolve));
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

  /** The SDK has set its handlers by now; they are called as before. */
  override async start(): Promise<void> {
    const { onmessage, onclose } = this;
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK's transports are no event targets
    this.onmessage = (message) => {
      this.#arrived(message);
      this.#admit(message, (admitted) => onmessage?.(admitted));
    };
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- as above
    this.onclose = () => {
      this.#unanswered.forget();
      this.#release();
      onclose?.();
      this.#tellClosed();
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

  /** Passes the message on, or the gate's answer back; in the order of arrival. */
  #admit(message: JSONRPCMessage, pass: (message: JSONRPCMessage) => void): void {
    const asks = 'method' in message && message.method === 'subscriptions/listen';
    if (!asks && !this.#gated) return pass(message);
    const admit = async (before: Promise<void> | undefined): Promise<void> => {
      // At once, so that the gate knows of a request before its client can take it back.
      const [refusal] = await Promise.all([asks ? this.#gate(message) : undefined, before]);
      if (refusal) await this.send(refusal);
      else pass(message);
    };
    const turn = admit(this.#gated)
      .catch((error: unknown) => this.onerror?.(error as Error)) // all that is thrown here is an Error
      .finally(() => {
        if (this.#gated === turn) this.#gated = undefined;
      });
    this.#gated = turn;
  }

  #arrived(message: JSONRPCMessage): void {
    // A subscription is answered when it is cancelled, not before.
    if (isJSONRPCRequest(message) && message.method !== 'subscriptions/listen') {
      this.#unanswered.add(message.id);
    } else if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled') {
      // What the client takes back gets no answer.
      const id = message.params?.['requestId'];
      if (typeof id !== 'string' && typeof id !== 'number') return;
      this.#unanswered.settle(id);
      this.#onCancelled(id);
    }
  }
}

/** Passes its input on, and ends once nothing is unanswered. */
function draining(unanswered: Unanswered, drainMs: number): Transform {
  return new Transform({
    transform: (chunk, _encoding, done) => done(null, chunk),
    flush(done) {
      // The last line counts without its line break too.
      this.push('\n');
      const drain = async (): Promise<void> => {
        while (this.readableLength > 0 && !this.destroyed) await nextTurn();
        await unanswered.none(drainMs);
        done();
      };
      void drain();
    },
  });
}
