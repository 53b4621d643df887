import { Option, type Command } from 'commander';
import { addConnectionOptions, connect, type ConnectionOptions } from '../connection/connect.js';
import type { Connection, Result } from '../connection/connection.js';
import { chooseWorkspace, onlyOrFirstWorkspace } from '../connection/workspaces.js';
import { EXIT, Failure, isRefusal, whenStopped } from '../failure.js';
import { FORMATS, readSource, type Format, type Source } from '../import/read-source.js';
import { GO_ON, restoreFiles, withProjects, type Restored } from '../import/restore-files.js';
import { commandName } from '../command-name.js';
import type { Invocation } from '../invocation.js';
import { plural, printable } from '../terminal/format.js';
import { startMeter } from '../terminal/meter.js';
import type { Terminal } from '../terminal/terminal.js';

interface ImportOptions extends ConnectionOptions {
  readonly workspace?: string;
  readonly project?: string;
  readonly format?: Format;
  readonly memory?: boolean;
}

const MAX_SHOWN = 10;
const NEWLINE = 0x0a;
/** Kinds of records that are restored beside memory. */
const RESTORED: ReadonlySet<string> = new Set(['project', 'file']);

export function addImport(program: Command, invocation: Invocation): void {
  const command = program
    .command('import')
    .description(
      'import an export or memory into a workspace; run it again to continue after an interruption',
    )
    .argument('<path>', 'a file (an export, or a Markdown note), or a folder of notes')
    .option('--workspace <id>', 'the workspace, if you have several; where there is none, one is made')
    .option(
      '--project <id>',
      'import only memory; records whose project is not in the workspace go to this one',
    )
    .option('--memory', 'import only memory')
    .addOption(new Option('--format <name>', 'format (default: detected)').choices(FORMATS));
  addConnectionOptions(command)
    .option('--json', "print the service's whole answer as JSON")
    .addHelpText(
      'after',
      '\nFormats: native, a file written by export; mcp-memory, the file of the official memory server; mem0, exported' +
        '\nmemories as a JSON array or one per line; basic-memory, Markdown notes: a folder, or one file such as CLAUDE.md.' +
        '\nA full export restores projects, files and memory, and invites no members. A project is merged into the one' +
        '\nwith its id or name, if there is one. Existing records are skipped, files by path. The exit code is 1 if' +
        '\nanything could not be imported or the export is incomplete.',
    )
    .action((path: string, options: ImportOptions) => importFrom(path, options, invocation));
}

async function importFrom(path: string, options: ImportOptions, invocation: Invocation): Promise<void> {
  const { terminal, signal } = invocation;
  const source = await readSource(path, options.format);
  await using connection = await connect(options, invocation);
  const isRestored = source.isWhole && !options.memory && options.project === undefined;
  const isPlaced = options.workspace !== undefined || options.project !== undefined;
  const workspace = isPlaced ? options.workspace : await placeOf(connection, isRestored, terminal);
  const choose = chooseWorkspace(
    connection,
    { workspace_id: workspace },
    '--workspace',
    makeWorkspace(connection),
  );
  const restored =
    isRestored && workspace !== undefined
      ? await restoreFiles(path, workspace, connection, invocation).catch(choose).catch(advise)
      : undefined;
  const lines = restored ? withProjects(source.lines, restored.projects) : source.lines;
  const args = { workspace_id: workspace, project_id: options.project, format: source.format };
  const meter = startMeter(terminal, { label: 'Importing', unit: 'lines' });
  let sentLines = 0;
  const answer = await connection
    .upload(
      'memory_import',
      args,
      counted(lines, (done, sent) => meter.update((sentLines = done), { sent })),
    )
    .finally(() => meter.stop())
    .catch(whenStopped(signal, () => `Stopped after ${plural(sentLines, 'line')} sent.`, GO_ON))
    .catch(choose)
    .catch(advise);
  const outcome = withUnread(answer, source.unread);
  const others = [...source.others].filter(([kind]) => !restored || !RESTORED.has(kind));
  if (terminal.json)
    terminal.value({
      format: source.format,
      other_records: others.reduce((sum, [, count]) => sum + count, 0),
      complete: source.isComplete && source.missing() === 0,
      ...outcome,
      errors: outcome.errors.map((error) => ({ ...error, name: source.nameOf(error.line) })),
      ...(restored && { restored: summaryOf(restored) }),
    });
  else {
    if (restored) printRestored(restored, terminal);
    print(outcome, { ...source, others: new Map(others) }, terminal);
    if (connection.url === undefined)
      terminal.note(`It is indexed once the service runs: ${commandName()} serve${connection.target}`);
  }
  if (!source.isComplete)
    terminal.warn(
      'The export was cut off: its last line, which counts the records, is missing. What it has was imported; export again for the rest.',
    );
  const missing = source.missing();
  if (missing > 0)
    terminal.warn(
      `${plural(missing, 'record')} that the last line counts ${missing === 1 ? 'is' : 'are'} not in the file: it was damaged or edited. What it has was imported; export again for the rest.`,
    );
  if (!source.isComplete || missing > 0 || outcome.failed > 0 || (restored?.files.rejections.total ?? 0) > 0)
    process.exitCode = EXIT.failed;
}

