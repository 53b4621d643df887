/** A Markdown table; cells are escaped, an empty list gives nothing. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n');
}

function cell(text: string): string {
  return text.replaceAll('|', String.raw`\|`).replaceAll('\n', ' ');
}

/** Plain text in Markdown: no emphasis, no tags. */
export function prose(text: string): string {
  return text.replaceAll(/[*<]/g, String.raw`\$&`);
}

export function code(text: string): string {
  return text === '' ? '' : `\`${text}\``;
}

/** A page of the reference: paragraphs with one empty line between. */
export function page(title: string, ...parts: readonly string[]): string {
  const note = '<!-- Made by `npm run docs` from the declarations. Change those, not this. -->';
  return `${[`# ${title}`, note, ...parts.filter((part) => part !== '')].join('\n\n')}\n`;
}

/** A value of a default: words as they are written in JSON, lists with commas. */
export function value(given: unknown): string {
  if (given === undefined) return '';
  if (Array.isArray(given)) return given.length === 0 ? 'none' : given.map(value).join(', ');
  return code(typeof given === 'string' ? given || '""' : JSON.stringify(given));
}
