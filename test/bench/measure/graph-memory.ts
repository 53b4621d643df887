/**
 * Memory of one resolution as the service runs it: the graph's thread with its limits, which keeps structures packed and
 * gives graphs as parts; nothing else is in the process. Writes a {@link GraphMemory}.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { GraphThread, isManifest, RESOLVER, type Manifest } from '@service-mcp/plugin-graph/internals';
import { languageOf } from '@service-mcp/plugin-syntax/internals';
import type { GraphMemory } from './graph-run.js';

const LIMITS = { timeLimitMs: 20_000, maxBytes: 16 * 1024 * 1024, parseCode: true };
/** As the service sets them. */
const THREAD = { heapMiB: 2048, idleMs: 60_000 };
/** Texts that are posted to the thread together. */
const BATCH = 100;
const LIMIT_MS = 600_000;

const [root = '.', extension = '.ts'] = process.argv.slice(2);
const signal = new AbortController().signal;
const thread = new GraphThread(RESOLVER.worker, THREAD);
const paths: string[] = [];
const manifests: Manifest[] = [];
for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
  const path = relative(root, join(entry.parentPath, entry.name));
  if (!entry.isFile()) continue;
  if (isManifest(path)) manifests.push({ path, text: await readFile(join(root, path), 'utf8') });
  if (path.endsWith(extension)) paths.push(path);
}
paths.sort();

const hashOf = (path: string): string => createHash('sha256').update(path).digest('hex');
const parse = async (some: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> => {
  const texts = await Promise.all(
    some.map(async (path) => ({
      hash: hashOf(path),
      path,
      language: null,
      text: await readFile(join(root, path), 'utf8'),
    })),
  );
  const structures = new Map<string, Uint8Array>();
  for (let at = 0; at < texts.length;) {
    const result = await thread.parse({ texts: texts.slice(at), limits: LIMITS }, signal);
    for (const [hash, structure] of result.structures) structures.set(hash, structure);
    at += result.parsed;
  }
  return structures;
};

await parse(paths.slice(0, 1));
const bareBytes = peakOf();
const known = new Set<string>();
const startedAt = process.cpuUsage();
for (let at = 0; at < paths.length; at += BATCH)
  for (const hash of (await parse(paths.slice(at, at + BATCH))).keys()) known.add(hash);
const parsedBytes = peakOf();
const parsed = process.cpuUsage(startedAt);
const files = paths.map((path) => {
  const hash = hashOf(path);
  return {
    path,
    language: languageOf(path),
    structure: known.has(hash) ? hash : null,
    note: null,
    partHash: null,
  };
});
const resolvedAt = process.cpuUsage();
const resolved = await thread.resolve({ files, manifests }, LIMIT_MS, signal);
const resolving = process.cpuUsage(resolvedAt);
if ('missing' in resolved) throw new Error('The thread lacks structures.');
const result: GraphMemory = {
  files: paths.length,
  bareBytes,
  parsedBytes,
  peakBytes: peakOf(),
  parseCpuSeconds: secondsOf(parsed),
  resolveCpuSeconds: secondsOf(resolving),
};
process.stdout.write(`${JSON.stringify(result)}\n`);
await thread.close();

/** Of resident memory since the process began: a child has that of the process that started it, until it runs a program. */
function peakOf(): number {
  const found = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  return found === undefined ? process.resourceUsage().maxRSS * 1024 : Number(found) * 1024;
}

function secondsOf({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1e6;
}
