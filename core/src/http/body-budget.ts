import type { ServerResponse } from 'node:http';
import { ServiceError } from '../errors.js';

/** Smaller bodies are not counted: they come with their head, and a flood of them is what rates are for. */
const COUNTED_FROM = 64 * 1024;
const RETRY_AFTER_SECONDS = 1;

/**
 * Limits the bytes of bodies that a process holds, those being read and those of calls that are not answered yet: of one
 * principal half of them, so that nobody takes all.
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
   * Counts a body until its response is closed. The only one of a principal is always taken. Throws UNAVAILABLE where too
   * much is held.
   */
  take(principal: string, bytes: number, response: ServerResponse): void {
    if (bytes < COUNTED_FROM) return;
    const own = this.#heldBy.get(principal) ?? 0;
    const isFull = this.#held + bytes > this.#limit || own + bytes > this.#limit / 2;
    if (isFull && (own > 0 || this.#held >= this.#limit))
      throw new ServiceError(
        'UNAVAILABLE',
        'Too many large requests are under way. Wait for their answers, or send less at a time.',
        { details: { retry_after: RETRY_AFTER_SECONDS } },
      );
    this.#count(principal, bytes);
    response.once('close', () => this.#count(principal, -bytes));
  }

  #count(principal: string, bytes: number): void {
    const own = (this.#heldBy.get(principal) ?? 0) + bytes;
    this.#held += bytes;
    if (own > 0) this.#heldBy.set(principal, own);
    else this.#heldBy.delete(principal);
  }
}
