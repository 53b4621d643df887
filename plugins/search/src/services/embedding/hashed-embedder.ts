import type { TermCounts } from '../analysis/analyse.js';
import { normalise } from './term-model.js';

/** Each feature touches this many dimensions, half of them on average with a minus. */
const TOUCHED = 6;
const TRIGRAM_WEIGHT = 0.25;

/**
 * Embeds without any training: the terms of a text and, more lightly, their character trigrams are projected at
 * random (Achlioptas, JCSS 2003) by hashing. It knows spelling, not meaning, and serves until a space is trained.
 */
export function hashedEmbedding(counts: TermCounts, dimensions: number): Float32Array | null {
  const sum = new Float32Array(dimensions);
  for (const [term, count] of counts) {
    const weight = 1 + Math.log(count);
    const hashes = hashesOf(term);
    const trigrams = hashes.length / TOUCHED - 1;
    const light = (weight * TRIGRAM_WEIGHT) / Math.sqrt(trigrams);
    for (let i = 0; i < hashes.length; i++) {
      const hash = hashes[i]!;
      const at = ((hash >>> 1) ^ (hash >>> 17)) % dimensions;
      const part = i < TOUCHED ? weight : light;
      sum[at]! += hash & 1 ? part : -part;
    }
  }
  return normalise(sum);
}

/** Cache of the hashes of terms, some 300 bytes each, since texts repeat them; cleared when full. */
const known = new Map<string, Uint32Array>();
const MAX_KNOWN = 20_000;

/** The hashes of a term, and of each of its trigrams. */
function hashesOf(term: string): Uint32Array {
  let hashes = known.get(term);
  if (hashes === undefined) {
    const framed = `<${term}>`;
    hashes = new Uint32Array((framed.length - 1) * TOUCHED);
    hashFeature(term, hashes, 0);
    for (let i = 1; i < framed.length - 1; i++) hashFeature(framed.slice(i - 1, i + 2), hashes, i * TOUCHED);
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(term, hashes);
  }
  return hashes;
}

function hashFeature(feature: string, hashes: Uint32Array, from: number): void {
  for (let i = 0; i < TOUCHED; i++) hashes[from + i] = hashText(feature, Math.imul(i + 1, 0x9e3779b1));
}

/** FNV-1a over UTF-16 code units. */
function hashText(text: string, seed: number): number {
  let hash = (2166136261 ^ seed) >>> 0;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 16777619) >>> 0;
  return hash;
}
