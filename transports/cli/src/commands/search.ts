import { Option, type Command } from 'commander';
import { addConnectionOptions, connect, type ConnectionOptions } from '../connection/connect.js';
import { chooseWorkspace } from '../connection/workspaces.js';
import { wholeNumber } from '../deployment.js';
import { findIdentity, type Identity } from '../ingest/identity.js';
import type { Invocation } from '../invocation.js';
import { printResults, type SearchReply } from '../search/results.js';

interface SearchOptions extends ConnectionOptions {
  readonly mode: 'hybrid' | 'semantic' | 'keyword' | 'pattern';
  readonly workspace?: string;
  readonly project?: string;
  readonly limit: number;
  readonly pathPrefix?: string;
  readonly language: string[];
  readonly ignoreCase?: boolean;
  readonly lines: number;
}

export function addSearch(program: Command, invocation: Invocation): void {
  const command = program
    .command('search')
    .description('search what was ingested: by meaning, by words, or by regular expression')
    .argument('<query>', 'what to look for')
    .addOption(
      new Option('-m, --mode <mode>', 'how to search')
        .choices(['hybrid', 'semantic', 'keyword', 'pattern'])
        .default('hybrid'),
    )
    .option('--project <id>', 'only this project (default: the one this folder belongs to)')
    .option('--workspace <id>', 'the whole of this workspace')
    .option('-n, --limit <n>', 'most results', wholeNumber(1, 100), 10)
    .option('--path-prefix <path>', 'only paths that start so')
    .option(
      '--language <name>',
      'only this language; repeatable',
      (value: string, all: string[]) => [...all, value],
      [],
    )
    .option('-i, --ignore-case', 'in mode pattern: upper and lower case are alike')
    .option('--lines <n>', 'most lines shown of a result', wholeNumber(0, 1000), 8);
  addConnectionOptions(command)
    .option('--json', "print the tool's whole answer as JSON")
    .action((query: string, options: SearchOptions) => search(query, options, invocation));
}

async function search(
  query: string,
  options: SearchOptions,
  { terminal, signal }: Invocation,
): Promise<void> {
  const identity = await findIdentity(process.cwd());
  const connection = await connect(options, { terminal, signal, workers: false, remembered: identity?.url });
  try {
    const args = searchArguments(query, options, identity);
    const reply = await connection
      .call(`search_${options.mode}`, args, { signal })
      .catch(chooseWorkspace(connection, args, '--workspace', signal));
    if (terminal.json) return terminal.value(reply);
    printResults(reply as unknown as SearchReply, { terminal, lines: options.lines }); // the shape the tool declares
  } finally {
    await connection.close();
  }
}

/** Scope given on the command line wins; the folder's own project fills in only where none was. */
function searchArguments(query: string, options: SearchOptions, identity: Identity | undefined): object {
  const scoped = options.workspace !== undefined || options.project !== undefined;
  const workspace = options.workspace ?? (scoped ? undefined : identity?.workspace_id);
  const project = options.project ?? (scoped ? undefined : identity?.project_id);
  const filters = {
    ...(options.pathPrefix !== undefined && { path_prefix: options.pathPrefix }),
    ...(options.language.length > 0 && { languages: options.language }),
  };
  return {
    query,
    limit: options.limit,
    ...(workspace !== undefined && { workspace_id: workspace }),
    ...(project !== undefined && { project_id: project }),
    ...(Object.keys(filters).length > 0 && { filters }),
    ...(options.mode === 'pattern' && options.ignoreCase && { case_sensitive: false }),
  };
}
