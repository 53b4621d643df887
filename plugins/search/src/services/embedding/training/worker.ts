import { pack } from '../term-model.js';
import { train, type TrainingOptions } from './train.js';

/** Runs in a worker thread. Gives the packed model. */
export function trainInThread(job: { texts: string[]; options: TrainingOptions }): Uint8Array {
  return new Uint8Array(pack(train(job.texts, job.options)).bytes);
}
