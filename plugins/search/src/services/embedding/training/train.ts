import { getPriority, setPriority } from 'node:os';
import { pack, quantise, type TermModel } from '../term-model.js';
import { initialRows } from './initial-rows.js';
import { makePairs, passageOf, type Sample } from './pairs.js';
import { randomFrom } from './random.js';
import { bagOf } from './term-bag.js';
import { tune } from './tune.js';
import { createVocabulary } from './vocabulary.js';

export interface TrainingOptions {
  /** A multiple of four. */
  readonly dimensions: number;
  readonly maxTerms: number;
  /** The samples are every chunk, in order of document and place. */
  readonly consecutive: boolean;
}

/**
 * Learns an embedder from the chunks of a workspace: terms begin near those that they occur with, then contrastive tuning
 * brings together the texts that the workspace pairs. Deterministic. Memory grows with `maxTerms` and the samples.
 */
export function train(samples: readonly Sample[], options: TrainingOptions): TermModel {
  const { dimensions, maxTerms, consecutive } = options;
  const texts = samples.map(passageOf);
  const vocabulary = createVocabulary(texts, maxTerms);
  const weights = Float32Array.from(vocabulary.frequencies, (frequency) =>
    Math.log(1 + texts.length / frequency),
  );
  const rows = initialRows(vocabulary, dimensions);
  const random = randomFrom(samples.length);
  const { encode, encoded } = vocabulary;
  const pairs = makePairs(samples, { encode, encoded, random, consecutive }).map(({ left, right }) => ({
    left: bagOf(left, weights),
    right: bagOf(right, weights),
  }));
  tune(rows, dimensions, pairs);
  return quantise(vocabulary.terms, weights, rows, dimensions);
}

/** Of the thread alone: minutes of work must not slow down what a person waits for, such as indexing beside it. */
const PRIORITY = 15;

/** Runs in a worker thread. Gives the packed model. */
export function trainInThread(job: { samples: Sample[]; options: TrainingOptions }): Uint8Array {
  // Elsewhere it is that of the process; a lower one may not be raised.
  if (process.platform === 'linux' && getPriority() < PRIORITY) setPriority(PRIORITY);
  return new Uint8Array(pack(train(job.samples, job.options)).bytes);
}
