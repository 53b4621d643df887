import { commandName } from '../command.js';
import type { Connection } from '../connection/connection.js';
import { bytes, count, duration, plural, printable } from '../terminal/format.js';
import { table } from '../terminal/table.js';
import type { Terminal } from '../terminal/terminal.js';
import type { IngestOptions, IngestResult } from './ingest.js';
import type { FailedFile, IndexStatus } from './indexing.js';
import type { Project } from './project.js';
import type { Rejection } from './tally.js';
import { SKIP_REASONS, type SkipReason } from './walk.js';

/** The one object of `ingest --json`: `scanned = sent + unchanged + skipped.total + rejected`. */
export interface IngestSummary {
  readonly workspace_id: string;
  readonly project_id: string;
  readonly project_name: string;
  /** The address; null where the deployment was opened in the process. */
  readonly service: string | null;
  readonly scanned: number;
  readonly sent: number;
  readonly unchanged: number;
  readonly skipped: Readonly<Record<SkipReason | 'total', number>>;
  readonly rejected: number;
  /** The first ten. */
  readonly rejections: readonly Rejection[];
  readonly folders_left_out: number;
  readonly folders_unreadable: number;
  /** Files of the project that are no longer in the folder, and how many of them were deleted. */
  readonly gone: number;
  readonly removed: number;
  readonly index: IndexStatus;
  /** The first five. */
  readonly failed_files: readonly FailedFile[];
  readonly bytes_scanned: number;
  readonly bytes_sent: number;
  readonly duration_ms: number;
  readonly files_per_second: number;
}

export function summaryValue(result: IngestResult, project: Project, connection: Connection): IngestSummary {
  const { tally, index } = result;
  const seconds = Math.max(result.durationMs / 1000, 0.001);
  return {
    workspace_id: project.workspaceId,
    project_id: project.id,
    project_name: project.name,
    service: connection.url ?? null,
    scanned: tally.scanned,
    sent: tally.sent,
    unchanged: tally.unchanged,
    skipped: { total: tally.skippedTotal, ...tally.skipped },
    rejected: tally.rejected,
    rejections: tally.rejections,
    folders_left_out: tally.foldersLeftOut,
    folders_unreadable: tally.foldersUnreadable,
    gone: result.gone,
    removed: result.removed,
    index: { state: index.state, pending: index.pending, indexed: index.indexed, failed: index.failed },
    failed_files: result.failed,
    bytes_scanned: tally.scannedBytes,
    bytes_sent: tally.sentBytes,
    duration_ms: Math.round(result.durationMs),
    files_per_second: Math.round(tally.scanned / seconds),
  };
}

/** The summary for people. */
export function printSummary(
  result: IngestResult,
  project: Project,
  options: IngestOptions,
  url: string | undefined,
  terminal: Terminal,
): void {
  const { tally, index } = result;
  const { paint } = terminal;
  const failedText = index.failed > 0 ? paint('red', `${count(index.failed)} failed`) : '';
  const pendingText = index.pending > 0 ? `${count(index.pending)} waiting` : '';
  const rows: [label: string, number: number, note: string][] = [
    ['scanned', tally.scanned, bytes(tally.scannedBytes)],
    ['sent', tally.sent, tally.sentBytes > 0 ? bytes(tally.sentBytes) : ''],
    ['unchanged', tally.unchanged, ''],
    ['skipped', tally.skippedTotal, skippedWords(tally.skipped)],
  ];
  if (tally.rejected > 0) rows.push(['rejected', tally.rejected, 'by the service']);
  if (result.removed > 0) rows.push(['removed', result.removed, 'gone from this folder']);
  rows.push(['indexed', index.indexed, [failedText, pendingText].filter(Boolean).join(', ')]);
  const widest = Math.max(...rows.map(([, number]) => count(number).length));
  const mark = index.failed + tally.rejected > 0 ? paint('yellow', '!') : paint('green', '✓');
  terminal.out(`${mark} ${paint('bold', printable(project.name))}  ${paint('dim', `project ${project.id}`)}`);
  terminal.out();
  const cells = rows.map(([label, number, note]) => [
    `  ${label}`,
    count(number).padStart(widest),
    paint('dim', note),
  ]);
  table(cells).forEach((line) => terminal.out(line));
  terminal.out();
  const seconds = Math.max(result.durationMs / 1000, 0.001);
  const rate = `${count(tally.scanned / seconds)} files/s, ${bytes(tally.readBytes / seconds)}/s`;
  terminal.out(`  ${duration(result.durationMs)}  ${paint('dim', rate)}`);
  printTroubles(result, options, url, terminal);
}

/** What did not go well, with what to do about it. On stderr. */
function printTroubles(
  result: IngestResult,
  options: IngestOptions,
  url: string | undefined,
  terminal: Terminal,
): void {
  const { tally, index } = result;
  const list = (title: string, lines: readonly string[], total: number): void => {
    if (total === 0) return;
    terminal.say(`\n${terminal.shade('yellow', title)}`);
    lines.forEach((line) => terminal.say(`  ${printable(line)}`));
    if (total > lines.length) terminal.say(`  … and ${count(total - lines.length)} more`);
  };
  list(
    'Rejected by the service',
    tally.rejections.map(({ path, reason }) => `${path}: ${reason}`),
    tally.rejected,
  );
  list(
    'Could not be indexed',
    result.failed.map(({ path, error }) => `${path}: ${error ?? 'no reason given'}`),
    index.failed,
  );
  if (tally.foldersUnreadable > 0) {
    terminal.say(
      `\n${plural(tally.foldersUnreadable, 'folder')} could not be read: check permissions and run again.`,
    );
  }
  if (result.gone > 0 && !options.deleteMissing) {
    terminal.say(
      `\n${plural(result.gone, 'file')} of the project ${result.gone === 1 ? 'is' : 'are'} no longer here. ` +
        'Delete what is gone with: --delete-missing',
    );
  }
  if (index.pending > 0) {
    const how =
      url === undefined ? `goes on when ${commandName()} serve or ingest runs next` : 'goes on behind';
    terminal.say(`\nIndexing of ${plural(index.pending, 'file')} ${how}.`);
  }
}

const WORDS: Record<SkipReason, string> = {
  ignored: 'ignored',
  excluded: 'excluded by flags',
  binary: 'binary',
  too_large: 'too large',
  symlink: 'symbolic link',
  special: 'special file',
  unreadable: 'unreadable',
};

function skippedWords(skipped: Readonly<Record<SkipReason, number>>): string {
  const present = SKIP_REASONS.filter((reason) => skipped[reason] > 0);
  return present
    .map((reason) => (present.length > 1 ? `${count(skipped[reason])} ${WORDS[reason]}` : WORDS[reason]))
    .join(', ');
}
