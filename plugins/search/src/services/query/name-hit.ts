import type { Part } from '../chunking/chunk.js';
import { exactSpans, isDefinition, type ExactForms } from './exact-forms.js';
import type { Span } from './reading.js';

/** A part of a chunk, and the span of its text that an excerpt must show. */
export interface NamedHit {
  readonly part: Part;
  readonly focus: Span | undefined;
}

/** The innermost symbol around an offset in a chunk; undefined where that is the one of the whole chunk. */
export function partAt(parts: readonly Part[], offset: number): Part | undefined {
  return parts.findLast(({ start, end }) => start <= offset && offset < end);
}

/**
 * The symbol of a chunk that a query found: the one whose name the query is, else the one that holds what it spells out, else
 * the one that holds the most different words of it. Undefined where the symbol of the chunk is as good.
 */
export function nameHit(
  {
    text,
    symbol,
    parts,
  }: { readonly text: string; readonly symbol: string; readonly parts: readonly Part[] },
  forms: ExactForms,
  exact: readonly Span[],
  words: readonly Span[],
): NamedHit | undefined {
  const definition = parts.findLast((part) => isDefinition(forms, part.symbol));
  if (definition) {
    const from = Math.max(0, definition.start);
    const [found] = exactSpans(forms, text.slice(from, definition.end));
    return { part: definition, focus: found && { start: from + found.start, end: from + found.end } };
  }
  const [focus] = exact;
  if (focus) {
    const part = partAt(parts, focus.start);
    return part && { part, focus };
  }
  return richest(text, symbol, parts, words);
}

/** The part with the most different words, if it has more than that of the chunk. */
function richest(
  text: string,
  symbol: string,
  parts: readonly Part[],
  words: readonly Span[],
): NamedHit | undefined {
  const held = new Map<Part | undefined, { readonly words: Set<string>; readonly focus: Span }>();
  for (const span of words) {
    const part = partAt(parts, span.start);
    const own = part?.symbol === symbol ? undefined : part;
    const known = held.get(own) ?? { words: new Set(), focus: span };
    known.words.add(text.slice(span.start, span.end).toLowerCase());
    held.set(own, known);
  }
  let best: NamedHit | undefined;
  let most = held.get(undefined)?.words.size ?? 0;
  for (const [part, { words: different, focus }] of held) {
    if (!part || different.size <= most) continue;
    best = { part, focus };
    most = different.size;
  }
  return best;
}
