import { wrap } from '../terminal/format.js';

/** A JSON value as source text in one line of ASCII, so that no part of it can end a string, a line or a file. */
export function literal(value: unknown): string {
  // JSON.stringify gives undefined for undefined alone, which no schema holds.
  return (JSON.stringify(value) ?? 'undefined').replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A name as the key of an object literal. `__proto__` is computed: a plain key would set the prototype. */
export function propertyKey(name: string): string {
  if (name === '__proto__') return '["__proto__"]';
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name);
}

const WIDTH = 100;

/**
 * Foreign text as a comment. No part of it can end the comment, address a compiler (`@ts-ignore`) or change the
 * direction of text. Empty for no text.
 */
export function comment(...texts: readonly (string | undefined)[]): string {
  const lines = texts.flatMap((text) => (text === undefined ? [] : wrap(harmless(text), WIDTH)));
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

/** Lines indented by two columns. Strings hold no line breaks (see `literal`). */
export function indent(text: string): string {
  return text.replace(/^(?=.)/gm, '  ');
}
