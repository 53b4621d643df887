import { quantile } from './stats.js';

/** Milliseconds. */
export interface Latency {
  readonly p50: number;
  readonly p95: number;
}

type Work = (at: number) => Promise<unknown>;

const BLOCK = 20;

/**
 * Latencies of two ways to answer the same `count` queries, in this process, in blocks that take turns. Each way
 * answers one block before it is measured.
 */
export async function latencies(
  ours: Work,
  raw: Work,
  count: number,
  concurrency: number,
): Promise<{ readonly ours: Latency; readonly raw: Latency }> {
  await block(ours, 0, concurrency);
  await block(raw, 0, concurrency);
  const times: [number[], number[]] = [[], []];
  for (let from = 0; from < count; from += BLOCK) {
    times[0].push(...(await block(ours, from, concurrency)));
    times[1].push(...(await block(raw, from, concurrency)));
  }
  return { ours: summary(times[0]), raw: summary(times[1]) };
}

async function block(work: Work, from: number, concurrency: number): Promise<number[]> {
  const times: number[] = [];
  let next = from;
  const lane = async () => {
    while (next < from + BLOCK) {
      const at = next++;
      const started = performance.now();
      await work(at);
      times.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  return times;
}

function summary(times: readonly number[]): Latency {
  return { p50: quantile(times, 0.5), p95: quantile(times, 0.95) };
}
