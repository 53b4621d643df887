/** Statuses after which the same request may succeed. 0: no answer at all. */
const isTransient = (status: number) => status === 0 || status === 408 || status === 429 || status >= 500;
/** Statuses that a service blames on what was sent. */
const REFUSALS: ReadonlySet<number> = new Set([400, 413, 422]);

interface FailureOptions {
  /** The HTTP status of the answer; undefined where the fault is another than a status. */
  readonly status?: number;
  readonly retryAfterMs?: number;
  /** Default: true. */
  readonly wasSent?: boolean;
  /** Default: true for a reply that was read, which has no status here. */
  readonly mayHaveReplied?: boolean;
  readonly tokens?: number | undefined;
  readonly cause?: unknown;
}

/**
 * A model, or the service that runs one, gives no usable answer. The message says why and what the operator can do;
 * it holds neither texts, nor keys, nor what the service wrote.
 */
export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure';
  /** The HTTP status, or 0 for a request without an answer; undefined for a malformed reply. */
  readonly status: number | undefined;
  /** After this time it may answer again, in milliseconds; 0 where nobody knows. */
  readonly retryAfterMs: number;
  /** False where the service was left alone: nothing was sent. */
  readonly wasSent: boolean;
  /** True where the model may have done its work: its reply cannot be used, broke off or came too late. */
  readonly mayHaveReplied: boolean;
  /** Those of the request, as the service counts them; undefined where it does not. */
  readonly tokens: number | undefined;

  constructor(message: string, options: FailureOptions = {}) {
    const { status, retryAfterMs = 0, wasSent = true, tokens, cause } = options;
    super(message, cause === undefined ? undefined : { cause });
    this.status = status;
    this.retryAfterMs = retryAfterMs;
    this.wasSent = wasSent;
    this.mayHaveReplied = options.mayHaveReplied ?? (wasSent && status === undefined);
    this.tokens = tokens;
  }

  /** True where the service blames this input, and may take another one. */
  get refused(): boolean {
    return this.status !== undefined && REFUSALS.has(this.status);
  }

  /** True where the same request may succeed later. */
  get isTransient(): boolean {
    return this.status !== undefined && isTransient(this.status);
  }
}

/** What a status that is not 2xx means for the operator. */
export function describeStatus(status: number): string {
  const answered = `it answers with HTTP ${String(status)}`;
  if (status >= 300 && status < 400)
    return `${answered}, a redirect, which is not followed: configure the address that it leads to`;
  if (status === 401 || status === 403) return `${answered}: check the key`;
  if (status === 404 || status === 405) return `${answered}: check the address and the name of the model`;
  if (status === 413) return `${answered}: the input is too large for it`;
  if (status === 429) return `${answered}: its rate limit or quota is used up`;
  if (REFUSALS.has(status)) return `${answered}: it refuses the input or the name of the model`;
  return answered;
}
