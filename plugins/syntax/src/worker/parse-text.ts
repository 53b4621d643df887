import type { ParseLimits, Source, Structure } from '../contract.js';
import { notebook } from '../documents/notebook.js';
import type { ParsedInThread } from '../parse-in-thread.js';
import { chooseParser } from '../languages/choose-parser.js';
import { extract } from './extract.js';

/** Parses in this thread: see `parseInThread`. */
export async function parseText(source: Source, limits: ParseLimits): Promise<ParsedInThread> {
  const chosen = chooseParser(source, limits);
  const { path, code = false } = source;
  if (!('parser' in chosen))
    return { structure: withCells(chosen, source), expired: false, complex: false, spent: false };
  const { language, parser, text } = chosen;
  const extracted = await extract({ parser, path, text, limit: limits.timeLimitMs, code });
  const { symbols, complete, expired, complex, spent } = extracted;
  const found = extracted.code && { code: extracted.code };
  return { structure: withCells({ language, symbols, complete, ...found }, source), expired, complex, spent };
}

/** With the cells and sections of a notebook, but for the graph: that has its code alone. */
function withCells(structure: Structure, { text, code }: Source): Structure {
  return structure.language === 'jupyter' && !code
    ? { ...structure, ...notebook(text, structure.symbols) }
    : structure;
}
