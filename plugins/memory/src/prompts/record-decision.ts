import { RegistryView, definePrompt } from '@service-mcp/core';
import { placeOf, projectOf, stepsFor, textOf, userMessage } from '@service-mcp/plugin-search/contract';
import { ProjectDirectory } from '@service-mcp/plugin-workspaces/contract';

const STEPS: readonly string[] = [
  'Call memory_decisions with a query in the words of the decision: is there one on the same question?',
  'If one says the same, stop and name it.',
  'If this one takes the place of one, call memory_supersede_node with its id, the new title and content, and the reason for the change.',
  'Otherwise call memory_create_node with node_type "decision". Title: what was decided, in one line. Content: the decision first; then "because" with the reasons; the alternatives and why they were rejected; what follows from it. Set valid_from if it holds since another day, and code_refs to the files that it is about.',
  'Leave out keys, tokens and passwords, and whatever I have not said or you have not read: ask me instead.',
  'Then tell me the id, and which decision it superseded.',
];

export const recordDecision = definePrompt({
  name: 'record_decision',
  title: 'Record a decision',
  description: 'Stores a decision with its reasons, in the place of the one that it supersedes.',
  arguments: [
    { name: 'decision', description: 'What was decided, and why', required: true },
    { name: 'project_id', description: 'Project id (from projects_list)', required: false },
  ],
  access: { scope: 'memory:write', in: 'visible' },
  uses: { projects: ProjectDirectory, registry: RegistryView },
  async render(args, { projects, registry }, call) {
    const decision = textOf(args, 'decision');
    return userMessage(
      `Record this decision:\n\n${decision}`,
      placeOf(await projectOf(args, projects, call)),
      stepsFor(STEPS, registry, call),
    );
  },
});
