import { RegistryView, definePrompt } from '@service-mcp/core';
import { ProjectDirectory } from '@service-mcp/plugin-workspaces/contract';
import { placeOf, projectOf, stepsFor, textOf, userMessage } from './guide.js';

const STEPS: readonly string[] = [
  'Call search_hybrid with the question, and then with the names that the best results use.',
  'Where the words of the question are not those of the code, call search_semantic with what the code should do.',
  'Call search_pattern with the exact names: the definition of each, and the places that call it.',
  'Read the definitions whole with files_read. A result with stale: true has changed since it was indexed: read the file.',
  'Then explain: the answer in two or three sentences; then step by step what happens, in the order in which it runs; the cases that are handled specially; and what you could not find. Give path and lines for each claim, and quote only what you have read.',
];

export const explainCode = definePrompt({
  name: 'explain_code',
  title: 'Explain code, with sources',
  description: 'Finds the code behind a question and explains it, with path and lines for each claim.',
  arguments: [
    { name: 'question', description: 'What is to be explained: a feature, a name, an error', required: true },
    { name: 'project_id', description: 'Project id (from projects_list)', required: false },
  ],
  access: { scope: 'search:read', in: 'visible' },
  uses: { projects: ProjectDirectory, registry: RegistryView },
  async render(args, { projects, registry }, call) {
    const question = textOf(args, 'question');
    return userMessage(
      `Explain this from the code that is indexed here:\n\n${question}`,
      placeOf(await projectOf(args, projects, call)),
      'Find the code, then explain it:',
      stepsFor(STEPS, registry, call),
    );
  },
});
