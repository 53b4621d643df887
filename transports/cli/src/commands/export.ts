import { systemCode } from '@service-mcp/core/wire';
import type { Command } from 'commander';
import { addConnectionOptions, connect, type ConnectionOptions } from '../connection/connect.js';
import type { Connection } from '../connection/connection.js';
import { chooseWorkspace, onlyWorkspace } from '../connection/workspaces.js';
import { Failure, isRefusal, outFailure } from '../failure.js';
import { commandName } from '../command-name.js';
import type { Invocation } from '../invocation.js';
import { writeOut } from '../replace-file.js';
import { bytes, plural, quoted } from '../terminal/format.js';
import { startMeter } from '../terminal/meter.js';

const NEWLINE = 0x0a;

interface ExportOptions extends ConnectionOptions {
  readonly workspace?: string;
  readonly memory?: boolean;
  readonly out?: string;
}

export function addExport(program: Command, invocation: Invocation): void {
  addConnectionOptions(program.command('export'))
    .description('export a workspace as NDJSON, one record per line')
    .argument('[workspace]', 'id of the workspace (default: the only one)')
    .option('--workspace <id>', 'the same, as an option')
    .option('--memory', 'export only its memory')
    .option('--out <file>', 'output file (default: standard output)')
    .option('--json', 'print the number of records and bytes as JSON; needs --out')
    .addHelpText(
      'after',
      '\nNeeds the role admin in the workspace; with --memory, viewer is enough. import reads both. The last line counts' +
        '\nthe records: a file without it is incomplete. Only you can read the file of --out, and it is written in one step:' +
        '\nan export that fails leaves an existing file unchanged.',
    )
    .action((workspace: string | undefined, options: ExportOptions) =>
      exportWorkspace(workspace, options, invocation),
    );
}

async function exportWorkspace(
  workspace: string | undefined,
  options: ExportOptions,
  invocation: Invocation,
): Promise<void> {
  const { terminal, signal } = invocation;
  const { out: file } = options;
  if (terminal.json && file === undefined)
    throw new Failure('--json describes the file, so it needs one.', { next: 'Add --out FILE.' });
  await using connection = await connect(options, invocation);
  if (workspace !== undefined && options.workspace !== undefined && workspace !== options.workspace)
    throw new Failure('The workspace is named twice, differently.', { next: 'Name it once.' });
  const { target } = connection;
  const flags = `${options.memory ? ' --memory' : ''}${file === undefined ? '' : ` --out ${quoted(file)}`}`;
  const command = `${commandName()} export${flags}${target}`;
  const id = workspace ?? options.workspace ?? (await onlyWorkspace(connection, command))?.id;
  if (id === undefined) throw new Failure('There is no workspace to export.');
  const records = options.memory ? writeMemory : writeRecords;
  const write = (sink: Sink) =>
    records(connection, id, sink, invocation)
      .catch(chooseWorkspace(connection, { workspace_id: id }, command))
      .catch(explainUnknown(target));
  const written = await (file === undefined ? write(toStdout) : toFile(file, write, signal));
  if (terminal.json) return terminal.value({ workspace_id: id, file, ...written });
  const amount = `${plural(written.records, 'record')}, ${bytes(written.bytes)}`;
  terminal.note(`Exported the workspace ${id}${file === undefined ? '' : ` to ${file}`}: ${amount}.`);
}

type Sink = (text: string | Uint8Array) => Promise<void>;

const explainUnknown =
  (target: string) =>
  (thrown: unknown): never => {
    if (!isRefusal(thrown, 'NOT_FOUND')) throw thrown;
    throw thrown.with({ next: `List the workspaces with: ${commandName()} call${target} workspaces_list` });
  };

/** Writes every record of a workspace, page by page, and shows the progress. The last line counts them. */
async function writeRecords(
  connection: Connection,
  workspaceId: string,
  write: Sink,
  { terminal }: Invocation,
): Promise<{ readonly records: number; readonly bytes: number }> {
  const meter = startMeter(terminal, { label: 'Exporting', unit: 'records' });
  const written = { records: 0, bytes: 0 };
  try {
    for (let cursor: string | undefined | null; cursor !== null;) {
      const args = { workspace_id: workspaceId, cursor };
      const page = await connection.call('workspaces_export', args, { repeatable: true });
      const text = page.records.map((record) => `${JSON.stringify(record)}\n`).join('');
      await write(text);
      written.records += page.records.length;
      written.bytes += Buffer.byteLength(text);
      meter.update(written.records, { sent: written.bytes });
      cursor = page.next;
    }
    const end = `${JSON.stringify({ record: 'end', records: written.records })}\n`;
    await write(end);
    written.bytes += Buffer.byteLength(end);
  } finally {
    meter.stop();
  }
  return written;
}

/** Writes the memory of a workspace, as it arrives. The last line is not a record. */
async function writeMemory(
  connection: Connection,
  workspaceId: string,
  write: Sink,
  { terminal }: Invocation,
): Promise<{ readonly records: number; readonly bytes: number }> {
  const meter = startMeter(terminal, { label: 'Exporting', unit: 'records' });
  const written = { records: -1, bytes: 0 };
  try {
    await connection.download('memory_export', { workspace_id: workspaceId }, async (piece) => {
      await write(piece);
      for (const byte of piece) if (byte === NEWLINE) written.records += 1;
      written.bytes += piece.length;
      meter.update(Math.max(0, written.records), { sent: written.bytes });
    });
  } finally {
    meter.stop();
  }
  return written;
}

/** Waits until the text is on its way: a slow reader slows the export down. One that goes away ends it. */
function toStdout(text: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => {
      if (error)
        reject(new Failure('Standard output was closed before the export was complete.', { cause: error }));
      else resolve();
    });
  });
}

function toFile<T>(path: string, write: (sink: Sink) => Promise<T>, signal: AbortSignal): Promise<T> {
  return writeOut(path, (file) => write((text) => file.appendFile(text)), 0o600).catch((thrown: unknown) => {
    if (thrown instanceof Failure || signal.aborted || systemCode(thrown) === undefined) throw thrown;
    throw outFailure(path, thrown);
  });
}
