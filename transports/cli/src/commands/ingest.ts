import type { Command } from 'commander';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { commandName } from '../command.js';
import { addConnectionOptions, connect, type ConnectionOptions } from '../connection/connect.js';
import { wholeNumber } from '../deployment.js';
import { EXIT, Failure, systemCode } from '../failure.js';
import { IDENTITY_FILE, readIdentity, writeIdentity, type Identity } from '../ingest/identity.js';
import { ingest, type IngestOptions } from '../ingest/ingest.js';
import { resolveProject, type Project } from '../ingest/project.js';
import { printSummary, summaryValue } from '../ingest/summary.js';
import type { Invocation } from '../invocation.js';
import type { Terminal } from '../terminal/terminal.js';

interface Options extends ConnectionOptions {
  readonly workspace?: string;
  readonly project?: string;
  readonly name?: string;
  readonly deleteMissing?: boolean;
  readonly maxBytes: number;
  readonly include: string[];
  readonly exclude: string[];
  readonly wait: boolean;
  readonly concurrency: number;
  readonly verbose?: boolean;
}

const MEBIBYTE = 1024 * 1024;
const collect = (value: string, before: string[]) => [...before, value];

export function addIngest(program: Command, invocation: Invocation): void {
  const command = program
    .command('ingest')
    .description('send a folder to a project and index it; run it again to send what changed')
    .argument('<dir>', 'the folder')
    .option('--workspace <id>', 'the workspace, where there are several')
    .option('--project <id>', `the project (default: the one kept in ${IDENTITY_FILE}, else a new one)`)
    .option('--name <name>', 'name of the new project (default: that of the folder)')
    .option('--delete-missing', 'delete from the project what is no longer in the folder')
    .option('--max-bytes <n>', 'skip files over this size', wholeNumber(1, 12 * MEBIBYTE), MEBIBYTE)
    .option('--include <pattern>', 'send only what matches, in .gitignore syntax; repeatable', collect, [])
    .option('--exclude <pattern>', 'leave out what matches, in .gitignore syntax; repeatable', collect, [])
    .option('--no-wait', 'do not wait until everything is indexed')
    .option('--concurrency <n>', 'batches on their way at once', wholeNumber(1, 16), 2)
    .option('-v, --verbose', 'name files that were skipped, the first five of each reason');
  addConnectionOptions(command)
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      '\n.gitignore and .serviceignore files are honoured at every depth. Binary files, files over --max-bytes and' +
        '\nsymbolic links are skipped and counted; so are files that may hold secrets (.env, .env.*, .npmrc, .netrc,' +
        '\n.pgpass, private keys), unless an --include pattern names them: --include "*" --include .env.\nA run that was stopped goes on where it was when run again.',
    )
    .action((folder: string, options: Options) => run(folder, options, invocation));
}

async function run(folder: string, options: Options, { terminal, signal }: Invocation): Promise<void> {
  const root = resolve(folder);
  await refuseNoFolder(root);
  if (options.project !== undefined && options.name !== undefined) {
    throw new Failure('--project names an existing project, --name a new one.', {
      next: 'Give one or the other.',
    });
  }
  const kept = await readIdentity(root);
  const connection = await connect(options, {
    terminal,
    signal,
    workers: options.wait,
    remembered: kept?.url,
  });
  try {
    const project = await resolveProject(root, options, kept, connection, signal);
    await keepIdentity(root, kept, project, options, terminal);
    const work: IngestOptions = {
      ...options,
      root,
      deleteMissing: options.deleteMissing ?? false,
      verbose: options.verbose ?? false,
    };
    const result = await ingest(work, project, connection, { terminal, signal });
    if (terminal.json) terminal.value(summaryValue(result, project, connection));
    else {
      printSummary(result, project, work, connection.url, terminal);
      const next = terminal.shade('cyan', '→');
      if (options.wait) terminal.say(`\n${next} ${commandName()} search "what you look for"`);
    }
    // Files that were refused are told; the run as a whole failed only where nothing came of it.
    if (result.index.failed > 0 && result.index.indexed === 0) process.exitCode = EXIT.failed;
  } finally {
    await connection.close();
  }
}

async function refuseNoFolder(root: string): Promise<void> {
  try {
    if ((await stat(root)).isDirectory()) return;
  } catch (thrown) {
    const reason = systemCode(thrown) === 'ENOENT' ? 'does not exist' : 'cannot be read';
    throw new Failure(`${root} ${reason}.`, { next: 'Give the path of a folder.', cause: thrown });
  }
  throw new Failure(`${root} is not a folder.`, { next: 'Give the path of a folder.' });
}

/** Keeps the project in the folder before the first file goes, so that a killed run finds it again. */
async function keepIdentity(
  root: string,
  kept: Identity | undefined,
  project: Project,
  options: Options,
  terminal: Terminal,
): Promise<void> {
  // --project is for this run alone where the folder belongs to another one already.
  if (kept && (kept.project_id === project.id || options.project !== undefined)) return;
  const url = options.url ?? kept?.url;
  try {
    await writeIdentity(root, {
      ...(url !== undefined && { url }),
      workspace_id: project.workspaceId,
      project_id: project.id,
    });
  } catch (thrown) {
    terminal.warn(
      `${IDENTITY_FILE} cannot be written here (${systemCode(thrown) ?? 'unknown error'}): ` +
        `pass --project ${project.id} next time.`,
    );
  }
}
