import { ServiceError } from '@service-mcp/core';

/** A client's JSON-RPC response to a request of the server. */
export interface Answer {
  readonly id: string;
  readonly result?: unknown;
  readonly error?: unknown;
}

interface PendingRequest {
  readonly recipient: string;
  readonly onAnswer: (answer: Answer) => void;
}

const MAX_PENDING = 2_000;
const MAX_PENDING_PER_RECIPIENT = 16;

/**
 * Requests that running calls have sent to their clients, in this process. The answer arrives in a POST of its own; it
 * is accepted when it names the unguessable id of a pending request and comes from the recipient of that request.
 */
export class PendingRequests {
  readonly #pending = new Map<string, PendingRequest>();
  readonly #counts = new Map<string, number>();

  /** Returns the id to send the request under. `recipient`: see {@link recipientOf}. Throws UNAVAILABLE when too many are pending. */
  add(recipient: string, onAnswer: (answer: Answer) => void): string {
    const count = this.#counts.get(recipient) ?? 0;
    if (this.#pending.size >= MAX_PENDING || count >= MAX_PENDING_PER_RECIPIENT) {
      throw new ServiceError(
        'UNAVAILABLE',
        'Too many questions wait for an answer. Answer those first, then call again.',
      );
    }
    const id = crypto.randomUUID();
    this.#pending.set(id, { recipient, onAnswer });
    this.#counts.set(recipient, count + 1);
    return id;
  }

  /** False when this recipient has no pending request of that id. */
  answer(recipient: string, answer: Answer): boolean {
    const request = this.#pending.get(answer.id);
    if (request?.recipient !== recipient) return false;
    this.remove(answer.id);
    request.onAnswer(answer);
    return true;
  }

  /** For a call that has ended or no longer waits. */
  remove(id: string): void {
    const request = this.#pending.get(id);
    if (!request) return;
    this.#pending.delete(id);
    const left = (this.#counts.get(request.recipient) ?? 0) - 1;
    if (left > 0) this.#counts.set(request.recipient, left);
    else this.#counts.delete(request.recipient);
  }

  get count(): number {
    return this.#pending.size;
  }
}

/** The session and principal that a request is sent to and that may answer it. */
export function recipientOf(session: string, principal: string): string {
  return `${session} ${principal}`;
}