/**
 * The only workspace, or a new one where there is none. Throws a Failure where there are several. Undefined for memory where
 * the key may not list workspaces: the service then chooses.
 */
async function placeOf(
  connection: Connection,
  isRestored: boolean,
  terminal: Terminal,
): Promise<string | undefined> {
  const place = await onlyOrFirstWorkspace(connection, '--workspace').catch((thrown: unknown) => {
    if (!isRestored && isRefusal(thrown, 'PERMISSION_DENIED')) return undefined;
    throw thrown;
  });
  if (place?.isNew) terminal.note(`Made the workspace ${printable(place.name)}.`);
  return place?.id;
}

function makeWorkspace({ target }: Connection): string {
  return `Make one: ${commandName()} call${target} workspaces_create --name NAME`;
}

/** For `catch`: a failure that passes is followed by the same command. */
function advise(thrown: unknown): never {
  if (!(thrown instanceof Failure) || !thrown.transient) throw thrown;
  const isFull = thrown.reason === 'disk_full';
  throw thrown.with({ next: isFull ? `When there is space: ${GO_ON}` : GO_ON });
}

function summaryOf({ projects, created, files, kept }: Restored) {
  return {
    projects: projects.size,
    projects_created: created,
    files: files.scanned,
    files_sent: files.sent,
    files_unchanged: files.unchanged - kept,
    files_kept: kept,
    files_rejected: files.rejections.first,
  };
}

function printRestored({ projects, created, files, kept }: Restored, { out, warn }: Terminal): void {
  const { sent, unchanged, rejections, redactions } = files;
  const parts = [
    `${plural(projects.size, 'project')}, of which ${created} new`,
    `${plural(sent, 'file')} restored`,
    ...(unchanged > 0 ? [`${plural(unchanged, 'was', 'were')} there already`] : []),
    ...(kept > 0 ? [`${kept} with another text, which stays`] : []),
    ...(rejections.total > 0 ? [`${plural(rejections.total, 'file')} failed`] : []),
  ];
  out(`${parts.join(', ')}.`);
  if (redactions.total > 0) out(`Secrets were taken out of ${plural(redactions.total, 'place')} in files.`);
  for (const { path, reason } of rejections.first) warn(`${printable(path)}: ${printable(reason)}`);
}

/** An answer of the service, with the lines that could not be read among those that failed. */
function withUnread(answer: Result<'memory_import'>, unread: Source['unread']): Result<'memory_import'> {
  const errors = [...answer.errors, ...unread].sort((a, b) => a.line - b.line);
  return { ...answer, failed: answer.failed + unread.length, errors };
}

/** Counts lines and bytes as they pass. */
async function* counted(
  pieces: AsyncIterable<Uint8Array>,
  update: (lines: number, bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  let [lines, bytes] = [0, 0];
  for await (const piece of pieces) {
    for (let at = piece.indexOf(NEWLINE); at !== -1; at = piece.indexOf(NEWLINE, at + 1)) lines += 1;
    bytes += piece.length;
    update(lines, bytes);
    yield piece;
  }
}

function print(outcome: Result<'memory_import'>, source: Source, { out, warn }: Terminal): void {
  const { imported, skipped, failed, redacted, errors } = outcome;
  const parts = [
    `${plural(imported, 'record')} imported (${source.format})`,
    ...(skipped > 0 ? [`${plural(skipped, 'was', 'were')} there already`] : []),
    ...(failed > 0 ? [`${plural(failed, 'record')} failed`] : []),
  ];
  out(`${parts.join(', ')}.`);
  if (skipped > 0 && source.format === 'basic-memory')
    out('Notes are known by their paths: another text of one, or another note of its path, is not imported.');
  if (redacted > 0) out(`Secrets were taken out of ${plural(redacted, 'record')}.`);
  const others = [...source.others].map(([kind, count]) => kinds(count, printable(kind)));
  if (others.length > 0) out(`Left out, of kinds that are not imported: ${others.join(', ')}.`);
  for (const { line, message } of errors.slice(0, MAX_SHOWN))
    warn(`${printable(source.nameOf(line))}: ${printable(message)}`);
  if (failed > MAX_SHOWN) warn(`and ${failed - MAX_SHOWN} more; --json names the first 100.`);
}

/** `2 empty notes`; lists of a file are named in the plural: `3 relations`, of one `1 relation`. */
function kinds(number: number, kind: string): string {
  const one = kind.replace(/(?<!s)s$/, '');
  return plural(number, one, one.endsWith('y') ? `${one.slice(0, -1)}ies` : `${one}s`);
}
