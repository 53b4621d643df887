import { Failure } from '../failure.js';
import { SKIP_REASONS, type SkipReason } from './walk.js';

export interface Rejection {
  readonly path: string;
  readonly reason: string;
}

const KEPT_REJECTIONS = 10;

/** Counts files as they pass, and proves at the end that `scanned = sent + unchanged + skipped + rejected`. */
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
  readonly skipped: Record<SkipReason, number>;
  readonly rejections: Rejection[] = [];

  constructor() {
    this.skipped = Object.fromEntries(SKIP_REASONS.map((reason) => [reason, 0])) as Record<
      SkipReason,
      number
    >;
  }

  reject(rejection: Rejection): void {
    this.rejected += 1;
    if (this.rejections.length < KEPT_REJECTIONS) this.rejections.push(rejection);
  }

  get skippedTotal(): number {
    return SKIP_REASONS.reduce((sum, reason) => sum + this.skipped[reason], 0);
  }

  /** How many files have an outcome. */
  get settled(): number {
    return this.sent + this.unchanged + this.skippedTotal + this.rejected;
  }

  /** Throws where a file has no outcome: a defect of this program or of the service's answer, never silent. */
  verify(): void {
    if (this.settled === this.scanned) return;
    throw new Failure(
      `The count does not add up: ${this.scanned} files scanned, but ${this.settled} accounted for ` +
        `(${this.sent} sent, ${this.unchanged} unchanged, ${this.skippedTotal} skipped, ${this.rejected} rejected).`,
      { next: 'Run the same command again: it sends what is missing. Please report this.' },
    );
  }
}
