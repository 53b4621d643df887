import { Option, type Command } from 'commander';
import { addConnectionOptions, connect, type ConnectionOptions } from '../connection/connect.js';
import type { Result } from '../connection/connection.js';
import { chooseWorkspace } from '../connection/workspaces.js';
import { EXIT, Failure } from '../failure.js';
import { FORMATS, readSource, type Format, type Source } from '../import/read-source.js';
import { commandName } from '../command-name.js';
import type { Invocation } from '../invocation.js';
import { plural, printable } from '../terminal/format.js';
import { startMeter } from '../terminal/meter.js';
import type { Terminal } from '../terminal/terminal.js';

interface ImportOptions extends ConnectionOptions {
  readonly workspace?: string;
  readonly project?: string;
  readonly format?: Format;
}

const MAX_SHOWN = 10;
const NEWLINE = 0x0a;

export function addImport(program: Command, invocation: Invocation): void {
  const command = program
    .command('import')
    .description('read memory into a workspace; run it again to go on where it ended')
    .argument('<path>', 'a file, or a folder of Markdown notes')
    .option('--workspace <id>', 'the workspace, where there are several')
    .option('--project <id>', 'project for records whose own project is not in the workspace')
    .addOption(new Option('--format <name>', 'format (default: told by the contents)').choices(FORMATS));
  addConnectionOptions(command)
    .option('--json', "print the service's whole answer as JSON")
    .addHelpText(
      'after',
      '\nFormats: native, a file of export, of which the memory is read; mcp-memory, the file of the official memory' +
        '\nserver; mem0, its exported memories as a JSON array or one a line; basic-memory, a folder of Markdown notes.' +
        '\nRecords that are there are skipped. It exits 1 where a record could not be imported.',
    )
    .action((path: string, options: ImportOptions) => importMemory(path, options, invocation));
}

async function importMemory(path: string, options: ImportOptions, invocation: Invocation): Promise<void> {
  const { terminal, signal } = invocation;
  const source = await readSource(path, options.format);
  await using connection = await connect(options, invocation);
  const args = { workspace_id: options.workspace, project_id: options.project, format: source.format };
  const meter = startMeter(terminal, { label: 'Importing', unit: 'lines' });
  const outcome = await connection
    .upload(
      'memory_import',
      args,
      counted(source.lines, (lines, bytes) => meter.update(lines, bytes)),
    )
    .finally(() => meter.stop())
    .catch(chooseWorkspace(connection, args, '--workspace'))
    .catch((thrown: unknown) => {
      if (!(thrown instanceof Failure) || (!thrown.transient && !signal.aborted)) throw thrown;
      throw thrown.with({ next: 'Run the same command again: records that are there are skipped.' });
    });
  if (terminal.json) terminal.value({ format: source.format, other_records: source.others(), ...outcome });
  else print(outcome, source, terminal);
  if (!terminal.json && connection.url === undefined)
    terminal.note(`It is indexed once the service runs: ${commandName()} serve`);
  if (outcome.failed > 0) process.exitCode = EXIT.failed;
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
  if (redacted > 0) out(`Secrets were taken out of ${plural(redacted, 'record')}.`);
  if (source.others() > 0)
    out(`${plural(source.others(), 'record')} of other kinds left out: import reads memory alone.`);
  for (const { line, message } of errors.slice(0, MAX_SHOWN))
    warn(`${printable(source.nameOf(line))}: ${printable(message)}`);
  if (failed > MAX_SHOWN) warn(`and ${failed - MAX_SHOWN} more; --json names the first 100.`);
}
