import type { Result } from '../connection/connection.js';
import { Failure } from '../failure.js';
import { SKIP_REASONS, type SkipReason } from './walk-folder.js';

export type Rejection = Result<'files_ingest'>['rejected'][number];

const MAX_REJECTIONS = 10;
const MAX_PATHS = 5;

/** Counts files by outcome, and proves at the end that `scanned = sent + unchanged + skipped + rejected`. */
export class Tally {
  scanned = 0;
  scannedBytes = 0;
  /** Bytes of the files that were opened: `scannedBytes` without those too large. */
  readBytes = 0;
  sent = 0;
  sentBytes = 0;
  unchanged = 0;
  rejected = 0;
  /** Folders not entered because a rule or a flag leaves them out. */
  foldersLeftOut = 0;
  foldersUnreadable = 0;
  /** The first five of them. */
  readonly unreadableFolders: string[] = [];
  readonly skipped: Record<SkipReason, number> = perReason(() => 0);
  /** The first five paths of each reason. */
  readonly skippedPaths: Readonly<Record<SkipReason, string[]>> = perReason(() => []);
  /** The first ten. */
  readonly rejections: Rejection[] = [];

  skip({ path, reason }: { readonly path: string; readonly reason: SkipReason }): void {
    this.skipped[reason] += 1;
    const paths = this.skippedPaths[reason];
    if (paths.length < MAX_PATHS) paths.push(path);
  }

  leaveFolder(path: string): void {
    this.foldersUnreadable += 1;
    if (this.unreadableFolders.length < MAX_PATHS) this.unreadableFolders.push(path);
  }

  reject(rejection: Rejection): void {
    this.rejected += 1;
    if (this.rejections.length < MAX_REJECTIONS) this.rejections.push(rejection);
  }

  get skippedTotal(): number {
    return SKIP_REASONS.reduce((sum, reason) => sum + this.skipped[reason], 0);
  }

  /** Number of files with an outcome. */
  get settled(): number {
    return this.sent + this.unchanged + this.skippedTotal + this.rejected;
  }

  /** Throws where a file has no outcome: a defect of this program or of the service's answer. */
  verify(): void {
    if (this.settled === this.scanned) return;
    throw new Failure(
      `The count does not add up: ${this.scanned} files scanned, but ${this.settled} accounted for ` +
        `(${this.sent} sent, ${this.unchanged} unchanged, ${this.skippedTotal} skipped, ${this.rejected} rejected).`,
      { next: 'Run the same command again: it sends what is missing. Please report this.' },
    );
  }
}

function perReason<T>(value: () => T): Record<SkipReason, T> {
  // Each reason is a key.
  return Object.fromEntries(SKIP_REASONS.map((reason) => [reason, value()])) as Record<SkipReason, T>;
}
