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
    project(term, weight, sum);
    const framed = `<${term}>`;
    const trigrams = framed.length - 2;
    for (let i = 0; i < trigrams; i++) {
      project(framed.slice(i, i + 3), (weight * TRIGRAM_WEIGHT) / Math.sqrt(trigrams), sum);
    }
  }
  return normalise(sum);
}

function project(feature: string, weight: number, sum: Float32Array): void {
  for (let i = 0; i < TOUCHED; i++) {
    const hash = hashText(feature, Math.imul(i + 1, 0x9e3779b1));
    const at = ((hash >>> 1) ^ (hash >>> 17)) % sum.length;
    sum[at]! += hash & 1 ? weight : -weight;
  }
}

/** FNV-1a over UTF-16 code units. */
function hashText(text: string, seed: number): number {
  let hash = (2166136261 ^ seed) >>> 0;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 16777619) >>> 0;
  return hash;
}
