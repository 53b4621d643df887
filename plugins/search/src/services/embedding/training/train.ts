import { getPriority, setPriority } from 'node:os';
import { deserialize, serialize } from 'node:v8';
import { pack, quantise, type TermModel } from '../term-model.js';
import { initialRows } from './initial-rows.js';
import { makePairs, passageOf, type Sample } from './pairs.js';
import { randomFrom } from './random.js';
import { bagOf, TermBags } from './term-bag.js';
import { tune } from './tune.js';
import { createVocabulary } from './vocabulary.js';

export interface TrainingOptions {
  /** A multiple of four. */
  readonly dimensions: number;
  readonly maxTerms: number;
  /** The samples are every chunk, in order of document and place. */
  readonly consecutive: boolean;
}

/** All that tuning reads: it needs no samples. */
interface Material {
  readonly terms: readonly string[];
  readonly weights: Float32Array;
  /** Of the terms, one after the other. */
  readonly rows: Float32Array;
  readonly pairs: { readonly left: TermBags; readonly right: TermBags };
}

/**
 * Learns an embedder from the chunks of a workspace: terms begin near those that they occur with, then contrastive tuning
 * brings together the texts that the workspace pairs. Deterministic. Memory grows with `maxTerms` and the samples.
 */
export function train(samples: readonly Sample[], options: TrainingOptions): TermModel {
  return tuned(prepare(samples, options), options);
}

function prepare(
  samples: readonly Sample[],
  { dimensions, maxTerms, consecutive }: TrainingOptions,
): Material {
  const vocabulary = createVocabulary(passagesOf(samples), maxTerms);
  const { terms, encode, encoded } = vocabulary;
  const weights = Float32Array.from(vocabulary.frequencies, (frequency) =>
    Math.log(1 + samples.length / frequency),
  );
  const rows = initialRows(vocabulary, dimensions);
  const random = randomFrom(samples.length);
  const pairs = { left: new TermBags(), right: new TermBags() };
  for (const { left, right } of makePairs(samples, { encode, encoded, random, consecutive })) {
    pairs.left.add(bagOf(left, weights));
    pairs.right.add(bagOf(right, weights));
  }
  return { terms, weights, rows, pairs };
}

function tuned({ terms, weights, rows, pairs }: Material, { dimensions }: TrainingOptions): TermModel {
  tune(rows, dimensions, pairs);
  return quantise(terms, weights, rows, dimensions);
}

function* passagesOf(samples: readonly Sample[]): Generator<string> {
  for (const sample of samples) yield passageOf(sample);
}

/** Of the thread alone: minutes of work must not slow down what a person waits for, such as indexing beside it. */
const PRIORITY = 15;

/** Samples as they are handed to the thread: moved, where each copy of their texts would stay until it is done. */
export function packSamples(samples: readonly Sample[]): Uint8Array<ArrayBuffer> {
  return serialize(samples);
}

/** Runs in a worker thread. `samples`: packed. Gives the packed model. */
export function trainInThread(job: {
  readonly samples: Uint8Array;
  readonly options: TrainingOptions;
}): Uint8Array {
  // Elsewhere it is that of the process; a lower one may not be raised.
  if (process.platform === 'linux' && getPriority() < PRIORITY) setPriority(PRIORITY);
  // The samples live no longer than what needs them.
  const material = prepare(deserialize(job.samples) as Sample[], job.options); // what `packSamples` took
  return new Uint8Array(pack(tuned(material, job.options)).bytes);
}
