import type { ParseLimits, Source } from '../contract.js';
import type { ParsedInThread } from '../parse-in-thread.js';
import { chooseParser } from '../languages/choose-parser.js';
import { extract } from './extract.js';

/** Parses in this thread: see `parseInThread`. */
export async function parseText(source: Source, limits: ParseLimits): Promise<ParsedInThread> {
  const chosen = chooseParser(source, limits);
  if (!('parser' in chosen)) return { structure: chosen, expired: false, spent: false };
  const { language, parser, text } = chosen;
  const { path, code = false } = source;
  const extracted = await extract({ parser, path, text, limit: limits.timeLimitMs, code });
  const { symbols, complete, expired, spent } = extracted;
  const found = extracted.code && { code: extracted.code };
  return { structure: { language, symbols, complete, ...found }, expired, spent };
}
