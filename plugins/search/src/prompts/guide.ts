import {
  amendCall,
  ServiceError,
  type AdmittedCall,
  type PromptMessage,
  type RegistryView,
} from '@service-mcp/core';
import type { ProjectDirectory, ProjectName } from '@service-mcp/plugin-workspaces/contract';

const LONGEST_ARGUMENT = 4000;
const MOST_CANDIDATES = 100;
const CALLS_READERS = 'tools_call_read';

/** One step of a way of working: the tool that it needs, and what to do. */
export type Step = readonly [tool: string | undefined, text: string];

/** Steps, numbered, without those whose tool is not there; one more line where tools are called through another. */
export function stepsFor(steps: readonly Step[], registry: RegistryView, call: AdmittedCall): string {
  const listed = namesOf(registry, call);
  // Who sees the meta tools alone reaches the others through them.
  const through = listed.has(CALLS_READERS);
  const all = amendCall(call, { selection: { toolsets: ['complete'], readOnly: call.selection.readOnly } });
  const usable = through ? namesOf(registry, all) : listed;
  const lines = steps
    .filter(([tool]) => tool === undefined || usable.has(tool))
    .map(([, text], i) => `${i + 1}. ${text}`);
  if (through)
    lines.push(
      `Call a tool that you do not have yourself through ${CALLS_READERS}, with name and arguments.`,
    );
  return lines.join('\n');
}

function namesOf(registry: RegistryView, call: Parameters<RegistryView['list']>[0]): Set<string> {
  return new Set(registry.list(call).map(({ name }) => name));
}

export function userMessage(...paragraphs: readonly string[]): PromptMessage[] {
  return [{ role: 'user', content: { type: 'text', text: paragraphs.filter(Boolean).join('\n\n') } }];
}

/** What a person typed. Throws INVALID_ARGUMENT where there is nothing in it, or too much. */
export function textOf(args: Readonly<Record<string, string>>, name: string): string {
  const text = (args[name] ?? '').trim();
  if (text === '') throw new ServiceError('INVALID_ARGUMENT', `${name}: must not be blank`);
  if (text.length > LONGEST_ARGUMENT) {
    throw new ServiceError(
      'INVALID_ARGUMENT',
      `${name}: must not have more than ${LONGEST_ARGUMENT} characters`,
    );
  }
  return text;
}

/** The project of `project_id`; undefined where none is named. Throws NOT_FOUND for one that the caller may not see. */
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

/** Where to look, with the ids that the tools take. */
export function placeOf(project: ProjectName | undefined): string {
  return project === undefined
    ? ''
    : `It is about the project ${JSON.stringify(project.name)}: project_id ${project.id}, workspace_id ${project.workspaceId}.`;
}

/** Ids of projects, by the beginning of the id or of the name; nothing for other arguments. */
export async function completeProject(
  argument: string,
  value: string,
  directory: ProjectDirectory,
  { admission }: AdmittedCall,
): Promise<string[]> {
  if (argument !== 'project_id') return [];
  const found = await directory.startingWith(value, admission.workspaces.keys(), MOST_CANDIDATES);
  return found.map(({ id }) => id);
}
