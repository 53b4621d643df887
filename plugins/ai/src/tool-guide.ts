/** What an agent calls when, in the order in which it needs it. */
const GUIDE: ReadonlyArray<readonly [tool: string, use: string]> = [
  ['context', 'with each question: the code, documents and decisions that it needs'],
  ['search_pattern', 'every place of an exact name or expression'],
  ['search_hybrid', 'more places by words and meaning'],
  ['files_read', 'lines of a file'],
  ['graph_dependencies', 'what a symbol uses, and what uses it'],
  ['graph_impact_analysis', 'before a change: what it affects, and which tests'],
  ['memory_search', 'what the team knows: who, when, why, and as of a time'],
  ['memory_create_node', 'to store a decision, a constraint or a fact that holds'],
  ['memory_supersede_node', 'to store what takes the place of such a node'],
  ['memory_create_event', 'to store what happened or was learned'],
  ['files_ingest', 'to store files, where a project has none or they changed'],
];

/** For a caller without a workspace. */
const FIRST: typeof GUIDE = [['workspaces_create', 'to make the first workspace']];

/** The guide, for a caller who has these tools. */
export function guideFor(
  tools: ReadonlySet<string>,
  hasWorkspace: boolean,
): Array<{ tool: string; use: string }> {
  return (hasWorkspace ? GUIDE : FIRST)
    .filter(([tool]) => tools.has(tool))
    .map(([tool, use]) => ({ tool, use }));
}
