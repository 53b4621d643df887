import { diskRemedy, systemCode, systemReason } from '@service-mcp/core/wire';
import { printableLines } from './terminal/format.js';

/** Exit codes: 1 a failure, 2 the service is out of reach, 130 interrupted by Ctrl-C (143 by SIGTERM). */
export const EXIT = { ok: 0, failed: 1, unreachable: 2, interrupted: 130 } as const;

export interface Issue {
  readonly path: string;
  readonly message: string;
}

/** A failure as the command line shows it: what went wrong, what to do next, and how to exit. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly exit: number = EXIT.failed;
  /** The person's next step; one line. */
  readonly next: string | undefined;
  /** A code of the service's error table, where the service answered. */
  readonly code: string | undefined;
  readonly issues: readonly Issue[] = [];
  /** True where the same call may succeed later: connection lost, 429, 503. */
  readonly transient: boolean = false;
  /** The wait that the service asked for, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** The reason in `details` of the service, such as `disk_full`. */
  readonly reason: string | undefined;

  constructor(message: string, { cause, ...details }: FailureDetails = {}) {
    super(message, cause === undefined ? undefined : { cause });
    Object.assign(this, details);
  }

  /** The same failure, caused by this one, with other details. */
  with(details: FailureDetails, message = this.message): Failure {
    const { exit, next, code, issues, transient, retryAfterMs, reason } = this;
    const own = { exit, next, code, issues, transient, retryAfterMs, reason };
    return new Failure(message, { ...own, ...details, cause: this });
  }

  /** Message and next step in one line, for a terminal: a server may have written them. */
  get line(): string {
    return printableLines([this.message, this.next].filter(Boolean).join(' '));
  }
}

type FailureDetails = Partial<
  Pick<Failure, 'exit' | 'next' | 'code' | 'issues' | 'transient' | 'retryAfterMs' | 'reason' | 'cause'>
>;

/** True for a Failure with one of these codes of the service. */
export function isRefusal(thrown: unknown, ...codes: readonly string[]): thrown is Failure {
  return thrown instanceof Failure && thrown.code !== undefined && codes.includes(thrown.code);
}

/** For `catch`: says how far a command came that its person stopped, and how it goes on. Rethrows everything else. */
export function whenStopped(
  signal: AbortSignal,
  message: () => string,
  next: string,
): (thrown: unknown) => never {
  return (thrown) => {
    throw signal.aborted ? new Failure(message(), { next, cause: thrown }) : thrown;
  };
}

/** The reason of a system error, for messages: `no such file or folder, ENOENT`. */
export function reasonOf(thrown: unknown): string {
  const code = systemCode(thrown);
  return code === undefined ? 'unknown error' : systemReason(code);
}

/** `/a/b cannot be written (permission denied, EACCES).`, with what to do next. */
export function fileFailure(path: string, verb: 'read' | 'written', next: string, cause: unknown): Failure {
  return new Failure(`${path} cannot be ${verb} (${reasonOf(cause)}).`, { next, cause });
}

/** What to do about a disk that takes no writes, where the error says that; else what is usually done. */
export function diskRemedyOr(thrown: unknown, usual: string): string {
  return diskRemedy(systemCode(thrown)) ?? usual;
}

/** A file of --out cannot be written. */
export function outFailure(path: string, cause: unknown): Failure {
  const disk = diskRemedy(systemCode(cause));
  const next = disk
    ? `${disk}, or name a file elsewhere, with --out.`
    : 'Name a file in an existing folder, with --out.';
  return fileFailure(path, 'written', next, cause);
}

/** A refusal of the service as a Failure, with the issues in `details` of INVALID_ARGUMENT. */
export function refusal(code: string, message: string, details: unknown, more: FailureDetails = {}): Failure {
  const { issues: found, reason } = (details ?? {}) as { issues?: unknown; reason?: unknown }; // of any shape
  const issues = (Array.isArray(found) ? found : []).filter(
    (issue): issue is Issue => typeof issue?.path === 'string' && typeof issue?.message === 'string',
  );
  const transient = ['RATE_LIMITED', 'UNAVAILABLE', 'DEADLINE_EXCEEDED'].includes(code);
  return new Failure(message, {
    code,
    transient,
    issues,
    ...(typeof reason === 'string' && { reason }),
    ...more,
  });
}

/** A thrown error as a Failure: the first line is its message, the others are the remedy, as BootError of core writes them. */
export function fromLines(thrown: unknown): Failure {
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  const [message = '', ...remedy] = text.split('\n').map((line) => line.trim());
  return new Failure(message, { next: remedy.join(' ') || undefined });
}
