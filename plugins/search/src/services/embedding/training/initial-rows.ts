import { normalise } from '../term-model.js';
import { strongestEigenvectors } from './eigen.js';
import { PairCounts } from './pair-counts.js';
import { positiveMutualInformation } from './sparse.js';
import type { Vocabulary } from './vocabulary.js';

/** Terms to either side that count as context. */
const WINDOW = 8;
/** Fewer terms than this for each dimension would leave every term a direction of its own. */
const TERMS_PER_DIMENSION = 4;
/** Exponent on eigenvalues; by measurement on CoSQA (test/quality.ts). */
const EIGENVALUE_POWER = 0.25;

/**
 * Rows of `dimensions` for the terms of a vocabulary, of length 1, or 0 for a term in one text only: positive pointwise
 * mutual information of terms in a window, factored to its strongest eigenvectors (the count-based twin of word2vec:
 * Levy and Goldberg, NIPS 2014). Memory is bounded by the vocabulary, not by the texts.
 */
export function initialRows(vocabulary: Vocabulary, dimensions: number): Float32Array {
  const rows = new Float32Array(vocabulary.terms.length * dimensions);
  const repeated = vocabulary.frequencies.filter((frequency) => frequency > 1).length;
  if (repeated === 0) return rows;
  const matrix = positiveMutualInformation(countPairs(vocabulary.encoded, repeated), repeated);
  const rank = Math.min(dimensions, Math.ceil(repeated / TERMS_PER_DIMENSION));
  rows.set(strongestEigenvectors(matrix, { rank, stride: dimensions, power: EIGENVALUE_POWER }));
  for (let at = 0; at < rows.length; at += dimensions) normalise(rows.subarray(at, at + dimensions));
  return rows;
}

/** Counts how often two terms are near each other; of all terms, the first `size`. */
function countPairs(texts: readonly Uint32Array[], size: number): PairCounts {
  const pairs = new PairCounts(size);
  for (const text of texts) {
    const ids = text.filter((id) => id < size);
    for (let i = 0; i < ids.length; i++) {
      const last = Math.min(ids.length - 1, i + WINDOW);
      for (let j = i + 1; j <= last; j++) {
        if (ids[i] !== ids[j]) pairs.add(ids[i]!, ids[j]!, 1 / (j - i) ** 0.5);
      }
    }
  }
  return pairs;
}
