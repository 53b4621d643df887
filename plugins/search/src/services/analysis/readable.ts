/** A string up to its closing quote, which a part of a document may lack. */
const STRING = String.raw`[^"\\]*(?:\\[^][^"\\]*)*`;
const REST_OF_STRING = new RegExp(STRING, 'y');
/** What JSON is made of, but for escapes outside of strings. */
const TOKEN = new RegExp(
  String.raw`[\s[\]{},:]+|(?:true|false|null|-?\d[\d.eE+-]*)(?![\w"])|"(${STRING})"?(?=(\s*:)?)`,
  'y',
);
/** The properties of a cell that people write. */
const SOURCE = /^(?:source|input)$/;
const ESCAPE_OR_TEXT = /\\(?:u[\da-f]{4}|[^])|[^\\]+|\\$/gi;
/** Between the two. */
const START_OF_WORD = /[^\p{L}\p{M}\p{N}_](?=[\p{L}\p{M}\p{N}_])/u;
/** What is before a word may be a pair of code units. */
const LOW_SURROGATE = /[\udc00-\udfff]/;
const END_OF_WORD = /[\p{L}\p{M}\p{N}_]$/u;
const CONTROLS: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** A part of a document as people read it, at the same offsets: that of a notebook without its JSON, others as they are. */
export function readable(part: string, language: string | null): string {
  return language === 'jupyter' ? cellText(part) : part;
}

/**
 * The sources of cells in a part of a notebook, which begins in a source: without the JSON around them and its escapes, of the same
 * length. Of a part that is not of this kind, as the lines around a source, only the escapes are replaced.
 */
function cellText(part: string): string {
  const parts: string[] = [];
  let at = 0;
  if (!/^\s*"/.test(part)) {
    REST_OF_STRING.lastIndex = 0;
    const rest = REST_OF_STRING.exec(part)?.[0] ?? '';
    const isClosed = part[rest.length] === '"';
    parts.push(withoutEscapes(rest), isClosed ? ' ' : '');
    at = rest.length + (isClosed ? 1 : 0);
  }
  let property = 'source';
  while (at < part.length) {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(part);
    if (!token) return withoutEscapes(part);
    const [text, string, colon] = token;
    at += text.length;
    if (string !== undefined && colon !== undefined) property = string;
    const isRead = string !== undefined && colon === undefined && SOURCE.test(property);
    parts.push(isRead ? ` ${withoutEscapes(string)}`.padEnd(text.length) : text.replaceAll(/[^\r\n]/g, ' '));
  }
  return parts.join('');
}

/** Characters in place of their escapes, with blanks for what they are shorter before the next word. */
function withoutEscapes(text: string): string {
  if (!text.includes('\\')) return text;
  let read = '';
  let owed = 0;
  let isInWord = false;
  for (const [piece] of text.matchAll(ESCAPE_OR_TEXT)) {
    const plain = piece.startsWith('\\') ? characterOf(piece) : piece;
    owed += piece.length - plain.length;
    const word = `${isInWord ? '_' : ' '}${plain}`.search(START_OF_WORD);
    const cut = LOW_SURROGATE.test(plain.charAt(word)) ? word + 1 : word;
    read += word < 0 ? plain : plain.slice(0, cut) + ' '.repeat(owed) + plain.slice(cut);
    if (word >= 0) owed = 0;
    isInWord = END_OF_WORD.test(plain);
  }
  return read + ' '.repeat(owed);
}

function characterOf(escape: string): string {
  const name = escape.slice(1);
  if (name.length > 1) return String.fromCharCode(Number.parseInt(name.slice(1), 16));
  return CONTROLS[name] ?? name;
}
