/** A call that failed, in the words of the service. `status` is 0 where no answer came. */
export class Failure extends Error {
  readonly status: number;
  readonly code: string;
  /** Message by the JSON Pointer of an argument, of INVALID_ARGUMENT. */
  readonly issues: ReadonlyMap<string, string>;
  /** The argument that names what is absent or not the only one, where the service tells it. */
  readonly argument: string | undefined;
  /** Ids of what is there and resembles what was asked for, or fits as well; the nearest first. */
  readonly suggestions: readonly string[];
  /** Seconds, where the service says when to try again. */
  readonly retryAfter: number | undefined;
  /** Whether the record was changed after it was read. Other conflicts are not about time, such as a name that is taken. */
  readonly isChangedSince: boolean;

  constructor(status: number, error: Partial<ErrorBody>, retryAfter?: number) {
    super(error.message ?? 'The service gave no reason.');
    this.status = status;
    this.code = error.code ?? 'UNKNOWN';
    this.issues = new Map((error.details?.issues ?? []).map(({ path, message }) => [path, message]));
    this.argument = error.details?.argument;
    this.suggestions = idsOf(error.details?.suggestions ?? error.details?.candidates);
    this.retryAfter = retryAfter;
    this.isChangedSince = this.code === 'CONFLICT' && error.details?.updated_at !== undefined;
  }
}

export interface ErrorBody {
  readonly code: string;
  readonly message: string;
  readonly details?: {
    readonly issues?: readonly { readonly path: string; readonly message: string }[];
    readonly argument?: string;
    /** Each tool has its own: texts, or objects with an `id`. */
    readonly suggestions?: unknown;
    readonly candidates?: unknown;
    /** When the record was changed last, where a change came from an older state of it. */
    readonly updated_at?: string;
  };
}

function idsOf(suggestions: unknown): string[] {
  if (!Array.isArray(suggestions)) return [];
  return suggestions
    .map((each: unknown) => (typeof each === 'object' && each !== null && 'id' in each ? each.id : each))
    .filter((id) => typeof id === 'string');
}

const UNREACHABLE = 'UNREACHABLE';
export const UNANSWERED = 'UNANSWERED';

export function unreachable(): Failure {
  const message = 'The service does not answer. The page continues as soon as it does.';
  return new Failure(0, { code: UNREACHABLE, message });
}

/**
 * Rejects with what a person is told of a change that failed. Where no answer came it may be done, or not, and nothing
 * sends it again.
 */
export function ofChange(error: unknown): never {
  if (!(error instanceof Failure) || error.code !== UNREACHABLE) throw error;
  const message = 'The service does not answer. This may not have been done.';
  throw new Failure(0, { code: UNANSWERED, message });
}

/** Whether a call may succeed when it is sent again as it is. */
export function isPassing(error: unknown): boolean {
  return error instanceof Failure && (error.status === 0 || error.status === 503);
}
