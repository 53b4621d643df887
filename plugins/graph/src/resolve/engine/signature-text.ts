/** What the text of a declaration says of a parameter besides its type. */
export interface WrittenParameter {
  readonly optional: boolean;
  /** Strings and numbers of a type that is made of these alone, as in {@link literalOf}. */
  readonly literals: ReadonlySet<string> | undefined;
}

const OPENING = '([{<';
const CLOSING = ')]}>';
const LITERAL = /^(?:'[^']*'|"[^"]*"|-?\d+(?:\.\d+)?)$/;

/** The parameters in the text of a TypeScript function, without `this`; undefined where the text has none or is cut. */
export function writtenParameters(signature: string): readonly WrittenParameter[] | undefined {
  const list = parameterList(signature);
  return list
    ?.map((text) => text.trim())
    .filter((text) => text !== '' && !/^this\s*:/.test(text))
    .map(writtenParameter);
}

function writtenParameter(text: string): WrittenParameter {
  const [name = '', type = ''] = split(text, ':', 2);
  const optional = name.trimEnd().endsWith('?') || text.startsWith('...') || split(text, '=', 2).length > 1;
  const parts = split(type, '|').map((part) => part.trim());
  const isLiteral = parts.every((part) => LITERAL.test(part));
  return { optional, literals: isLiteral ? new Set(parts.map(literalOf)) : undefined };
}

/** A literal in one kind of quotes. */
export function literalOf(text: string): string {
  return text.startsWith('"') ? `'${text.slice(1, -1)}'` : text;
}

/** The texts between the first parentheses outside of type parameters. */
function parameterList(signature: string): string[] | undefined {
  let start = -1;
  let found: string[] | undefined;
  walk(signature, (at, depth) => {
    if (found) return;
    if (start < 0 && depth === 0 && signature[at] === '(') start = at + 1;
    else if (start >= 0 && depth === 1 && signature[at] === ')')
      found = split(signature.slice(start, at), ',');
  });
  return found;
}

/** Splits at a character outside of brackets and quotes, into at most `limit` parts. `=>` is not `=`. */
function split(text: string, separator: string, limit = Infinity): string[] {
  const parts: string[] = [];
  let start = 0;
  walk(text, (at, depth) => {
    if (depth > 0 || text[at] !== separator || text[at + 1] === '>' || parts.length + 1 >= limit) return;
    parts.push(text.slice(start, at));
    start = at + 1;
  });
  return [...parts, text.slice(start)];
}

/** Calls back for each character outside of quotes, with the number of brackets around it. */
function walk(text: string, visit: (at: number, depth: number) => void): void {
  let depth = 0;
  let quote = '';
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (quote !== '') {
      if (character === quote) quote = '';
      else if (character === '\\') at += 1;
      continue;
    }
    if (`'"\``.includes(character)) {
      quote = character;
      continue;
    }
    visit(at, depth);
    const isArrow = character === '>' && text[at - 1] === '=';
    if (OPENING.includes(character)) depth += 1;
    else if (CLOSING.includes(character) && !isArrow) depth -= 1;
  }
}
