/** A line of the source of a cell, which is a list of strings, or a string. */
const SOURCE_LINE = /^\s*(?:"(?:source|input)"\s*:\s*\[?\s*)?("(?:[^"\\]|\\.)*")\s*\]?,?\s*$/;

/** The lines of cells in whole lines of a notebook, without the JSON around them; none where no source is among them. */
export function cellLines(content: string): string[] {
  return content.split('\n').flatMap((line) => {
    const string = SOURCE_LINE.exec(line)?.[1];
    if (string === undefined) return [];
    try {
      return String(JSON.parse(string))
        .replace(/\r?\n$/, '')
        .split('\n');
    } catch {
      return []; // an escape that is not one of JSON
    }
  });
}
