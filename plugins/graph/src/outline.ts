/** About 2,000 tokens of paths and code. */
const MAX_CHARS = 6000;
const MAX_LINE = 300;

/**
 * Text for a model: a head and a tail, and between them as many lines as fit. Dropped lines are counted, so that the text
 * never seems complete.
 */
export function outline(head: readonly string[], lines: readonly string[], tail: readonly string[]): string {
  const fixed = [...head, ...tail].map(clipped);
  let left = MAX_CHARS - fixed.reduce((sum, line) => sum + line.length + 1, 0);
  const shown: string[] = [];
  for (const line of lines.map(clipped)) {
    left -= line.length + 1;
    if (left < 0) break;
    shown.push(line);
  }
  const rest = lines.length - shown.length;
  const note =
    rest > 0 ? [`… ${rest} more ${rest === 1 ? 'line is' : 'lines are'} in the structured result.`] : [];
  return [...fixed.slice(0, head.length), ...shown, ...note, ...fixed.slice(head.length)].join('\n');
}

/** A line of at most 300 characters. */
export function clipped(line: string): string {
  return line.length <= MAX_LINE ? line : `${line.slice(0, MAX_LINE - 1).toWellFormed()}…`;
}

/** One line for each group with its items below, the groups in order of their first item. */
export function grouped<T>(
  items: readonly T[],
  groupOf: (item: T) => string,
  lineOf: (item: T) => string,
  headOf: (group: string) => string,
): string[] {
  const groups = new Map<string, string[]>();
  for (const item of items) {
    const group = groupOf(item);
    const lines = groups.get(group);
    if (lines) lines.push(`  ${lineOf(item)}`);
    else groups.set(group, [headOf(group), `  ${lineOf(item)}`]);
  }
  return [...groups.values()].flat();
}

/** The state of an index that is not ready, and warnings about missing parts. */
export function stateLines({
  index,
  warnings,
}: {
  readonly index: { readonly state: string };
  readonly warnings: readonly string[];
}): string[] {
  return [...(index.state === 'ready' ? [] : [`Index: ${index.state}.`]), ...warnings];
}
