import { RegistryView, definePrompt } from '@service-mcp/core';
import { ProjectDirectory } from '@service-mcp/plugin-workspaces/contract';
import { placeOf, projectOf, stepsFor, textOf, userMessage } from './guide.js';

const CHOOSE =
  'Call projects_list and choose the project that the task is about. Pass its id on, never its name.';

const STEPS: readonly string[] = [
  'Call projects_index_status: while its state is indexing, what you find is not all there is.',
  'Call search_hybrid with what the task is about, in its own words, and again with the words that the results use.',
  'Call search_pattern with the exact names that came up: where each is defined, and every place that uses it. With output_format "count" it says first how many there are.',
  'Where a word matters and not its meaning, as in an error message or a setting, call search_keyword.',
  'Read what matters with files_read, by path and lines, before you say how it works.',
  'Then say what is there that the task can build on (path and lines for each), what has to change and in which order, what could break, and what you looked for and did not find. Nothing that you have not read.',
];

export const startTask = definePrompt({
  name: 'start_task',
  title: 'Start a task',
  description: 'Finds what there is on a task and where the code for it is, before anything is changed.',
  arguments: [
    { name: 'task', description: 'What is to be done', required: true },
    { name: 'project_id', description: 'Project id (from projects_list)', required: false },
  ],
  access: { scope: 'search:read', in: 'visible' },
  uses: { projects: ProjectDirectory, registry: RegistryView },
  async render(args, { projects, registry }, call) {
    const task = textOf(args, 'task');
    const project = await projectOf(args, projects, call);
    return userMessage(
      `I am about to start this task:\n\n${task}`,
      placeOf(project),
      'Change nothing yet. First find what there is and where:',
      stepsFor(project ? STEPS : [CHOOSE, ...STEPS], registry, call),
    );
  },
});
