import type { ParseLimits, Source, Structure } from '../contract.js';
import { DOCUMENTS } from '../documents/index.js';
import { EMBEDDED, type EmbeddedSource } from '../embedded/index.js';
import { GRAMMARS } from '../grammars/index.js';
import { languageOf } from './detect.js';

/** The parser of a text and what it reads of it, or the structure where no parser is needed. */
export function chooseParser(
  source: Source,
  limits: ParseLimits,
): (EmbeddedSource & { readonly language: string }) | Structure {
  const { path, text } = source;
  const language = source.language ?? languageOf(path, text);
  const embedded = EMBEDDED.get(language ?? '');
  const parser = embedded ? '' : language === null ? undefined : parserOf(language, path);
  if (language === null || parser === undefined) return { language, symbols: [], complete: true };
  const isReadable = limits.parseCode || DOCUMENTS.has(parser);
  if (!isReadable || Buffer.byteLength(text) > limits.maxBytes)
    return { language, symbols: [], complete: false };
  return { language, ...(embedded?.(text) ?? { parser, text }) };
}

/** TSX is the language TypeScript with a separate grammar. */
function parserOf(language: string, path: string): string | undefined {
  const id = language === 'typescript' && /\.tsx$/i.test(path) ? 'tsx' : language;
  return GRAMMARS.has(id) || DOCUMENTS.has(id) ? id : undefined;
}
