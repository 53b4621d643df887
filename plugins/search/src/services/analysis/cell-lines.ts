/** A line of the source of a cell, which is a list of strings, or a string. */
const SOURCE_LINE = /^\s*(?:"(?:source|input)"\s*:\s*\[?\s*)?("(?:[^"\\]|\\.)*")\s*\]?,?\s*$/;

/** The lines of cells in whole lines of a notebook, without the JSON around them; none where no source is among them. */
function cellLines(content: string): string[] {
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

/** What a model reads of whole lines of a document: of a notebook the lines of its cells, where it has some. */
export function linesToRead(content: string, language: string | null | undefined): string {
  const lines = language === 'jupyter' ? cellLines(content) : [];
  return lines.length > 0 ? lines.join('\n') : content;
}
