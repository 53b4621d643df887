import type { SourceSymbol } from '../contract.js';
import { markdown } from './markdown.js';
import { restructuredText } from './restructured-text.js';

/** Document formats by language. Each gives one `heading` symbol per section. */
export const DOCUMENTS: ReadonlyMap<string, (text: string) => SourceSymbol[]> = new Map([
  ['markdown', markdown],
  ['restructuredtext', restructuredText],
]);
