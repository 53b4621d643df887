import { systemCode } from '@service-mcp/core/wire';
import { InvalidArgumentError, type Command } from 'commander';
import { rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { DEFAULT_URL } from '../connection/address.js';
import type { Connection } from '../connection/connection.js';
import { addConnectionOptions, connect, YES_OPTION, type ConnectionOptions } from '../connection/connect.js';
import { collect, wholeNumber } from '../deployment.js';
import { EXIT, Failure, isRefusal, reasonOf } from '../failure.js';
import { ingestFolder, type IngestOptions, type IngestResult } from '../ingest/ingest-folder.js';
import { LINK_FILE, linkFor, readLink, writeLink, type ProjectLink } from '../ingest/project-link.js';
import { resolveProject, type Project, type ProjectChoice } from '../ingest/resolve-project.js';
import { printSummary, summaryValue } from '../ingest/summary.js';
import { printable } from '../terminal/format.js';
import { commandName } from '../command-name.js';
import type { Invocation } from '../invocation.js';
import type { Terminal } from '../terminal/terminal.js';

interface Options extends ConnectionOptions, IngestOptions, ProjectChoice {
  readonly yes?: boolean;
  readonly watch?: boolean;
}

const MEBIBYTE = 1024 * 1024;

export function addIngest(program: Command, invocation: Invocation): void {
  const command = program
    .command('ingest')
    .description('send a folder to a project and index it; run it again to send changes')
    .argument('<dir>', 'the folder', folderName)
    .option('--workspace <id>', 'the workspace, if you have several')
    .option('--project <id>', `the project (default: the one in ${LINK_FILE}, or else a new one)`)
    .option('--name <name>', 'name of a new project (default: name of the folder)')
    .option('--watch', 'keep running until Ctrl-C: send changed files, delete removed ones')
    .option('--delete-missing', 'delete files from the project that are no longer in the folder')
    .option('--max-bytes <n>', 'skip files larger than this', wholeNumber(1, 12 * MEBIBYTE), MEBIBYTE)
    .option('--include <pattern>', 'send only matching files, in .gitignore syntax; repeatable', collect, [])
    .option('--exclude <pattern>', 'skip matching files, in .gitignore syntax; repeatable', collect, [])
    .option('--no-wait', 'do not wait until everything is indexed')
    .option(...YES_OPTION)
    .option('--concurrency <n>', 'batches sent at once', wholeNumber(1, 16), 2)
    .option('-v, --verbose', 'name skipped files, the first five for each reason');
  addConnectionOptions(command)
    .option('--json', 'print one JSON object; with --watch, one per line and event')
    .addHelpText(
      'after',
      '\n.gitignore and .serviceignore files apply at every depth. Binary files, files over --max-bytes and symbolic links' +
        '\nare skipped and counted. So are files that may hold secrets (.env, .mcp.json, .npmrc, credentials.json,' +
        '\n.aws/credentials, key stores, private keys), unless an --include pattern names them: --include "*" --include .env.' +
        '\nA file that holds a key or token of this service is never sent. An interrupted run continues when you run it again.',
    )
    .action((folder: string, options: Options) => ingest(folder, options, invocation));
}

/** Parses the folder, for commander. An empty one, as of a variable that is not set, would be the current folder. */
function folderName(folder: string): string {
  if (folder === '') throw new InvalidArgumentError('Name the folder: . is the current one.');
  return folder;
}

async function ingest(folder: string, options: Options, invocation: Invocation): Promise<void> {
  const { terminal } = invocation;
  const root = resolve(folder);
  await assertFolder(root);
  if (options.project !== undefined && options.name !== undefined) {
    throw new Failure('--project names an existing project, --name a new one.', {
      next: 'Give one or the other.',
    });
  }
  const link = await readLink(root);
  await using connection = await connect(options, invocation, {
    workers: options.wait || options.watch === true,
    remembered: { url: link?.url, yes: options.yes },
    creates: true,
  });
  const own = linkFor(link, connection.url, terminal.warn);
  const project = await resolveProject(root, options, own, connection);
  await printTarget(root, project, connection, terminal);
  const isLinked = await keepLink(root, link, { project, url: connection.url }, options, terminal);
  const undo = async (thrown: unknown): Promise<never> => {
    throw await withoutEmptyProject(thrown, project, connection, () =>
      isLinked ? restoreLink(root, link) : Promise.resolve(),
    );
  };
  // Awaited here, because the connection closes at the end of this block.
  if (options.watch) return await watch(root, options, project, connection, invocation).catch(undo);
  const result = await ingestFolder(root, options, project, connection, invocation).catch(undo);
  if (terminal.json) terminal.value(summaryValue(result, project, connection));
  else {
    const { url, target } = connection;
    printSummary(result, project, options, url === undefined ? target : undefined, terminal);
    const search = `${commandName()} search${target} "what you look for"`;
    if (options.wait) terminal.say(`\n${terminal.shade('cyan', '→')} ${search}`);
  }
  // Single rejected files are in the summary; the run failed only where nothing could be indexed.
  if (result.index.failed > 0 && result.index.indexed === 0) process.exitCode = EXIT.failed;
}

/** Watches the folder until a signal, which is not a failure. */
async function watch(
  root: string,
  options: Options,
  project: Project,
  connection: Connection,
  invocation: Invocation,
): Promise<void> {
  // Imported here, because other commands start faster without it.
  const [{ watchFolder }, { reportWatch }] = await Promise.all([
    import('../ingest/watch-folder.js'),
    import('../ingest/watch-report.js'),
  ]);
  const { terminal } = invocation;
  const onIngested = (result: IngestResult): void => {
    if (terminal.json) {
      const value = { event: 'ingested', ...summaryValue(result, project, connection) };
      return terminal.out(JSON.stringify(value));
    }
    // This process goes on, so indexing does too, wherever it runs.
    printSummary(result, project, options, undefined, terminal);
    terminal.note('Watching for changes. Press Ctrl-C to stop.');
  };
  const report = reportWatch(terminal, root);
  await watchFolder(root, options, project, connection, invocation, { report, onIngested });
  process.exitCode = EXIT.ok;
}

async function assertFolder(root: string): Promise<void> {
  const next = 'Give the path of a folder.';
  const stats = await stat(root).catch((thrown: unknown) => {
    const reason = systemCode(thrown) === 'ENOENT' ? 'does not exist' : 'cannot be read';
    throw new Failure(`${root} ${reason}.`, { next, cause: thrown });
  });
  if (!stats.isDirectory()) throw new Failure(`${root} is not a folder.`, { next });
}

/** Says where the folder goes, before the first file does. */
async function printTarget(
  root: string,
  project: Project,
  connection: Connection,
  terminal: Terminal,
): Promise<void> {
  const { workspaceId: workspace_id, name } = project;
  const workspace = await connection
    .call('workspaces_get', { workspace_id }, { repeatable: true })
    .then((found) => found.name)
    .catch(() => workspace_id); // the id tells as much
  terminal.say(
    `${root} → project ${printable(name)} in workspace ${printable(workspace)}, ${connection.url === undefined ? 'in this process' : `at ${connection.url}`}.`,
  );
}

/**
 * Writes the link before the first file is sent, so that a killed run finds its project again. A link to a project at
 * another service stays, as does any with --project: that project is for this run alone. False where none was written.
 */
async function keepLink(
  root: string,
  link: ProjectLink | undefined,
  { project, url }: { readonly project: Project; readonly url: string | undefined },
  options: Options,
  terminal: Terminal,
): Promise<boolean> {
  if (link?.project_id === project.id) return false;
  const again = `pass --project ${project.id} next time.`;
  if (link && options.project !== undefined) return false;
  if (link && !linkFor(link, url, () => undefined)) {
    terminal.say(`${LINK_FILE} stays as it is: ${again}`);
    return false;
  }
  const ids = { workspace_id: project.workspaceId, project_id: project.id };
  const address = url === DEFAULT_URL ? undefined : url;
  return writeLink(root, { ...(address !== undefined && { url: address }), ...ids }).then(
    () => true,
    (thrown: unknown) => {
      terminal.warn(`${LINK_FILE} cannot be written here (${reasonOf(thrown)}): ${again}`);
      return false;
    },
  );
}

/** The failure of an ingest; where a quota let no file into a new project, that is taken away again, and its link by `unlink`. */
async function withoutEmptyProject(
  thrown: unknown,
  { id: project_id, created }: Project,
  connection: Connection,
  unlink: () => Promise<void>,
): Promise<unknown> {
  if (!created || !isRefusal(thrown, 'RESOURCE_EXHAUSTED')) return thrown;
  try {
    const { file_count } = await connection.call('projects_get', { project_id }, { repeatable: true });
    if (file_count > 0) return thrown;
    await connection.call('projects_delete', { project_id });
    await unlink();
  } catch {
    return thrown; // its advice names the project, which stays
  }
  const next = 'Make room, or leave files out with --exclude, and run the same command again.';
  return thrown.with({ next }, `${thrown.message} The new project was taken away again.`);
}

/** Puts back the link that a folder had. */
async function restoreLink(root: string, link: ProjectLink | undefined): Promise<void> {
  await (link ? writeLink(root, link) : rm(join(root, LINK_FILE)));
}
