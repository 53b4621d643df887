import type { ServerProcess } from './child.js';
import { Load } from './load.js';
import { median } from './stats.js';

export interface Side {
  readonly server: ServerProcess;
  readonly request: Buffer;
}

/** Medians over the slices. Microseconds are processor time of the server's process alone. */
export interface Score {
  readonly perSecond: number;
  readonly userMicros: number;
  readonly systemMicros: number;
}

export interface Duel {
  readonly ours: Score;
  readonly peer: Score;
  /** Our calls a second over the peer's: median of the ratios of neighbouring slices, so that drift cancels. */
  readonly ratio: number;
  /** Lowest and highest quarter of those ratios. */
  readonly spread: readonly [number, number];
}

export interface DuelOptions {
  /** Slices of each side. */
  readonly slices: number;
  readonly sliceMs: number;
  readonly warmUpMs: number;
  readonly connections: number;
}

export const USUAL: DuelOptions = { slices: 12, sliceMs: 500, warmUpMs: 1500, connections: 16 };

/** Loads two servers in turn, slice by slice, the first of each pair alternating. */
export async function duel(ours: Side, peer: Side, options: DuelOptions = USUAL): Promise<Duel> {
  const sides = await Promise.all([runner(ours, options), runner(peer, options)]);
  const scores: [Score[], Score[]] = [[], []];
  try {
    for (const side of sides) await side.load.run(options.warmUpMs);
    for (let slice = 0; slice < options.slices; slice++) {
      for (const index of slice % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
        scores[index].push(await sides[index].slice());
      }
    }
  } finally {
    for (const side of sides) side.load.close();
  }
  const ratios = scores[0].map((score, slice) => score.perSecond / (scores[1][slice] as Score).perSecond);
  ratios.sort((a, b) => a - b);
  return {
    ours: middle(scores[0]),
    peer: middle(scores[1]),
    ratio: median(ratios),
    spread: [
      ratios[Math.floor(ratios.length / 4)] as number,
      ratios[Math.floor((ratios.length * 3) / 4)] as number,
    ],
  };
}

async function runner({ server, request }: Side, { connections, sliceMs }: DuelOptions) {
  const load = await Load.open(server.port, request, connections);
  return {
    load,
    async slice(): Promise<Score> {
      const before = await server.usage();
      const { answers, ms } = await load.run(sliceMs);
      const after = await server.usage();
      return {
        perSecond: (answers / ms) * 1000,
        userMicros: (after.user - before.user) / answers,
        systemMicros: (after.system - before.system) / answers,
      };
    },
  };
}

function middle(scores: readonly Score[]): Score {
  const of = (key: keyof Score) => median(scores.map((score) => score[key]));
  return { perSecond: of('perSecond'), userMicros: of('userMicros'), systemMicros: of('systemMicros') };
}
