/** A JSON value as source text: one line of ASCII, so that nothing in it can end a string, a line or a file. */
export function literal(value: unknown): string {
  // JSON.stringify gives undefined for undefined alone, which no schema holds.
  return (JSON.stringify(value) ?? 'undefined').replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A name as the key of an object literal. `__proto__` would set the prototype, were it not computed. */
export function propertyKey(name: string): string {
  if (name === '__proto__') return '["__proto__"]';
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name);
}

const WIDTH = 100;

/**
 * Foreign text as a comment that stays one: no line of it can end the comment, speak to a compiler (`@ts-ignore`) or
 * turn the direction of what is written. Empty for no text.
 */
export function comment(...texts: readonly (string | undefined)[]): string {
  const lines = texts.flatMap((text) => (text === undefined ? [] : wrapped(harmless(text))));
  if (lines.length === 0) return '';
  if (lines.length === 1) return `/** ${lines[0]} */\n`;
  return `/**\n${lines.map((line) => ` * ${line}\n`).join('')} */\n`;
}

function harmless(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\s]+/gu, ' ')
    .replaceAll('*/', '* /')
    .replace(/(^|[^\w])@(?=\w)/g, '$1@ ')
    .replace(/#(?=\w*sourceMappingURL)/gi, '# ')
    .trim();
}

function wrapped(text: string): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return line === '' ? lines : [...lines, line];
}

/** Lines, two columns further in. Strings hold no line breaks (see `literal`). */
export function indent(text: string): string {
  return text.replace(/^(?=.)/gm, '  ');
}
