import { RegistryView, definePrompt } from '@service-mcp/core';
import { placeOf, projectOf, stepsFor, textOf, userMessage } from '@service-mcp/plugin-search/contract';
import { ProjectDirectory } from '@service-mcp/plugin-workspaces/contract';

const STEPS: readonly string[] = [
  'Call memory_search with the topic, in its own words, and again with the words that the results use.',
  'Call memory_decisions with the topic as query, and again with status "superseded": what was decided, and what it replaced.',
  'Call memory_timeline for the order in which it came about.',
  'Call memory_hygiene for duplicates, contradictions and stale records, and keep those on the topic.',
  'Read an event that is cut and matters with memory_get_event.',
  'Read a node that is cut and matters with memory_get_node.',
  'Then report: what holds today, each statement with its date and id; the decisions in force and why they were made; what is disputed, contradictory or older than it should be; what nobody recorded. For each fault name the call that would settle it. Change nothing.',
];

export const reviewKnowledge = definePrompt({
  name: 'review_knowledge',
  title: 'Review what is known',
  description:
    'Gathers what memory holds on a topic: what is in force, what is in doubt and what is missing.',
  arguments: [
    { name: 'topic', description: 'A subject, a feature, a question', required: true },
    { name: 'project_id', description: 'Project id (from projects_list)', required: false },
  ],
  access: { scope: 'memory:read', in: 'visible' },
  uses: { projects: ProjectDirectory, registry: RegistryView },
  async render(args, { projects, registry }, call) {
    const topic = textOf(args, 'topic');
    return userMessage(
      `Review what is known about this:\n\n${topic}`,
      placeOf(await projectOf(args, projects, call)),
      stepsFor(STEPS, registry, call),
    );
  },
});
