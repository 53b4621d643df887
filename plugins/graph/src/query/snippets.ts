import { groupBy } from '../resolve/group-by.js';
import { lineAt, readInBatches, startsOf, type ReadTexts } from './texts.js';

/** A line of a file, from 1. */
export interface Place {
  readonly path: string;
  readonly line: number;
}

const MAX_SNIPPET = 160;

/** The current text of lines, trimmed and up to 160 characters; empty if the file is shorter or deleted. */
export async function readSnippets(
  readTexts: ReadTexts,
  places: readonly Place[],
): Promise<(place: Place) => string> {
  const byPath = groupBy(places, ({ path }) => path);
  const snippets = new Map<string, ReadonlyMap<number, string>>();
  for await (const [path, text] of readInBatches([...byPath.keys()], readTexts)) {
    const starts = startsOf(
      text,
      (byPath.get(path) ?? []).map(({ line }) => line),
    );
    snippets.set(
      path,
      new Map(Array.from(starts, ([line, start]) => [line, snippetOf(lineAt(text, start))])),
    );
  }
  return ({ path, line }) => snippets.get(path)?.get(line) ?? '';
}

function snippetOf(line: string): string {
  const whole = line.trim();
  const snippet = whole.length <= MAX_SNIPPET ? whole : `${whole.slice(0, MAX_SNIPPET - 1).toWellFormed()}…`;
  return Buffer.from(snippet).toString(); // a slice holds its whole text
}
