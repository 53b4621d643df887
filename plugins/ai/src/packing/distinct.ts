import { repeats } from '@service-mcp/plugin-memory/contract';
import type { Candidate } from './candidate.js';

/** Shared parts of two files above which the second one adds nothing. */
const REPEATS = 0.85;
const SHINGLE_LINES = 2;

/**
 * Candidates without repeats, the best first: of overlapping lines of a file and of nearly equal files the better one. Of
 * two records one goes only where the other one has all that it says, since a word or a number may be what matters: the
 * fuller one takes the place of the better.
 */
export function distinct(candidates: readonly Candidate[]): Candidate[] {
  const kept: Candidate[] = [];
  const shinglesOf = new Map<string, number[]>();
  const sizes: number[] = [];
  for (const candidate of candidates.toSorted((a, b) => b.score - a.score)) {
    if (kept.some((other) => overlaps(candidate, other) || isRepeated(candidate, other))) continue;
    const place = kept.findIndex((other) => isRepeated(other, candidate));
    const shorter = kept[place];
    if (shorter) {
      kept[place] = { ...candidate, score: shorter.score };
      continue;
    }
    const shingles = new Set(isRecord(candidate) ? [] : shingled(candidate.text));
    const shared = new Map<number, number>();
    for (const shingle of shingles)
      for (const other of shinglesOf.get(shingle) ?? []) shared.set(other, (shared.get(other) ?? 0) + 1);
    const repeatsFile = [...shared].some(
      ([other, count]) => count / Math.min(shingles.size, sizes[other] ?? shingles.size) >= REPEATS,
    );
    if (repeatsFile) continue;
    const index = kept.push(candidate) - 1;
    sizes[index] = shingles.size;
    for (const shingle of shingles) shinglesOf.set(shingle, [...(shinglesOf.get(shingle) ?? []), index]);
  }
  return kept;
}

export function isRecord({ path }: Pick<Candidate, 'path'>): boolean {
  return path === undefined;
}

/** Whether the second one, of which at least one is a record, has all that the first one says, and holds as it does. */
function isRepeated(candidate: Candidate, other: Candidate): boolean {
  const records = [candidate, other].filter(isRecord).length;
  if (records === 0 || candidate.standing !== other.standing) return false;
  const said = ({ title, text }: Candidate) => ({ title: records === 2 ? title : '', content: text });
  return repeats(said(candidate), said(other));
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
