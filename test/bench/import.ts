import { readFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { Bench, Cell } from './bench.js';
import { startServer } from './measure/child.js';
import { callTool } from './measure/rest-client.js';

const EVENTS = 100_000;
/** Events that are stored one by one beside it, and how many at once. */
const SINGLE = 1_000;
const AT_ONCE = 8;
const WARM_UP = 2_000;
const LOOK_MS = 100;
const MIB = 2 ** 20;
const WORDS = 'lamp oil harbor storm signal keeper tower glass wick brass night ship rope anchor tide'.split(
  ' ',
);

interface Answer {
  readonly imported: number;
  readonly skipped: number;
  readonly failed: number;
}

export const imports: Bench = {
  name: 'import',
  title: 'Importing memory',
  method:
    `${EVENTS.toLocaleString('en-US')} events of about 500 bytes in one request of POST /v1/memory/import, the same again, and ` +
    'their export; beside it the same kind of event through POST /v1/memory/events, eight at once. SQLite, indexed meanwhile by ' +
    'the child process of the service. Memory is the peak of the resident bytes of the service alone over those after a first ' +
    'import, sampled ten times a second; what is written to the body is made as it is asked for.',
  async run(report) {
    const dataDir = await mkdtemp(join(tmpdir(), 'service-mcp-bench-'));
    const service = await startServer('service', dataDir, 'child');
    const { port, pid } = service;
    const rows: Cell[][] = [];
    const newWorkspace = async () =>
      (await callTool<{ id: string }>(port, 'workspaces_create', { name: 'import' })).id;
    const measure = async (name: string, events: number, work: () => Promise<unknown>): Promise<void> => {
      const before = await residentBytes(pid);
      const watch = watchPeak(pid);
      const start = performance.now();
      await work();
      const seconds = (performance.now() - start) / 1000;
      const grown = Math.max(0, (await watch.stop()) - before);
      rows.push([name, Math.round(events / seconds), seconds, grown / MIB]);
      report(`${name}: ${Math.round(events / seconds)} events/s, ${Math.round(grown / MIB)} MiB more …`);
    };
    try {
      await importEvents(port, await newWorkspace(), WARM_UP);
      const single = await newWorkspace();
      await measure(`${SINGLE.toLocaleString('en-US')} events, one by one`, SINGLE, () =>
        storeSingly(port, single),
      );
      const workspace = await newWorkspace();
      const expect = async (field: keyof Answer) => {
        const answer = await importEvents(port, workspace, EVENTS);
        if (answer[field] !== EVENTS) throw new Error(`the import answered ${JSON.stringify(answer)}`);
      };
      await measure('import', EVENTS, () => expect('imported'));
      await measure('import again', EVENTS, () => expect('skipped'));
      await measure('export', EVENTS, () => exportEvents(port, workspace));
    } finally {
      await service.stop();
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    }
    const columns = ['', 'events/s', 'seconds', 'MiB more'];
    return {
      tables: [{ caption: 'Lines in and out', columns, rows }],
      reading: [
        'Lines are never held: the memory that is used more is that of batches, and of the garbage collector.',
      ],
    };
  },
};

function eventAt(n: number): string {
  const content = Array.from(
    { length: 40 },
    (_, at) => WORDS[(n * 7 + at * (1 + (n % 13))) % WORDS.length],
  ).join(' ');
  const occurred_at = new Date(Date.UTC(2024, 0, 1) + n * 60_000).toISOString();
  const said = {
    title: `Event ${n}`,
    content: `${content} ${n}`,
    session_id: `session ${n % 500}`,
    tags: [`t${n % 50}`],
  };
  return `${JSON.stringify({ record: 'event', id: `event-${n}`, event_type: 'note', ...said, occurred_at })}\n`;
}

async function importEvents(port: number, workspace: string, count: number): Promise<Answer> {
  async function* body() {
    for (let at = 0; at < count; at += 100)
      yield Buffer.from(
        Array.from({ length: Math.min(100, count - at) }, (_, n) => eventAt(at + n)).join(''),
      );
  }
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body: Readable.toWeb(Readable.from(body())) as ReadableStream<Uint8Array>, // typed apart by Node and the DOM
    duplex: 'half', // of Node alone
  };
  const response = await fetch(`http://127.0.0.1:${port}/v1/memory/import?workspace_id=${workspace}`, init);
  const { data } = (await response.json()) as { data: Answer };
  return data;
}

async function exportEvents(port: number, workspace: string): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/v1/memory/export?workspace_id=${workspace}`);
  let tail = '';
  for await (const piece of response.body ?? [])
    tail = (tail + Buffer.from(piece).toString('latin1')).slice(-200);
  if (!tail.includes(`"record":"end","events":${EVENTS}`)) throw new Error('the export is not complete');
}

async function storeSingly(port: number, workspace_id: string): Promise<void> {
  let next = 0;
  const store = async () => {
    for (let n = next++; n < SINGLE; n = next++) {
      const {
        record: _record,
        id: _id,
        ...event
      } = JSON.parse(eventAt(EVENTS + n)) as Record<string, unknown>;
      await callTool(port, 'memory_create_event', { workspace_id, ...event });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, store));
}

function watchPeak(pid: number): { stop(): Promise<number> } {
  const end = new AbortController();
  let peak = 0;
  const watching = (async () => {
    while (!end.signal.aborted) {
      peak = Math.max(peak, await residentBytes(pid));
      await delay(LOOK_MS);
    }
  })();
  return {
    async stop() {
      end.abort();
      await watching;
      return peak;
    },
  };
}

/** 0 where the system has no /proc. */
async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${String(pid)}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
}
