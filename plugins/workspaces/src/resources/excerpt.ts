/** The limit of clients for one text: 20,000 tokens of about four characters, with room for the note on the cut. */
const MAX_CHARACTERS = 79_000;

/**
 * A text; of a text that is too long its beginning, with a note on the rest and the tool that reads on. The cut is after
 * a whole line, unless the first line alone is too long.
 */
export function excerptOf(content: string, totalLines: number, readOn: string | undefined): string {
  if (content.length <= MAX_CHARACTERS) return content;
  const text = cut(content);
  const lines = text.split('\n').length - 1;
  const place = lines === 0 ? 'in line 1' : `after line ${lines}`;
  const left = `${content.length - text.length} characters are left out.`;
  const more = readOn === undefined ? '' : ` ${readOn} reads on, with start_line ${lines + 1}.`;
  return `${text}\n[Cut ${place} of ${totalLines}: ${left}${more}]\n`;
}

function cut(content: string): string {
  const lineEnd = content.lastIndexOf('\n', MAX_CHARACTERS - 1);
  if (lineEnd >= 0) return content.slice(0, lineEnd + 1);
  const part = content.slice(0, MAX_CHARACTERS);
  return part.isWellFormed() ? part : part.slice(0, -1); // not half of a surrogate pair
}
