import { InvalidArgumentError, Option, type Command } from 'commander';
import { addConnectionOptions, connect, YES_OPTION, type ConnectionOptions } from '../connection/connect.js';
import { chooseWorkspace } from '../connection/workspaces.js';
import { collect, wholeNumber } from '../deployment.js';
import { commandName } from '../command-name.js';
import { Failure } from '../failure.js';
import { findLink, linkFor, type ProjectLink } from '../ingest/project-link.js';
import type { Invocation } from '../invocation.js';
import { printResults } from '../search/print-results.js';

const MODES = ['hybrid', 'semantic', 'keyword', 'pattern'] as const;
export type Mode = (typeof MODES)[number];

const FACETS = ['languages', 'kinds', 'directories', 'projects'] as const;
type Facet = (typeof FACETS)[number];

interface SearchOptions extends ConnectionOptions {
  readonly mode: Mode;
  readonly workspace?: string;
  readonly project?: string;
  readonly limit: number;
  readonly pathPrefix?: string;
  readonly language: string[];
  readonly ignoreCase?: boolean;
  readonly lines: number;
  readonly facets?: Facet[];
  readonly yes?: boolean;
}

export function addSearch(program: Command, invocation: Invocation): void {
  const command = program
    .command('search')
    .description('search by meaning, by words or by regular expression')
    .argument('<query>', 'what to look for')
    .addOption(new Option('-m, --mode <mode>', 'how to search').choices(MODES).default('hybrid'))
    .option('--project <id>', 'only this project (default: the project of this folder)')
    .option('--workspace <id>', 'all projects of this workspace')
    .option('-n, --limit <n>', 'maximum number of results', wholeNumber(1, 100), 10)
    .option('--path-prefix <path>', 'only paths that start with this')
    .option('--language <name>', 'only this language; repeatable', collect, [])
    .option('-i, --ignore-case', 'ignore case, in mode pattern')
    .option('--lines <n>', 'maximum number of lines shown per result', wholeNumber(0, 1000), 8)
    .option(
      '--facets <names>',
      `count all matches by these, below the results: ${FACETS.join(',')}`,
      facetNames,
    )
    .option(...YES_OPTION);
  addConnectionOptions(command)
    .option('--json', "print the tool's full result as JSON")
    .action((query: string, options: SearchOptions) => search(query, options, invocation));
}

function facetNames(value: string): Facet[] {
  return value.split(',').map((word) => {
    const name = FACETS.find((known) => known === word.trim());
    if (!name) throw new InvalidArgumentError(`Use some of ${FACETS.join(', ')}, separated by commas.`);
    return name;
  });
}

async function search(query: string, options: SearchOptions, invocation: Invocation): Promise<void> {
  const { terminal } = invocation;
  if (query.trim() === '')
    throw new Failure('The query is empty.', {
      next: `Say what to look for: ${commandName()} search "where are errors handled"`,
    });
  const link = await findLink(process.cwd(), terminal.warn);
  const remembered = { url: link?.url, yes: options.yes };
  await using connection = await connect(options, invocation, { remembered });
  const named = options.workspace !== undefined || options.project !== undefined;
  // The folder's own project is searched where the command line names neither a workspace nor a project.
  const args = searchArguments(
    query,
    options,
    named ? undefined : linkFor(link, connection.url, terminal.warn),
  );
  const reply = await connection
    .call(`search_${options.mode}`, args)
    .catch(chooseWorkspace(connection, args, '--workspace'));
  if (terminal.json) return terminal.value(reply);
  if (reply.results.length === 0 && reply.index.state === 'ready' && args.filters) {
    // Imported here, because a search that finds something needs no core.
    const { filterAdvice } = await import('../search/filter-advice.js');
    const advice = await filterAdvice(connection, options.mode, args);
    return advice.forEach((line) => terminal.say(terminal.shade('yellow', line)));
  }
  printResults(reply, { terminal, lines: options.lines, target: connection.target });
}

/** `scope` is searched where the options name neither a workspace nor a project. */
function searchArguments(query: string, options: SearchOptions, scope: ProjectLink | undefined) {
  const { workspace, project, pathPrefix, language, limit, facets } = options;
  const filters = {
    ...(pathPrefix !== undefined && { path_prefix: pathPrefix }),
    ...(language.length > 0 && { languages: language }),
  };
  return {
    query,
    limit,
    workspace_id: workspace ?? scope?.workspace_id,
    project_id: project ?? scope?.project_id,
    filters: Object.keys(filters).length > 0 ? filters : undefined,
    ...(facets && { facets }),
    ...(options.mode === 'pattern' && options.ignoreCase && { case_sensitive: false }),
  };
}
