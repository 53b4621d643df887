import { readFile } from 'node:fs/promises';
import { sourceFiles } from './corpus.js';

const MIN_CHARACTERS = 40;
const MAX_CHARACTERS = 600;
const COMPOUND = /\b[A-Za-z]+(?:[A-Z_]\w*)\b/g;

/**
 * So many paragraphs as people and agents note them: of the documentation of the installed packages, again with other
 * compound identifiers and numbers where there are not enough. Each has a number of its own.
 */
export async function paragraphs(count: number): Promise<string[]> {
  const files = (await sourceFiles(Infinity)).filter(({ path }) => path.endsWith('.md'));
  const found = new Set<string>();
  for (const { from } of files) {
    const text = (await readFile(from, 'utf8')).replaceAll(/```[^]*?```|<[^>]*>|\]\([^)]*\)/g, ' ');
    for (const paragraph of text.split(/\n\s*\n/)) {
      const line = paragraph
        .replaceAll(/[#*_`|[\]]/g, '')
        .replaceAll(/\s+/g, ' ')
        .trim();
      if (line.length >= MIN_CHARACTERS) found.add(line.slice(0, MAX_CHARACTERS));
    }
  }
  const all = [...found];
  return Array.from({ length: count }, (_, n) => {
    const copy = Math.floor(n / all.length);
    const text = all[n % all.length] ?? '';
    return `${copy === 0 ? text : text.replaceAll(COMPOUND, (name) => `${name}V${copy}`)} (${n})`;
  });
}

/** A title: the first words. */
export function titleOf(paragraph: string): string {
  return paragraph.split(' ').slice(0, 8).join(' ').slice(0, 100);
}

/** A query of four of the longer words of a paragraph, whole: half of one is a word that no paragraph holds. */
export function queryOf(paragraph: string): string {
  const words = paragraph.match(/[a-z]{5,}\w*/giu) ?? [paragraph];
  return [...new Set(words)].slice(2, 6).join(' ') || paragraph.slice(0, 40);
}
