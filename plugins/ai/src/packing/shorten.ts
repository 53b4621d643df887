import type { Candidate, Section } from './candidate.js';

/** A line of prose above this length is cut at sentences: a paragraph may be written as one line. */
const LONG_LINE = 400;
/** A sentence with the blank behind it, cut at a word where it is longer, else anywhere. */
const SENTENCE = /[^]{1,400}?(?:[.!?…](?:\s|$)|[。！？])|[^]{1,400}(?:\s|$)|[^]{1,400}/gu;

/** A part of a line, with the line end before it where it begins one. */
interface Piece {
  readonly line: number;
  readonly text: string;
}

/**
 * The most lines of a candidate that fit, and sentences of long lines of prose: one stretch around the first line of its
 * focus, or from its top. Undefined where not even one fits.
 */
export function shorten(
  candidate: Candidate,
  fit: (candidate: Candidate) => Section | undefined,
): Section | undefined {
  const pieces = piecesOf(candidate);
  const [focus = 0] = candidate.focus ?? [];
  const center = Math.max(
    0,
    pieces.findIndex(({ line }) => line === focus),
  );
  let [low, high] = [0, pieces.length - 1];
  let best: Section | undefined;
  // The number of pieces that fit is found by halving: tokens grow with pieces.
  while (low < high) {
    const size = Math.ceil((low + high) / 2);
    const from = Math.max(0, Math.min(center - Math.floor(size / 3), pieces.length - size));
    const section = fit(stretch(candidate, pieces.slice(from, from + size)));
    if (section) {
      best = section;
      low = size;
    } else high = size - 1;
  }
  return best;
}

function piecesOf({ text, kind }: Candidate): Piece[] {
  const isProse = kind !== 'code' && kind !== 'graph';
  return text.split('\n').flatMap((whole, line) => {
    const parts = isProse && whole.length > LONG_LINE ? (whole.match(SENTENCE) ?? []) : [whole];
    return parts.map((part, at) => ({ line, text: at === 0 && line > 0 ? `\n${part}` : part }));
  });
}

function stretch(candidate: Candidate, pieces: readonly Piece[]): Candidate {
  const { startLine, reason, focus } = candidate;
  const [from = 0, to = 0] = [pieces[0]?.line, pieces.at(-1)?.line];
  const text = pieces.map((piece) => piece.text).join('');
  return {
    ...candidate,
    text: pieces[0]?.text.startsWith('\n') ? text.slice(1) : text,
    isShortened: true,
    reason: `${reason}; shortened to fit`,
    ...(startLine !== undefined && { startLine: startLine + from, endLine: startLine + to }),
    ...(focus && {
      focus: focus.map((line) => line - from).filter((line) => line >= 0 && line <= to - from),
    }),
  };
}
