import { Failure } from '../failure.js';
import { SKIP_REASONS, type SkipReason } from './walk.js';

export interface Rejection {
  readonly path: string;
  readonly reason: string;
}

const KEPT_REJECTIONS = 10;
const KEPT_PATHS = 5;

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
  /** The first five of them. */
  readonly unreadableFolders: string[] = [];
  readonly skipped: Record<SkipReason, number>;
  /** The first five paths of each reason. */
  readonly skippedPaths: Readonly<Record<SkipReason, string[]>>;
  readonly rejections: Rejection[] = [];

  constructor() {
    this.skippedPaths = Object.fromEntries(
      SKIP_REASONS.map((reason): [string, string[]] => [reason, []]),
    ) as Record<SkipReason, string[]>;
    this.skipped = Object.fromEntries(SKIP_REASONS.map((reason) => [reason, 0])) as Record<
      SkipReason,
      number
    >;
  }

  skip({ path, reason }: { readonly path: string; readonly reason: SkipReason }): void {
    this.skipped[reason] += 1;
    const paths = this.skippedPaths[reason];
    if (paths.length < KEPT_PATHS) paths.push(path);
  }

  leaveFolder(path: string): void {
    this.foldersUnreadable += 1;
    if (this.unreadableFolders.length < KEPT_PATHS) this.unreadableFolders.push(path);
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
