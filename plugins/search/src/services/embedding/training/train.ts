import { analyse } from '../../analysis/analyse.js';
import { pack, quantise, type TermModel } from '../term-model.js';
import { strongestEigenvectors } from './eigen.js';
import { PairCounts } from './pair-counts.js';
import { positiveMutualInformation } from './sparse.js';

export interface TrainingOptions {
  readonly dimensions: number;
  readonly maxTerms: number;
}

/** Terms to either side that count as context. */
const WINDOW = 8;
/** Fewer terms than this for each dimension would leave every term a direction of its own. */
const TERMS_PER_DIMENSION = 4;
/** Exponent on eigenvalues; by measurement on CoSQA (test/quality.ts). */
const EIGENVALUE_POWER = 0.25;

/**
 * Learns an embedder from the texts of a workspace: positive pointwise mutual information of terms in a window,
 * factored to its strongest eigenvectors (the count-based twin of word2vec: Levy and Goldberg, NIPS 2014).
 * Deterministic. Memory grows with `maxTerms`, not with the corpus.
 */
export function train(texts: readonly string[], options: TrainingOptions): TermModel {
  const analysed = texts.map(analyse);
  const { terms, ids, frequencies } = vocabulary(analysed, options.maxTerms);
  const pairs = new PairCounts(Math.max(1, terms.length));
  for (const document of analysed) {
    const known = document.map((term) => ids.get(term)).filter((id) => id !== undefined);
    for (let i = 0; i < known.length; i++) {
      const last = Math.min(known.length - 1, i + WINDOW);
      for (let j = i + 1; j <= last; j++) {
        const a = known[i] ?? 0;
        const b = known[j] ?? 0;
        if (a !== b) pairs.add(a, b, 1 / (j - i) ** 0.5);
      }
    }
  }
  const matrix = positiveMutualInformation(pairs, terms.length);
  const rank = Math.min(options.dimensions, Math.ceil(terms.length / TERMS_PER_DIMENSION));
  const vectors = strongestEigenvectors(matrix, {
    rank,
    stride: options.dimensions,
    power: EIGENVALUE_POWER,
  });
  const weights = frequencies.map((frequency) => Math.log(1 + texts.length / frequency));
  return quantise(terms, Float32Array.from(weights), vectors, options.dimensions);
}

/** Runs in a worker thread. Gives the packed model. */
export function trainInThread(job: { texts: string[]; options: TrainingOptions }): Uint8Array {
  return new Uint8Array(pack(train(job.texts, job.options)).bytes);
}

/** The terms in at least two documents, the most frequent first where there are too many. */
function vocabulary(documents: readonly (readonly string[])[], most: number) {
  const counts = new Map<string, number>();
  for (const document of documents) {
    for (const term of new Set(document)) counts.set(term, (counts.get(term) ?? 0) + 1);
  }
  const kept = [...counts]
    .filter(([, count]) => count >= 2)
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, most);
  return {
    terms: kept.map(([term]) => term),
    frequencies: kept.map(([, count]) => count),
    ids: new Map(kept.map(([term], id) => [term, id])),
  };
}
