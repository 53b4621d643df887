/** Builds the graph of a folder in a process of its own: parse, resolve, lay out; then the impact of its hottest symbol. */
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import {
  ProjectGraph,
  impactOf,
  isManifest,
  resolveFiles,
  type Manifest,
  type ReadableFile,
  type SourceFile,
} from '@service-mcp/plugin-graph/internals';
import { parseInThread } from '@service-mcp/plugin-syntax/contract/thread';
import type { GraphRun } from './graph-run.js';
import { median } from './stats.js';

const LIMITS = { timeLimitMs: 20_000, maxBytes: 16 * 1024 * 1024, parseCode: true };
const RUNS = 20;
const DEPTH = 3;
const LIMIT = 50;

const [root = '.', extension = '.ts'] = process.argv.slice(2);
const entries = await readdir(root, { recursive: true, withFileTypes: true });
// Packed, as the service keeps them.
const files: ReadableFile[] = [];
const manifests: Manifest[] = [];
let [bytes, symbolCount, partial] = [0, 0, 0];
const startedAt = performance.now();
for (const entry of entries) {
  if (!entry.isFile()) continue;
  const from = join(entry.parentPath, entry.name);
  const path = relative(root, from);
  if (!path.endsWith(extension) && !isManifest(path)) continue;
  const text = await readFile(from, 'utf8');
  if (isManifest(path)) manifests.push({ path, text });
  if (!path.endsWith(extension)) continue;
  bytes += text.length;
  const { structure } = await parseInThread({ path, text, code: true }, LIMITS);
  const { language, symbols, complete, code } = structure;
  const file: SourceFile = { path, language, symbols, complete, ...(code && { code }) };
  const packed = deflateRawSync(JSON.stringify(file), { level: 1 });
  const read = (): SourceFile => JSON.parse(inflateRawSync(packed).toString()) as SourceFile;
  files.push({ path, language, bytes: packed.length, hash: path, version: path, read });
  symbolCount += symbols.length;
  if (!complete) partial += 1;
}
const parsedAt = performance.now();
const resolved = [...resolveFiles(files, manifests)];
const graph = ProjectGraph.from(resolved);
const endedAt = performance.now();

let hot = 0;
const callers = (node: number) => (graph.rows.in[node + 1] ?? 0) - (graph.rows.in[node] ?? 0);
for (let node = 0; node < graph.size; node++)
  if (!graph.isModule(node) && callers(node) > callers(hot)) hot = node;
const times: number[] = [];
let affected = 0;
for (let run = 0; run < RUNS; run++) {
  const at = performance.now();
  affected = impactOf(graph, hot, DEPTH, LIMIT).totals.total;
  times.push(performance.now() - at);
}
const result: GraphRun = {
  files: files.length,
  bytes,
  symbols: symbolCount,
  partial,
  edges: resolved.reduce((sum, { edges }) => sum + edges.length, 0),
  seconds: (endedAt - startedAt) / 1000,
  parseSeconds: (parsedAt - startedAt) / 1000,
  peakBytes: process.resourceUsage().maxRSS * 1024,
  impactMs: median(times),
  affected,
  name: graph.id(hot),
};
process.stdout.write(`${JSON.stringify(result)}\n`);
