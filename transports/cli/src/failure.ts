/** Exit codes: 1 a failure, 2 the service is out of reach, 130 interrupted by the person. */
export const EXIT = { ok: 0, failed: 1, unreachable: 2, interrupted: 130 } as const;

export interface Issue {
  readonly path: string;
  readonly message: string;
}

/** A failure as the command line shows it: what went wrong, what to do next, and how to exit. */
export class Failure extends Error {
  readonly exit: number;
  /** What the person does next; one line. */
  readonly next: string | undefined;
  /** A code of the service's error table, where the service answered. */
  readonly code: string | undefined;
  readonly issues: readonly Issue[];
  /** True where the same call may succeed later: connection lost, 429, 503. */
  readonly transient: boolean;
  /** How long the service asked to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(
    message: string,
    options: {
      exit?: number;
      next?: string | undefined;
      code?: string | undefined;
      issues?: readonly Issue[];
      transient?: boolean;
      retryAfterMs?: number | undefined;
      cause?: unknown;
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'Failure';
    this.exit = options.exit ?? EXIT.failed;
    this.next = options.next;
    this.code = options.code;
    this.issues = options.issues ?? [];
    this.transient = options.transient ?? false;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** The error code of a Node system error (`ENOENT`), wherever in the chain of causes it sits. */
export function systemCode(thrown: unknown): string | undefined {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if ('code' in error && typeof error.code === 'string') return error.code;
    // Node tries every address of a name and reports them together.
    if (error instanceof AggregateError) return systemCode(error.errors[0]);
  }
  return undefined;
}

/** The issues inside `error.details` of INVALID_ARGUMENT. */
export function issuesOf(details: unknown): readonly Issue[] {
  const issues = (details as { issues?: unknown } | undefined)?.issues;
  if (!Array.isArray(issues)) return [];
  return issues.filter(
    (issue): issue is Issue => typeof issue?.path === 'string' && typeof issue?.message === 'string',
  );
}

/** Codes after which the same call may succeed: too many at once, storage away, too slow this time. */
export function isTransient(code: string): boolean {
  return code === 'RATE_LIMITED' || code === 'UNAVAILABLE' || code === 'DEADLINE_EXCEEDED';
}
