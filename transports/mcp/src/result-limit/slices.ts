import { isRecord } from '@service-mcp/core/wire';

type Data = Readonly<Record<string, unknown>>;

/** The first elements of a result, as a smaller call of the tool would return them. */
export interface Slice {
  readonly shown: number;
  /** Total number of elements. */
  readonly of: number;
  readonly unit: 'items' | 'results' | 'lines' | 'characters' | `characters of line ${number}`;
  /** Conforms to the output schema of the tool; its totals and continuation flags are correct. */
  readonly structured: Data;
  /** Arguments of the call that continues where this ends. */
  readonly next: Data;
}

/** A result whose shape allows a continuation. */
export interface Sliceable {
  readonly length: number;
  /** Its elements are records of their own. */
  readonly isList?: true;
  /** A slice of 1 to `count` elements, undefined when there is none; never smaller for a larger `count`. */
  readonly first: (count: number) => Slice | undefined;
}

/** The way to cut a result of this shape and these input properties of its tool; undefined for an unknown shape. */
export function sliceable(structured: Data, args: Data, properties: Data): Sliceable | undefined {
  return (
    pageOf(structured, args, properties) ??
    listOf(structured, args, properties) ??
    linesOf(structured, args, properties) ??
    textOf(structured, args, properties)
  );
}

/**
 * The page shape of interface.md section 2. n items from the start of this page are a page of size n when n divides the
 * number of items before it, so that page after page returns each item once.
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
    isList: true,
    first(count) {
      const size = largestDivisor(before, Math.min(count, items.length));
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

/** A list that continues by `offset`. */
function listOf(structured: Data, args: Data, properties: Data): Sliceable | undefined {
  const { results, total } = structured;
  const { offset: property } = properties;
  if (!Array.isArray(results) || !isRecord(property) || !('limit' in properties)) return undefined;
  const offset = isCount(args['offset']) ? args['offset'] : 0;
  const highest = typeof property['maximum'] === 'number' ? property['maximum'] : Infinity;
  return {
    length: results.length,
    isList: true,
    first(count) {
      const shown = Math.min(count, results.length);
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

/** A range of lines of a text. */
function linesOf(structured: Data, args: Data, properties: Data): Sliceable | undefined {
  const { content, start_line: start, end_line: end } = structured;
  if (typeof content !== 'string' || !isCount(start) || !isCount(end)) return undefined;
  if (!('start_line' in properties) || !('end_line' in properties)) return undefined;
  return {
    length: end - start + 1,
    first(count) {
      const { start_column: _inFirst, ...others } = args;
      const [text, shown] = firstLines(content, Math.min(count, end - start + 1));
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
        next: { ...others, start_line: start + shown },
      };
    },
  };
}

/** The first line of a range, which continues by `start_column`: for one that is alone too long. */
export function firstLineOf(structured: Data, args: Data, properties: Data): Sliceable | undefined {
  const { content, start_line: start, end_line: end } = structured;
  if (typeof content !== 'string' || !isCount(start) || !isCount(end)) return undefined;
  if (!('start_line' in properties) || !('start_column' in properties)) return undefined;
  const [line] = firstLines(content, 1);
  const column = isCount(args['start_column']) ? args['start_column'] : 1;
  return {
    length: line.length,
    first(count) {
      const text = firstCharacters(line, count);
      if (text.length >= line.length) return undefined;
      return {
        shown: text.length,
        of: line.length,
        unit: `characters of line ${start}`,
        structured: { ...structured, content: text, end_line: start },
        next: { ...args, start_line: start, start_column: column + text.length },
      };
    },
  };
}

/** A text that continues by `content_from`. */
function textOf(structured: Data, args: Data, properties: Data): Sliceable | undefined {
  const { content } = structured;
  if (typeof content !== 'string' || !('content_from' in properties)) return undefined;
  const from = isCount(args['content_from']) ? args['content_from'] : 0;
  return {
    length: content.length,
    first(count) {
      const text = firstCharacters(content, count);
      if (text.length >= content.length) return undefined;
      return {
        shown: text.length,
        of: content.length,
        unit: 'characters',
        structured: { ...structured, content: text },
        next: { ...args, content_from: from + text.length },
      };
    },
  };
}

/** The first UTF-16 units of a text, whole characters and at least one. */
function firstCharacters(text: string, units: number): string {
  return text.slice(0, units).replace(/[\uD800-\uDBFF]$/u, '') || text.slice(0, 2);
}

function firstLines(text: string, count: number): [text: string, lines: number] {
  let end = 0;
  let lines = 0;
  while (lines < count) {
    const line = text.indexOf('\n', end);
    if (line === -1) return [text, lines + 1];
    end = line + 1;
    lines += 1;
  }
  return [text.slice(0, end), lines];
}

/** The largest number up to `max` that divides `value`; every number divides 0. */
function largestDivisor(value: number, max: number): number {
  for (let candidate = max; candidate > 0; candidate -= 1) if (value % candidate === 0) return candidate;
  return 0;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0; // an integer is a number
}
