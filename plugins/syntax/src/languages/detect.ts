import { readNotebook } from '../embedded/notebook.js';
import { BY_EXTENSION, BY_INTERPRETER, BY_NAME, BY_OTHER_NAME, LANGUAGES } from './table.js';

/** Characters of a text that are examined. */
const HEAD = 64 * 1024;
/** One that does not end goes to the end of the text: else each would be looked for again from every place before it. */
const COMMENT = /\/\*[^]*?(?:\*\/|$(?![^]))|\/\/.*/g;
/** Constructs that C headers cannot contain, outside comments. */
const CPP =
  /^[ \t]*(?:class\s+\w|namespace\b|template\s*<|using\s+(?:namespace\b|\w+\s*=|\w+::)|public\s*:|private\s*:|protected\s*:|virtual\s|constexpr\s|friend\s|#\s*include\s*<(?:c?[a-z_]+)>)|\w::\w/m;

/** The language of a file; see `Syntax.languageOf`. */
export function languageOf(path: string, text?: string): string | null {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const named = BY_NAME.get(name);
  if (named !== undefined) return named;
  if (name.startsWith('dockerfile.')) return 'dockerfile';
  if (name.startsWith('.env.')) return 'properties';
  const dot = name.lastIndexOf('.');
  const extension = dot >= 0 ? name.slice(dot + 1) : '';
  if (extension === 'h')
    return text !== undefined && CPP.test(text.slice(0, HEAD).replaceAll(COMMENT, ' ')) ? 'cpp' : 'c';
  if (extension === 'ipynb' && text !== undefined && !readNotebook(text)) return 'json';
  return BY_EXTENSION.get(extension) ?? (text === undefined ? null : byInterpreter(text));
}

/** See `Syntax.languageNamed`. */
export function languageNamed(name: string): string {
  const lower = name.trim().toLowerCase();
  if (LANGUAGES.has(lower)) return lower;
  return BY_OTHER_NAME.get(lower) ?? BY_EXTENSION.get(lower.replace(/^\*?\./, '')) ?? lower;
}

function byInterpreter(text: string): string | null {
  if (!text.startsWith('#!')) return null;
  const [line = ''] = text.slice(2, 300).split('\n', 1);
  const words = line.trim().split(/\s+/);
  const program = (word: string | undefined): string => word?.slice(word.lastIndexOf('/') + 1) ?? '';
  const first = program(words[0]);
  const interpreter =
    first === 'env'
      ? program(words.slice(1).find((word) => !word.startsWith('-') && !word.includes('=')))
      : first;
  return BY_INTERPRETER.get(interpreter.toLowerCase().replace(/(?<![\d.])[\d.]+$/, '')) ?? null;
}
