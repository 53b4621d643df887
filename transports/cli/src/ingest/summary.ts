import type { Connection } from '../connection/connection.js';
import { commandName } from '../command-name.js';
import { bytes, clip, count, duration, plural, printable } from '../terminal/format.js';
import type { Terminal } from '../terminal/terminal.js';
import type { IngestOptions, IngestResult } from './ingest-folder.js';
import type { Project } from './resolve-project.js';
import { perReason, type Tally } from './tally.js';
import { SKIP_REASONS, type SkipReason } from './walk-folder.js';

export type IngestSummary = ReturnType<typeof summaryValue>;

/** The one object of `ingest --json`: `scanned = sent + unchanged + skipped.total + rejected`. */
export function summaryValue(result: IngestResult, project: Project, connection: Connection) {
  const { tally, index } = result;
  const seconds = Math.max(result.durationMs / 1000, 0.001);
  return {
    workspace_id: project.workspaceId,
    project_id: project.id,
    project_name: project.name,
    /** The address; null where the deployment was opened in this process. */
    service: connection.url ?? null,
    scanned: tally.scanned,
    sent: tally.sent,
    unchanged: tally.unchanged,
    skipped: { total: tally.skippedTotal, ...perReason((reason) => tally.skipped[reason].total) },
    /** The first five of each reason but "ignored" and "excluded". */
    skipped_paths: Object.fromEntries(
      NAMED.map((reason) => [reason, tally.skipped[reason].first]).filter(([, paths]) => paths?.length),
    ),
    rejected: tally.rejections.total,
    /** The first ten. */
    rejections: tally.rejections.first,
    redacted: tally.redactions.total,
    /** The first ten. */
    redactions: tally.redactions.first,
    /** Texts in another encoding than UTF-8, sent or unchanged. */
    converted: tally.converted.total,
    /** The first five. */
    conversions: tally.converted.first.map(({ path, encoding }) => ({ path, encoding })),
    folders_left_out: tally.foldersLeftOut,
    folders_unreadable: tally.unreadableFolders.total,
    /** Files of the project that are no longer in the folder as texts that are sent, and how many of them were deleted. */
    gone: result.gone,
    removed: result.removed,
    index: { state: index.state, pending: index.pending, indexed: index.indexed, failed: index.failed },
    /** The first five. */
    failed_files: result.failed,
    bytes_scanned: tally.scannedBytes,
    bytes_sent: tally.sentBytes,
    duration_ms: Math.round(result.durationMs),
    files_per_second: Math.round(tally.scanned / seconds),
  };
}

/**
 * The summary for people. `target` is there where indexing waits for the next command: the flags that lead it to the
 * deployment.
 */
export function printSummary(
  result: IngestResult,
  project: Project,
  options: IngestOptions,
  target: string | undefined,
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
  const converted = tally.converted.total;
  if (converted > 0) rows.push(['converted', converted, 'to UTF-8, of those sent and unchanged']);
  const rejected = tally.rejections.total;
  if (rejected > 0) rows.push(['rejected', rejected, 'by the service']);
  if (result.removed > 0)
    rows.push(['removed', result.removed, 'gone from this folder, or not sent any more']);
  rows.push(['indexed', index.indexed, [failedText, pendingText].filter(Boolean).join(', ')]);
  const widest = Math.max(...rows.map(([, number]) => count(number).length));
  const mark = index.failed + rejected > 0 ? paint('yellow', '!') : paint('green', '✓');
  terminal.out(`${mark} ${paint('bold', printable(project.name))}  ${paint('dim', `project ${project.id}`)}`);
  terminal.out();
  const cells = rows.map(([label, number, note]) => [
    `  ${label}`,
    count(number).padStart(widest),
    note === '' ? '' : paint('dim', note),
  ]);
  terminal.table(cells);
  terminal.out();
  const seconds = Math.max(result.durationMs / 1000, 0.001);
  const rate = `${count(tally.scanned / seconds)} files/s, ${bytes(tally.readBytes / seconds)}/s`;
  terminal.out(`  ${duration(result.durationMs)}  ${paint('dim', rate)}`);
  printProblems(result, options, target, terminal);
}

