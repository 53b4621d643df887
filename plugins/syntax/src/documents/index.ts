import type { SourceSymbol } from '../contract.js';
import { OUTLINED } from '../outlines/index.js';
import { html } from './html.js';
import { markdown } from './markdown.js';
import { MARKED } from './marked-headings.js';
import { restructuredText } from './restructured-text.js';

/**
 * Languages that are read without a grammar. Documents have a `heading` symbol per section; source code of others the symbols
 * of its outline.
 */
export const DOCUMENTS: ReadonlyMap<string, (text: string) => SourceSymbol[]> = new Map([
  ['html', html],
  ['markdown', markdown],
  ['restructuredtext', restructuredText],
  ...MARKED,
  ...OUTLINED,
]);
