import { ServiceError, type AdmittedCall, type PromptMessage, type RegistryView } from '@service-mcp/core';
import type { ProjectDirectory, ProjectName } from '@service-mcp/plugin-workspaces/contract';

const MAX_ARGUMENT_LENGTH = 4000;
const CALLS_READERS = 'tools_call_read';
const CALLS_WRITERS = 'tools_call_write';

/** The tools that a step names, all of which it needs. */
const TOOLS = /\b(?:files|memory|projects|search)_[a-z_]+/gu;

/** The numbered steps whose tools the caller has, with a note if they are called through a meta tool. */
export function stepsFor(steps: readonly string[], registry: RegistryView, call: AdmittedCall): string {
  const listed = namesOf(registry, call);
  // Callers with the meta tools alone reach the others through them.
  const through = listed.has(CALLS_READERS);
  const usable = through ? namesOf(registry, registry.reach(call)) : listed;
  const possible = steps.filter((step) => (step.match(TOOLS) ?? []).every((tool) => usable.has(tool)));
  const lines = possible.map((step, i) => `${i + 1}. ${step}`);
  if (through) {
    const writers = listed.has(CALLS_WRITERS) ? `, or ${CALLS_WRITERS} where it changes something` : '';
    lines.push(
      `Call a tool that you do not have yourself through ${CALLS_READERS}${writers}, with name and arguments.`,
    );
  }
  return lines.join('\n');
}

function namesOf(registry: RegistryView, call: Parameters<RegistryView['list']>[0]): Set<string> {
  return new Set(registry.list(call).map(({ name }) => name));
}

export function userMessage(...paragraphs: readonly string[]): PromptMessage[] {
  return [{ role: 'user', content: { type: 'text', text: paragraphs.filter(Boolean).join('\n\n') } }];
}

/** A typed argument. Throws INVALID_ARGUMENT when it is blank or too long. */
export function textOf(args: Readonly<Record<string, string>>, name: string): string {
  const text = (args[name] ?? '').trim();
  if (text === '') throw new ServiceError('INVALID_ARGUMENT', `${name}: must not be blank`);
  if (text.length > MAX_ARGUMENT_LENGTH) {
    throw new ServiceError(
      'INVALID_ARGUMENT',
      `${name}: must have at most ${MAX_ARGUMENT_LENGTH} characters`,
    );
  }
  return text;
}

/** The project of `project_id`, undefined when none is named. Throws NOT_FOUND for one that the caller may not see. */
export async function projectOf(
  { project_id: id = '' }: Readonly<Record<string, string>>,
  directory: ProjectDirectory,
  { admission }: AdmittedCall,
): Promise<ProjectName | undefined> {
  if (id === '') return undefined;
  const project = await directory.find(id, admission.workspaces.keys());
  if (project) return project;
  throw new ServiceError(
    'NOT_FOUND',
    `There is no project ${id.slice(0, 64)} that you may see. Call projects_list for the ids.`,
  );
}

/** Names the project, with the ids for tools. */
export function placeOf(project: ProjectName | undefined): string {
  return project === undefined
    ? ''
    : `It is about the project ${JSON.stringify(project.name)}: project_id ${project.id}, workspace_id ${project.workspaceId}.`;
}
