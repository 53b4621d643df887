import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Bench, Cell } from './bench.js';
import { copyCorpus, corpora } from './graph-peer.js';
import type { GraphMemory } from './measure/graph-run.js';

const PROCESS = fileURLToPath(new URL('measure/graph-memory.js', import.meta.url));
const MIB = 1024 * 1024;

const run = promisify(execFile);

export const graphMemory: Bench = {
  name: 'graph-memory',
  title: 'Memory of the thread of the code graph',
  method:
    'A project parsed and resolved once, as the service does it: by the thread of the graph, with its young generation of a quarter and its limit, ' +
    'which keeps structures packed and gives the parts of the graph as bytes. Nothing else of the service is in the process, and no graph is loaded. ' +
    'Highest resident memory of the whole process: after the first text, after all texts, and after the resolution; and the processor time of both.',
  async run(report) {
    const rows: Cell[][] = [];
    const reading: string[] = [];
    for (const corpus of await corpora()) {
      const folder = await mkdtemp(join(tmpdir(), 'service-mcp-bench-'));
      try {
        await copyCorpus(corpus, folder);
        const args = ['--conditions=unbundled', PROCESS, folder, corpus.extension];
        const { stdout } = await run(process.execPath, args);
        const each = JSON.parse(stdout) as GraphMemory;
        const own = each.peakBytes - each.parsedBytes;
        report(`${corpus.name}: ${(each.peakBytes / MIB).toFixed(0)} MiB …`);
        rows.push([
          corpus.name,
          each.files,
          each.bareBytes / MIB,
          each.parsedBytes / MIB,
          each.peakBytes / MIB,
          own / MIB,
          each.parseCpuSeconds,
          each.resolveCpuSeconds,
          each.files / (each.parseCpuSeconds + each.resolveCpuSeconds),
        ]);
        reading.push(
          `${corpus.name}: the resolution adds ${(own / MIB).toFixed(0)} MiB to what parsing took.`,
        );
      } finally {
        await rm(folder, { recursive: true, force: true, maxRetries: 5 });
      }
    }
    const columns = [
      'source',
      'files',
      'one text, MiB',
      'parsed, MiB',
      'resolved, MiB',
      'of the resolution, MiB',
      'parse, CPU s',
      'resolve, CPU s',
      'files per CPU s',
    ];
    return {
      tables: [{ caption: 'Highest resident memory, and processor time', columns, rows }],
      reading: [
        ...reading,
        'Processor time is that of all threads of the process, those of the collector and of the compilers included.',
      ],
    };
  },
};
