/**
 * Cuts `[start, end)` into ranges of at most `most` code units: at a blank line in the last half of the room where
 * there is one, else at a line end, else (one over-long line) at a blank, else between two characters.
 */
export function* splitLines(
  text: string,
  start: number,
  end: number,
  most: number,
): Generator<[number, number]> {
  let at = start;
  while (end - at > most) {
    const cut = cutPoint(text, at, at + most);
    yield [at, cut];
    at = cut;
  }
  if (at < end) yield [at, end];
}

function cutPoint(text: string, from: number, limit: number): number {
  const half = from + ((limit - from) >> 1);
  const room = text.slice(from, limit);
  const blank = Math.max(room.lastIndexOf('\n\n') + 2, room.lastIndexOf('\n\r\n') + 3);
  if (from + blank > half) return from + blank;
  const line = from + room.lastIndexOf('\n') + 1;
  if (line > from) return line;
  const space = from + room.lastIndexOf(' ') + 1;
  if (space > half) return space;
  const code = text.charCodeAt(limit - 1);
  return code >= 0xd800 && code <= 0xdbff ? limit - 1 : limit;
}
