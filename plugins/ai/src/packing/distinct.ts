import type { Candidate } from './candidate.js';

/** Shared parts of two texts above which the second one adds nothing. */
const REPEATS = 0.85;
const SHINGLE_LINES = 2;

/** Candidates without repeats, the best first: of overlapping lines of a file and of nearly equal texts the better one. */
export function distinct(candidates: readonly Candidate[]): Candidate[] {
  const kept: Candidate[] = [];
  const shinglesOf = new Map<string, number[]>();
  const sizes: number[] = [];
  for (const candidate of candidates.toSorted((a, b) => b.score - a.score)) {
    if (kept.some((other) => overlaps(candidate, other))) continue;
    const shingles = new Set(shingled(candidate.text.trim() === '' ? candidate.title : candidate.text));
    const shared = new Map<number, number>();
    for (const shingle of shingles)
      for (const other of shinglesOf.get(shingle) ?? []) shared.set(other, (shared.get(other) ?? 0) + 1);
    const repeats = [...shared].some(
      ([other, count]) => count / Math.min(shingles.size, sizes[other] ?? shingles.size) >= REPEATS,
    );
    if (repeats) continue;
    const index = kept.push(candidate) - 1;
    sizes[index] = shingles.size;
    for (const shingle of shingles) shinglesOf.set(shingle, [...(shinglesOf.get(shingle) ?? []), index]);
  }
  return kept;
}

function overlaps(a: Candidate, b: Candidate): boolean {
  if (a.path === undefined || b.path === undefined) return a.id !== undefined && a.id === b.id;
  if (a.path !== b.path || a.projectId !== b.projectId) return false;
  const [aStart, aEnd] = [a.startLine ?? 1, a.endLine ?? Infinity];
  const [bStart, bEnd] = [b.startLine ?? 1, b.endLine ?? Infinity];
  return aStart <= bEnd && bStart <= aEnd;
}

/** Pairs of neighbouring lines, without their indentation. */
function shingled(text: string): string[] {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (lines.length <= SHINGLE_LINES) return [lines.join('\n')];
  return lines.slice(1).map((line, index) => `${lines[index]}\n${line}`);
}
