import type { Result } from '../connection/connection.js';
import { Failure } from '../failure.js';
import type { Encoding } from './decode-text.js';
import { SKIP_REASONS, type SkipReason } from './walk-folder.js';

type Rejection = Result<'files_ingest'>['rejected'][number];
type Redaction = NonNullable<Result<'files_ingest'>['redacted']>[number];

/** A number of things, of which the first `limit` are named. */
class Sample<T> {
  readonly #limit: number;
  readonly first: T[] = [];
  total = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(one: T): void {
    this.total += 1;
    if (this.first.length < this.#limit) this.first.push(one);
  }
}

/** Counts files by outcome, and proves at the end that `scanned = sent + unchanged + skipped + rejected`. */
export class Tally {
  scanned = 0;
  scannedBytes = 0;
  /** Bytes of the files that were opened: `scannedBytes` without those too large. */
  readBytes = 0;
  sent = 0;
  sentBytes = 0;
  unchanged = 0;
  /** Texts that were read in another encoding than UTF-8, sent or unchanged. */
  readonly converted = new Sample<{ readonly path: string; readonly encoding: Encoding }>(5);
  /** Folders not entered because a rule or a flag leaves them out. */
  foldersLeftOut = 0;
  readonly unreadableFolders = new Sample<string>(5);
  /** Paths by reason. */
  readonly skipped = perReason(() => new Sample<string>(5));
  readonly rejections = new Sample<Rejection>(10);
  /** Secrets that the service took out of texts. */
  readonly redactions = new Sample<Redaction>(10);

  skip({ path, reason }: { readonly path: string; readonly reason: SkipReason }): void {
    this.skipped[reason].add(path);
  }

  get skippedTotal(): number {
    return SKIP_REASONS.reduce((sum, reason) => sum + this.skipped[reason].total, 0);
  }

  /** Number of files with an outcome. */
  get settled(): number {
    return this.sent + this.unchanged + this.skippedTotal + this.rejections.total;
  }

  /** Throws where a file has no outcome: a defect of this program or of the service's answer. */
  verify(): void {
    if (this.settled === this.scanned) return;
    throw new Failure(
      `The count does not add up: ${this.scanned} files scanned, but ${this.settled} accounted for ` +
        `(${this.sent} sent, ${this.unchanged} unchanged, ${this.skippedTotal} skipped, ${this.rejections.total} rejected).`,
      { next: 'Run the same command again: it sends what is missing. Please report this.' },
    );
  }
}

/** A value for each reason. */
export function perReason<T>(value: (reason: SkipReason) => T): Record<SkipReason, T> {
  // Each reason is a key.
  return Object.fromEntries(SKIP_REASONS.map((reason) => [reason, value(reason)])) as Record<SkipReason, T>;
}
