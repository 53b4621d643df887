import type { Candidate, Section } from './candidate.js';

/**
 * The most lines of a candidate that fit: one stretch around the first line of its focus, or from its top. Undefined
 * where not even one line fits.
 */
export function shorten(
  candidate: Candidate,
  fit: (candidate: Candidate) => Section | undefined,
): Section | undefined {
  const lines = candidate.text.split('\n');
  const [center = 0] = candidate.focus ?? [];
  let [low, high] = [0, lines.length - 1];
  let best: Section | undefined;
  // The number of lines that fit is found by halving: tokens grow with lines.
  while (low < high) {
    const size = Math.ceil((low + high) / 2);
    const from = Math.max(0, Math.min(center - Math.floor(size / 3), lines.length - size));
    const section = fit(stretch(candidate, lines, from, size));
    if (section) {
      best = section;
      low = size;
    } else high = size - 1;
  }
  return best;
}

function stretch(candidate: Candidate, lines: readonly string[], from: number, size: number): Candidate {
  const { startLine, reason, focus } = candidate;
  const text = lines.slice(from, from + size).join('\n');
  return {
    ...candidate,
    text,
    reason: `${reason}; shortened to fit`,
    ...(startLine !== undefined && { startLine: startLine + from, endLine: startLine + from + size - 1 }),
    ...(focus && { focus: focus.map((line) => line - from).filter((line) => line >= 0 && line < size) }),
  };
}
