import { RegistryView, definePrompt, plural } from '@service-mcp/core';
import { IndexStatuses, ProjectDirectory, type IndexStatus } from '@service-mcp/plugin-workspaces/contract';
import { placeOf, projectOf, stepsFor, userMessage } from './guide.js';

const MAX_FAILED = 20;
const MAX_LANGUAGES = 10;

const STEPS: readonly string[] = [
  'Call projects_index_status for how it is now; while its state is indexing, wait with the rest.',
  'Call files_list with indexing_status "failed" for every file that failed, and without it for what is there at all.',
  'Call search_pattern with output_format "paths" to see what should not be indexed: generated files, copies of libraries, secrets.',
  'Read with files_read what you are not sure about, the entry points and the README above all.',
  'Then report: what the project is, by what is in it; whether a search over it can be trusted, and why; each failure with its reason and remedy; what is missing that should be there (tests, documentation, configuration); what should not be there. Change nothing.',
];

const STATES: Readonly<Record<IndexStatus['state'], string>> = {
  not_indexed: 'Nothing was ever stored in it; the command service-mcp ingest stores a folder.',
  empty: 'Nothing is left in it.',
  indexing: 'It is being indexed now.',
  ready: 'It is indexed.',
  degraded: 'The index is damaged: the operator repairs it with service-mcp doctor --repair.',
};

export const reviewProject = definePrompt({
  name: 'review_project',
  title: 'Review what is indexed',
  description: 'Looks at what of a project is indexed, what failed and why, and what is missing.',
  arguments: [{ name: 'project_id', description: 'Project id (from projects_list)', required: true }],
  access: { scope: 'search:read', in: { resource: 'project', id: 'project_id' } },
  uses: { projects: ProjectDirectory, statuses: IndexStatuses, registry: RegistryView },
  async render(args, { projects, statuses, registry }, call) {
    const project = await projectOf(args, projects, call);
    if (!project) throw new Error('a review was admitted without a project');
    const status = await statuses.read(project.workspaceId, project.id);
    const { languages, failed } = await projects.contents(project.id, MAX_FAILED);
    const named = languages
      .slice(0, MAX_LANGUAGES)
      .map(({ language, files }) => `${language ?? 'unknown'} ${files}`);
    const facts = [
      `${STATES[status.state]} ${plural(status.indexed, 'file')} indexed, ${status.pending} pending, ${status.failed} failed.`,
      ...(named.length > 0 ? [`Files by language: ${named.join(', ')}.`] : []),
    ];
    const failures = failed.map(({ path, error }) => `- ${JSON.stringify(path)}: ${error}`);
    const others = status.failed - failed.length;
    if (others > 0) failures.push(`- and ${others} more`);
    return userMessage(
      'Review what is stored and indexed of a project.',
      placeOf(project),
      facts.join('\n'),
      failures.length > 0 ? `These failed:\n${failures.join('\n')}` : '',
      stepsFor(STEPS, registry, call),
    );
  },
});
