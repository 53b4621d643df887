import { ServiceError } from '@service-mcp/core';

/** What a client answers to a request of ours: a JSON-RPC response. */
export interface Answer {
  readonly id: string;
  readonly result?: unknown;
  readonly error?: unknown;
}

interface Question {
  readonly asked: string;
  readonly tell: (answer: Answer) => void;
}

/** Questions that wait, in this process. */
const MOST = 2_000;
/** Of one session. */
const MOST_OF_ONE = 16;

/**
 * The requests that calls under way have sent to their clients. An answer comes by a POST of its own; it counts where it names
 * the id of a question, which nobody can guess, and comes from whom that was put to.
 */
export class Questions {
  readonly #waiting = new Map<string, Question>();
  readonly #counts = new Map<string, number>();

  /** Returns the id to ask under. `asked`: the session and the principal. Throws UNAVAILABLE where too many wait. */
  ask(asked: string, tell: (answer: Answer) => void): string {
    const count = this.#counts.get(asked) ?? 0;
    if (this.#waiting.size >= MOST || count >= MOST_OF_ONE) {
      throw new ServiceError(
        'UNAVAILABLE',
        'Too many questions wait for an answer. Answer those first, then call again.',
      );
    }
    const id = crypto.randomUUID();
    this.#waiting.set(id, { asked, tell });
    this.#counts.set(asked, count + 1);
    return id;
  }

  /** False where no such question was put to whoever answers. */
  answer(asked: string, answer: Answer): boolean {
    const question = this.#waiting.get(answer.id);
    if (question?.asked !== asked) return false;
    this.forget(answer.id);
    question.tell(answer);
    return true;
  }

  /** The call that asked has ended, or no longer waits. */
  forget(id: string): void {
    const question = this.#waiting.get(id);
    if (!question) return;
    this.#waiting.delete(id);
    const left = (this.#counts.get(question.asked) ?? 0) - 1;
    if (left > 0) this.#counts.set(question.asked, left);
    else this.#counts.delete(question.asked);
  }

  get waiting(): number {
    return this.#waiting.size;
  }
}

/** Whom a question is put to, and who may answer it. */
export function askedOf(session: string, principal: string): string {
  return `${session} ${principal}`;
}
