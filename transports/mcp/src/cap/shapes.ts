import { isRecord } from '@service-mcp/core/wire';

type Data = Readonly<Record<string, unknown>>;

/** The first elements of a result, as the tool itself would have given them. */
export interface Cut {
  readonly shown: number;
  /** How many there are in all. */
  readonly of: number;
  /** What the elements are. */
  readonly unit: 'items' | 'results' | 'lines';
  /** Conforms to the output schema of the tool; what it says of totals and of more to come is true of it. */
  readonly structured: Data;
  /** The arguments of the call that goes on exactly where this ends. */
  readonly next: Data;
}

/** A result whose shape says how it goes on. */
export interface Sliceable {
  /** How many elements there are to keep. */
  readonly length: number;
  /** A cut of at least 1 and at most `most` elements; undefined where there is none. More elements for a larger `most`. */
  readonly keep: (most: number) => Cut | undefined;
}

/** How a result can be cut, by its shape and the arguments that its tool takes; undefined for another shape. */
export function sliceable(structured: Data, args: Data, properties: Data): Sliceable | undefined {
  return (
    pageOf(structured, args, properties) ??
    listOf(structured, args, properties) ??
    linesOf(structured, args, properties)
  );
}

/**
 * The page shape of interface.md section 2. A page of n from where this one starts is a page of a smaller size,
 * where n divides what lies before it; so whoever goes on page by page gets each item once.
 */
function pageOf(structured: Data, args: Data, properties: Data): Sliceable | undefined {
  const { items, page, per_page, total } = structured;
  if (!Array.isArray(items) || !isCount(page) || !isCount(per_page)) return undefined;
  if (!('page' in properties) || !('per_page' in properties)) return undefined;
  const before = (page - 1) * per_page;
  const all = isCount(total) ? total : before + items.length;
  const { page_size: _alias, ...rest } = args;
  return {
    length: items.length,
    keep(most) {
      const size = largestDivisor(before, Math.min(most, items.length));
      if (size === 0) return undefined;
      const at = before / size + 1;
      return {
        shown: size,
        of: all,
        unit: 'items',
        structured: {
          ...structured,
          items: items.slice(0, size),
          page: at,
          per_page: size,
          ...('has_next' in structured && { has_next: true }),
        },
        next: { ...rest, page: at + 1, per_page: size },
      };
    },
  };
}

/** A list that is read on by `offset`. */
function listOf(structured: Data, args: Data, properties: Data): Sliceable | undefined {
  const { results, total } = structured;
  const { offset: property } = properties;
  if (!Array.isArray(results) || !isRecord(property) || !('limit' in properties)) return undefined;
  const offset = isCount(args['offset']) ? args['offset'] : 0;
  const highest = typeof property['maximum'] === 'number' ? property['maximum'] : Infinity;
  return {
    length: results.length,
    keep(most) {
      const shown = Math.min(most, results.length);
      if (shown < 1 || offset + shown > highest) return undefined;
      return {
        shown,
        of: isCount(total) ? total : offset + results.length,
        unit: 'results',
        structured: {
          ...structured,
          results: results.slice(0, shown),
          ...('has_more' in structured && { has_more: true }),
          ...('truncated' in structured && { truncated: true }),
        },
        next: { ...args, offset: offset + shown },
      };
    },
  };
}

/** A range of the lines of a text. */
function linesOf(structured: Data, args: Data, properties: Data): Sliceable | undefined {
  const { content, start_line: start, end_line: end } = structured;
  if (typeof content !== 'string' || !isCount(start) || !isCount(end)) return undefined;
  if (!('start_line' in properties) || !('end_line' in properties)) return undefined;
  return {
    length: end - start + 1,
    keep(most) {
      const [text, shown] = firstLines(content, Math.min(most, end - start + 1));
      if (shown < 1) return undefined;
      return {
        shown,
        of: end - start + 1,
        unit: 'lines',
        structured: {
          ...structured,
          content: text,
          end_line: start + shown - 1,
          ...('has_more' in structured && { has_more: true }),
          ...('truncated' in structured && { truncated: true }),
        },
        next: { ...args, start_line: start + shown },
      };
    },
  };
}

function firstLines(text: string, most: number): [text: string, lines: number] {
  let end = 0;
  let lines = 0;
  while (lines < most) {
    const line = text.indexOf('\n', end);
    if (line === -1) return [text, lines + 1];
    end = line + 1;
    lines += 1;
  }
  return [text.slice(0, end), lines];
}

/** The largest number up to `most` that divides `value`; 0 is divided by all. */
function largestDivisor(value: number, most: number): number {
  for (let candidate = most; candidate > 0; candidate -= 1) if (value % candidate === 0) return candidate;
  return 0;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0; // an integer is a number
}
