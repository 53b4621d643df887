/** Lines of a text that are read alike. */
export interface Block {
  readonly kind: 'text' | 'heading' | 'code';
  readonly text: string;
  /** The line that it begins at, from 0 on. */
  readonly line: number;
}

export interface Piece {
  readonly kind: 'text' | 'strong' | 'code';
  readonly text: string;
  /** Its offset in the lines. */
  readonly start: number;
}

const FENCE = /^ {0,3}(`{3,}(?!.*`)|~{3,})/;
const HEADING = /^#{1,6} \S/;
const TABLE = /^ {0,3}\|/;
const INLINE = /`([^`\n]+)`|(?<!\w)\*\*(?=\S)([^*\n]*[^*\s])\*\*(?!\w)/g;

/**
 * The headings, code and tables of a text in Markdown, as clients write it. Everything else stays as it is, so that other
 * texts lose nothing.
 */
export function splitBlocks(text: string): readonly Block[] {
  const blocks: { readonly kind: Block['kind']; readonly lines: string[]; readonly at: number }[] = [];
  let fence = '';
  for (const [at, line] of text.split('\n').entries()) {
    const mark = FENCE.exec(line)?.[1] ?? '';
    if (fence === '' && mark !== '') {
      fence = mark;
      blocks.push({ kind: 'code', lines: [], at });
    } else if (fence !== '' && mark.startsWith(fence) && line.trim() === mark) {
      fence = '';
      blocks.push({ kind: 'text', lines: [], at });
    } else {
      const kind = fence === '' ? kindOf(line) : 'code';
      const last = blocks.at(-1);
      if (last?.kind === kind) last.lines.push(line);
      else blocks.push({ kind, lines: [line], at });
    }
  }
  return blocks
    .map(({ kind, lines, at }) => ({ kind, text: trimmed(lines).join('\n'), line: at }))
    .filter(({ text: left }) => left !== '');
}

/** The code and the stressed words of some lines. */
export function splitInline(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const { index, 0: whole, 1: code, 2: strong = '' } of text.matchAll(INLINE)) {
    if (index > end) pieces.push({ kind: 'text', text: text.slice(end, index), start: end });
    const isCode = code !== undefined;
    pieces.push({ kind: isCode ? 'code' : 'strong', text: isCode ? code : strong, start: index });
    end = index + whole.length;
  }
  if (end < text.length) pieces.push({ kind: 'text', text: text.slice(end), start: end });
  return pieces;
}

function kindOf(line: string): Block['kind'] {
  if (HEADING.test(line)) return 'heading';
  return TABLE.test(line) ? 'code' : 'text';
}

/** Without the empty lines around it: blocks have a distance of their own. */
function trimmed(lines: readonly string[]): readonly string[] {
  const isFull = (line: string) => line.trim() !== '';
  return lines.slice(lines.findIndex(isFull), lines.findLastIndex(isFull) + 1);
}
