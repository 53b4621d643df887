import { editDistance, plural } from '@service-mcp/core';

/** Paths that a refusal names. */
const MAX_SIMILAR = 3;
/** A slip changes a few letters; and names that are compared letter by letter for one refusal. */
const MAX_EDITS = 8;
const MAX_COMPARED = 5000;
/** Of the place that a result, a compiler or a trace names: `src/a.ts:12`, `src/a.ts:12-20`, `src/a.ts#L12`. */
const PLACE = /(?::\d{1,9}(?:[:-]\d{1,9}){0,3}|#L\d{1,9}(?:-L?\d{1,9})?)$/;

/**
 * Says what may have been meant by a path that a project does not have: a folder, files that end in the same way (an absolute path,
 * one with the name of its repository, a file name alone), or a slip in the name. Empty where nothing is similar.
 */
export function describeSimilar(wanted: string, known: readonly string[]): string {
  const path = wanted.replace(PLACE, '').replace(/(?<!\/)\/+$/, '');
  const below = known.filter((each) => each.startsWith(`${path}/`));
  if (below.length > 0)
    return `It is a folder of ${plural(below.length, 'file')}, such as ${below.slice(0, MAX_SIMILAR).join(', ')}.`;
  const similar = similarPaths(path, known);
  return similar.length > 0 ? `Similar: ${similar.join(', ')}.` : '';
}

function similarPaths(path: string, known: readonly string[]): string[] {
  const own = path.toLowerCase().split('/').reverse();
  const name = own[0] ?? '';
  const maxEdits = Math.min(MAX_EDITS, Math.max(1, Math.floor(name.length / 5)));
  let compared = 0;
  const found = known.flatMap((other) => {
    const parts = other.toLowerCase().split('/').reverse();
    const shared = own.findIndex((part, i) => part !== parts[i]);
    const same = shared === -1 ? own.length : shared;
    if (same > 0) return { other, same, edits: 0 };
    const [last = ''] = parts;
    if (Math.abs(last.length - name.length) > maxEdits || compared === MAX_COMPARED) return [];
    compared += 1;
    const edits = editDistance(name, last, maxEdits);
    const folders = own.length === parts.length && own.slice(1).every((part, i) => part === parts[i + 1]);
    return edits < Infinity ? { other, same: folders ? 0.5 : 0, edits } : [];
  });
  return found
    .sort((a, b) => b.same - a.same || a.edits - b.edits || a.other.length - b.other.length)
    .slice(0, MAX_SIMILAR)
    .map(({ other }) => other);
}
