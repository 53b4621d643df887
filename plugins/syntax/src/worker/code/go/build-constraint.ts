/** Longer expressions are not of people. */
const MAX_LENGTH = 2000;

/** The `//go:build` expression of a file, or its older `// +build` lines as one: they stand before the `package` clause. */
export function buildConstraint(head: string): string | undefined {
  const lines = head.split('\n').map((line) => line.trim());
  const expression = lines.map((line) => /^\/\/go:build\s(.+)/.exec(line)?.[1]).find(Boolean);
  const older = lines.flatMap((line) => /^\/\/\s*\+build\s(.+)/.exec(line)?.[1]?.trim() ?? []);
  const found = expression?.replace(/\/\/.*/, '').trim() ?? older.map(olderLine).join(' && ');
  return found === '' || found.length > MAX_LENGTH ? undefined : found;
}

/** Options of a line are apart by spaces, terms of an option by commas. */
function olderLine(line: string): string {
  const options = line.trim().split(/\s+/);
  return `(${options.map((option) => option.split(',').join(' && ')).join(' || ')})`;
}
