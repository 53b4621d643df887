import type { ParseLimits, Source, Structure } from '../contract.js';
import { DOCUMENTS } from '../documents/index.js';
import { GRAMMARS } from '../grammars/index.js';
import { languageOf } from './detect.js';

/** The parser of a text, or its structure where no parser is needed. */
export function chooseParser(
  source: Source,
  limits: ParseLimits,
): { readonly language: string; readonly parser: string } | Structure {
  const { path, text } = source;
  const language = source.language ?? languageOf(path, text);
  const parser = language === null ? undefined : parserOf(language, path);
  if (language === null || parser === undefined) return { language, symbols: [], complete: true };
  const isReadable = limits.parseCode || DOCUMENTS.has(parser);
  if (!isReadable || Buffer.byteLength(text) > limits.maxBytes)
    return { language, symbols: [], complete: false };
  return { language, parser };
}

/** TSX is the language TypeScript with a separate grammar. */
function parserOf(language: string, path: string): string | undefined {
  const id = language === 'typescript' && /\.tsx$/i.test(path) ? 'tsx' : language;
  return GRAMMARS.has(id) || DOCUMENTS.has(id) ? id : undefined;
}
