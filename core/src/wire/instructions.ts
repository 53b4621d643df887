/** The order of work, in a few lines for a model; names only tools that the caller sees. */
export function instructionsFor(tools: readonly { readonly name: string }[]): string {
  const seen = new Set(tools.map((tool) => tool.name));
  const steps = STEPS.filter(([name]) => seen.has(name)).map(([, step]) => step);
  return ["This service keeps a team's content and memory in workspaces and searches them.", ...steps].join(
    ' ',
  );
}

const STEPS: readonly (readonly [tool: string, step: string])[] = [
  ['help', 'Call help when unsure what is there.'],
  [
    'tools_search',
    'Find the tool for what you want with tools_search, read its schema with tools_describe, and call it with tools_call_read or tools_call_write.',
  ],
  ['workspaces_list', 'Take ids from workspaces_list, never from a display name.'],
  ['search_hybrid', 'Find with search_hybrid.'],
  ['files_read', 'Open what it names with files_read.'],
];
