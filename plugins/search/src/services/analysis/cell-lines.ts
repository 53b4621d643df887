/** The properties of a cell that people write. */
const SOURCE: ReadonlySet<string> = new Set(['source', 'input']);
const PROPERTY = /^"([^"\\]*(?:\\.[^"\\]*)*)"\s*:\s*/;

/** What a model reads of whole lines of a document: of a notebook the lines of its cells, where it has some. */
export function linesToRead(content: string, language: string | null | undefined): string {
  const lines = language === 'jupyter' ? cellLines(content) : [];
  return lines.length > 0 ? lines.join('\n') : content;
}

/**
 * The lines of cells in lines of a notebook, without the JSON around them; none where no source is among them. The first and
 * the last line may begin or end inside of a string.
 */
function cellLines(content: string): string[] {
  const lines = content.replace(/\r?\n$/, '').split('\n');
  const read: string[] = [];
  /** Strings before any property: of a source, unless they are deeper than those of the sources that follow. */
  const before: { readonly text: string; readonly depth: number }[] = [];
  let isSource: boolean | undefined;
  let depthOfSource: number | undefined;
  for (const [at, line] of lines.entries()) {
    const trimmed = line.trim();
    const depth = line.length - line.trimStart().length;
    const property = PROPERTY.exec(trimmed);
    if (property) {
      isSource = SOURCE.has(property[1] ?? '');
      if (isSource) read.push(...valuesIn(trimmed.slice(property[0].length)));
      continue;
    }
    if (trimmed.startsWith(']') || isSource === false) {
      isSource = false;
      continue;
    }
    const text = stringIn(trimmed, { isFirst: at === 0, isLast: at === lines.length - 1 });
    if (text === undefined) continue;
    if (isSource) {
      depthOfSource ??= depth;
      read.push(text);
    } else before.push({ text, depth: at === 0 && !trimmed.startsWith('"') ? 0 : depth });
  }
  const own = before.filter(({ depth }) => depth <= (depthOfSource ?? Infinity)).map(({ text }) => text);
  return [...own, ...read].flatMap((text) => text.replace(/\r?\n$/, '').split('\n'));
}

/** Strings of a value in the line of its property: a string, or a list of them that ends in it. */
function valuesIn(value: string): string[] {
  try {
    const parsed: unknown = JSON.parse(value.replace(/,$/, ''));
    return [parsed].flat().filter((each) => typeof each === 'string');
  } catch {
    return []; // a list that goes on, or a string that was cut off
  }
}

/** The string of a line, which may lack its quotes at the ends of the whole. */
function stringIn(
  line: string,
  { isFirst, isLast }: { isFirst: boolean; isLast: boolean },
): string | undefined {
  const value = line.replace(/,$/, '');
  const opened = value.startsWith('"') ? value : isFirst ? `"${line}` : undefined;
  for (const quoted of opened === undefined ? [] : [opened.replace(/,$/, ''), isLast ? `${opened}"` : ''])
    try {
      const parsed: unknown = JSON.parse(quoted);
      if (typeof parsed === 'string') return parsed;
    } catch {
      continue; // not a string, or an escape that was cut
    }
  return undefined;
}
