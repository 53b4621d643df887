import type { ServerResponse } from 'node:http';
import { ServiceError } from '../errors.js';

/** Smaller bodies are not counted: most come with their head, and a flood of them is what rates are for. */
const COUNTED_FROM = 64 * 1024;
const RETRY_AFTER_SECONDS = 1;

/**
 * Limits the bytes of bodies that a process holds, those being read and those of calls that are not answered yet: of one
 * principal half of them, so that nobody takes all. Bytes count once they are there, whatever length was announced.
 */
export class BodyBudget {
  readonly #limit: number;
  readonly #heldBy = new Map<string, number>();
  #held = 0;

  /** `limit`: bytes. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * Counts the bytes of one body as the returned function gets them, until the response is closed. The only body of a
   * principal may pass half of the limit. The function throws UNAVAILABLE where too much is held: drop the body then.
   */
  open(principal: string, response: ServerResponse): (bytes: number) => void {
    let size = 0;
    let counted = 0;
    return (bytes) => {
      size += bytes;
      if (size < COUNTED_FROM || response.closed) return;
      const own = this.#heldBy.get(principal) ?? 0;
      const more = size - counted;
      const isFull = this.#held + more > this.#limit || own + more > this.#limit / 2;
      if (isFull && (own > counted || this.#held - counted >= this.#limit)) {
        this.#count(principal, -counted); // so that of two that grow together one is read
        counted = 0;
        throw new ServiceError(
          'UNAVAILABLE',
          'Too many large requests are under way. Wait for their answers, or send less at a time.',
          { details: { retry_after: RETRY_AFTER_SECONDS } },
        );
      }
      if (counted === 0) response.once('close', () => this.#count(principal, -counted));
      counted = size;
      this.#count(principal, more);
    };
  }

  #count(principal: string, bytes: number): void {
    const own = (this.#heldBy.get(principal) ?? 0) + bytes;
    this.#held += bytes;
    if (own > 0) this.#heldBy.set(principal, own);
    else this.#heldBy.delete(principal);
  }
}
