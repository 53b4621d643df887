import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench, Cell } from './bench.js';
import { startServer } from './measure/child.js';
import { duel, type Duel } from './measure/duel.js';
import { requestBytes } from './measure/load.js';

const TEXT = 'how are errors mapped to the codes of the table';
export const ROUTES = [
  ['POST', requestBytes('/v1/bench/echo', { text: TEXT, limit: 5 })],
  ['GET', requestBytes(`/v1/bench/peek?text=${encodeURIComponent(TEXT)}&limit=5`)],
] as const;

export const COLUMNS = [
  'call',
  'ours, calls/s',
  'peer, calls/s',
  'ratio (quartiles)',
  'ours, µs user + system',
  'peer, µs user + system',
];

export function duelRow(name: string, { ours, peer, ratio, spread }: Duel): Cell[] {
  const micros = (score: Duel['ours']) => `${score.userMicros.toFixed(1)} + ${score.systemMicros.toFixed(1)}`;
  return [
    name,
    Math.round(ours.perSecond),
    Math.round(peer.perSecond),
    `${ratio.toFixed(2)} (${spread.map((value) => value.toFixed(2)).join(' to ')})`,
    micros(ours),
    micros(peer),
  ];
}

export function verdict(name: string, { ratio, ours, peer }: Duel, target: number): string {
  const more = ours.userMicros + ours.systemMicros - peer.userMicros - peer.systemMicros;
  const held = ratio >= target ? 'meets' : 'misses';
  const cost = `${Math.abs(more).toFixed(1)} µs of processor ${more < 0 ? 'less' : 'more'}`;
  return `${name}: ${ratio.toFixed(2)} of the peer, which ${held} the target of ${target.toFixed(1)}; a call costs ${cost}.`;
}

export const TARGET = 0.8;
const FASTIFY_TARGET = 0.9;

export const rest: Bench = {
  name: 'rest',
  title: 'A trivial tool over REST',
  method:
    'The whole default deployment (every plugin and transport, an embedded database, metrics, the envelope) with a tool ' +
    'that gives back its input. Its peer is a Fastify service that does the same work: input and output checked by their JSON ' +
    'schemas, a request id, metrics, a rate limit by key, and the envelope, written by a compiled serialiser. Beside ' +
    'it, as the limit, a bare Koa + @koa/router + Ajv route with the same handler and a bare JSON answer. ' +
    'Each server is a process of its own; 12 slices of 0.5 s each in turn over 16 keep-alive connections. ' +
    'No authentication; calls of the local owner count against no limit on our side.',
  async run(report) {
    const dataDir = await mkdtemp(join(tmpdir(), 'service-mcp-bench-'));
    const ours = await startServer('service', dataDir);
    const fastify = await startServer('fastify');
    const koa = await startServer('bare-koa');
    const peers = [
      { name: 'Fastify, the same work', server: fastify },
      { name: 'bare Koa', server: koa },
    ];
    const duels: [string, Duel][] = [];
    try {
      for (const { name, server } of peers) {
        for (const [method, request] of ROUTES) {
          report(`${method}, ${name} …`);
          duels.push([`${method}, ${name}`, await duel({ server: ours, request }, { server, request })]);
        }
      }
    } finally {
      await Promise.all([ours, fastify, koa].map((server) => server.stop()));
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    }
    return {
      tables: [
        {
          caption: 'Calls a second',
          columns: COLUMNS,
          rows: duels.map(([name, result]) => duelRow(name, result)),
        },
      ],
      reading: duels.slice(0, ROUTES.length).map(([name, result]) => verdict(name, result, FASTIFY_TARGET)),
    };
  },
};
