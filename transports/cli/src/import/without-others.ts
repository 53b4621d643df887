import { isRecord, readJsonText } from '@service-mcp/core/wire';

const NEWLINE = 0x0a;
/** Enough of a line to tell its record, which is the first member. */
const START_BYTES = 64;
const MEMORY = /^\s*\{\s*"record"\s*:\s*"(?:event|node|version|edge|end)"/;
const EXPORTED =
  /^\s*\{\s*"record"\s*:\s*"(?:event|node)"\s*,\s*"id"\s*:\s*"[^"]*"\s*,\s*"created_at"\s*:\s*"[^"]*"\s*,\s*"updated_at"\s*:/;
const END = /^\s*\{\s*"record"\s*:\s*"end"/;
const OTHER = /^\s*\{\s*"record"\s*:\s*"(\w{0,40})/;

/** Is this line of an export a record of memory, or of no export at all? */
export function isMemory(line: string): boolean {
  return MEMORY.test(line) || !OTHER.test(line);
}

/** Does this line begin as exports write a record of memory? One of a person's own has fewer fields. */
export function isExported(line: string): boolean {
  return EXPORTED.test(line);
}

/** How many records come before this line, which is the last one of an export; undefined for other lines. */
export function countOfEnd(line: string): number | undefined {
  const end = END.test(line) ? readJsonText(line) : undefined;
  if (!isRecord(end)) return undefined;
  return Object.values(end).reduce<number>((sum, each) => sum + (typeof each === 'number' ? each : 0), 0);
}

/**
 * Lines of an export without those that are not memory, such as files: each becomes a blank line, so that the numbers of
 * the others stay. `onOther` is called for each with its kind, `onRecord` for every record, which the last line of an
 * export is not. Holds the beginning of a line at most.
 */
export async function* withoutOthers(
  bytes: AsyncIterable<Uint8Array>,
  onOther: (kind: string) => void,
  onRecord: () => void = () => undefined,
): AsyncGenerator<Uint8Array> {
  let start = Buffer.alloc(0);
  let isKept: boolean | undefined;
  const decide = (): Uint8Array => {
    const text = start.toString('utf8');
    isKept = isMemory(text);
    if (text.trim() !== '' && !END.test(text)) onRecord();
    if (!isKept) onOther(OTHER.exec(text)?.[1] ?? '');
    const kept = isKept ? start : Buffer.alloc(0);
    start = Buffer.alloc(0);
    return kept;
  };
  for await (const piece of bytes) {
    const parts: Uint8Array[] = [];
    for (let at = 0; at < piece.length;) {
      const newline = piece.indexOf(NEWLINE, at);
      const end = newline === -1 ? piece.length : newline;
      let rest = piece.subarray(at, end);
      if (isKept === undefined) {
        const room = START_BYTES - start.length;
        start = Buffer.concat([start, rest.subarray(0, room)]);
        rest = rest.subarray(room);
        if (start.length === START_BYTES || newline !== -1) parts.push(decide());
      }
      if (isKept) parts.push(rest);
      if (newline === -1) break;
      parts.push(piece.subarray(newline, newline + 1));
      isKept = undefined;
      at = newline + 1;
    }
    if (parts.length > 0) yield Buffer.concat(parts);
  }
  if (start.length > 0) yield decide();
}
