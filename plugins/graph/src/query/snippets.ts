import type { ProjectDirectory } from '@service-mcp/plugin-workspaces/contract';

/** A line of a file, from 1. */
export interface Place {
  readonly path: string;
  readonly line: number;
}

const MAX_FILES = 500;
const MAX_SNIPPET = 160;

/**
 * The current text of lines, trimmed and up to 160 characters; empty if the file is shorter or deleted. Only the first
 * 500 files are read.
 */
export async function readSnippets(
  directory: ProjectDirectory,
  { projectId, workspaceId }: { readonly projectId: string; readonly workspaceId: string },
  places: readonly Place[],
): Promise<(place: Place) => string> {
  const paths = [...new Set(places.map(({ path }) => path))].slice(0, MAX_FILES);
  const texts = await directory.texts(projectId, paths, [workspaceId]);
  return ({ path, line }) => lineOf(texts.get(path) ?? '', line);
}

function lineOf(text: string, line: number): string {
  let start = 0;
  for (let at = 1; at < line; at++) {
    const newline = text.indexOf('\n', start);
    if (newline < 0) return '';
    start = newline + 1;
  }
  const end = text.indexOf('\n', start);
  const whole = text.slice(start, end < 0 ? text.length : end).trim();
  return whole.length <= MAX_SNIPPET ? whole : `${whole.slice(0, MAX_SNIPPET - 1).toWellFormed()}…`;
}