/** Prints the problems, with what to do about them, on stderr. */
function printProblems(
  result: IngestResult,
  options: IngestOptions,
  target: string | undefined,
  terminal: Terminal,
): void {
  const { tally, index } = result;
  const short = (path: string): string => clip(path, Math.max(20, terminal.errorColumns - 3), 0.4);
  const list = (title: string, lines: readonly string[], total: number): void => {
    if (total === 0) return;
    terminal.say(`\n${terminal.shade('yellow', title)}`);
    lines.forEach((line) => terminal.say(`  ${printable(line)}`));
    if (total > lines.length) terminal.say(`  … and ${count(total - lines.length)} more`);
  };
  const { rejections, redactions, unreadableFolders } = tally;
  const rejected = rejections.first.map(({ path, reason }) => `${short(path)}: ${reason}`);
  list('Rejected by the service', rejected, rejections.total);
  const redacted = redactions.first.map(({ path, rule, line }) => `${short(path)}, line ${line}: ${rule}`);
  list('Secrets taken out by the service before storing', redacted, redactions.total);
  const failed = result.failed.map(({ path, error }) => `${short(path)}: ${error ?? 'no reason given'}`);
  list('Could not be indexed', failed, index.failed);
  if (options.verbose) {
    const { first, total } = tally.converted;
    const lines = first.map(({ path, encoding }) => `${short(path)}: ${encoding}`);
    list('Converted to UTF-8 (check the encoding that was assumed)', lines, total);
  }
  for (const reason of options.verbose ? NAMED : ALWAYS_NAMED) {
    const { first, total } = tally.skipped[reason];
    list(`Skipped, ${wordsFor(reason, total)}${HINTS[reason] ?? ''}`, first.map(short), total);
  }
  const title = 'Folders that could not be read: check permissions and run again';
  list(title, unreadableFolders.first.map(short), unreadableFolders.total);
  if (result.gone > 0 && !options.deleteMissing) {
    terminal.say(
      `\n${plural(result.gone, 'file')} of the project ${result.gone === 1 ? 'is' : 'are'} no longer here, or not sent any more. ` +
        'Delete what is gone with: --delete-missing',
    );
  }
  if (index.pending > 0) {
    const how =
      target === undefined
        ? 'goes on in the background.'
        : `goes on when ingest runs next, or with: ${commandName()} serve${target}`;
    terminal.say(`\nIndexing of ${plural(index.pending, 'file')} ${how}`);
  }
}

/** Reasons whose files are named with --verbose, and those that always are: a person may have to act on them. */
const NAMED: readonly SkipReason[] = [
  'service_key',
  'secret',
  'unreadable',
  'too_large',
  'binary',
  'symlink',
  'special',
];
const ALWAYS_NAMED: readonly SkipReason[] = ['service_key', 'secret', 'unreadable'];

const HINTS: Partial<Record<SkipReason, string>> = {
  secret: ' (to send one nevertheless: --include "*" --include NAME)',
  service_key: ' (take the key out, or revoke it: it was about to be shared)',
  too_large: ' (--max-bytes)',
};

const WORDS: Record<SkipReason, string | readonly [one: string, many: string]> = {
  ignored: 'ignored',
  excluded: 'excluded by flags',
  secret: 'may hold secrets',
  service_key: ['holds a key of this service', 'hold keys of this service'],
  binary: 'binary',
  too_large: 'too large',
  symlink: ['symbolic link', 'symbolic links'],
  special: ['special file', 'special files'],
  unreadable: 'unreadable',
};

function wordsFor(reason: SkipReason, number: number): string {
  const words = WORDS[reason];
  return typeof words === 'string' ? words : words[number === 1 ? 0 : 1];
}

function skippedWords(skipped: Tally['skipped']): string {
  const present = SKIP_REASONS.filter((reason) => skipped[reason].total > 0);
  const words = present.map((reason) => {
    const { total } = skipped[reason];
    return present.length > 1 ? `${count(total)} ${wordsFor(reason, total)}` : wordsFor(reason, total);
  });
  return words.join(', ');
}
