import { resolveProject, type SourceFile } from '@service-mcp/plugin-graph/internals';

/** `source kind target reason`, without references. */
export function edges(files: readonly SourceFile[]): string[] {
  return resolveProject(files, []).flatMap((graph) =>
    graph.edges
      .filter((edge) => edge.kind !== 'references')
      .map((edge) => {
        const source = graph.symbols[edge.source]?.qualifiedName ?? '';
        return `${source} ${edge.kind} ${edge.target.replace(/.*#/, '')} ${edge.reason}`;
      }),
  );
}
