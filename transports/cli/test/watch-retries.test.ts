import assert from 'node:assert/strict';
import type { CallOptions, Connection } from '#cli/connection/connection.js';
import { httpConnection } from '#cli/connection/http.js';
import { watchFolder } from '#cli/ingest/watch-folder.js';
import { reportWatch } from '#cli/ingest/watch-report.js';
import { openTerminal } from '#cli/terminal/terminal.js';
import { folderWith } from './support/folder.js';
import { FaultyService } from './support/service.js';

const OPTIONS = { maxBytes: 1000, include: [], exclude: [], wait: false, concurrency: 1 };
const AWAY = { status: 503, code: 'UNAVAILABLE' };

describe('a watch whose service is away', () => {
  it('waits a limited time for each answer, longer after each failure', async () => {
    const service = new FaultyService();
    const folder = await folderWith({ 'a.ts': 'one\n' });
    const ended = new AbortController();
    const { signal } = ended;
    const sent: CallOptions[] = [];
    const write = (text: string) => folder.write('a.ts', text);
    const next: Array<() => Promise<void> | void> = [
      () => undefined, // the first ingest, which repeats its calls by itself
      () => undefined,
      () => undefined,
      () => write('three\n'),
      () => ended.abort(),
    ];
    try {
      const http = httpConnection(await service.start(), undefined, signal);
      service.create();
      const connection: Connection = {
        ...http,
        async call(name, args, options) {
          if (name === 'files_ingest' && options) {
            sent.push(options);
            void next.shift()?.();
          }
          return http.call(name, args, options);
        },
      };
      const silent = { live: false, say: () => undefined, out: () => undefined, note: () => undefined };
      const terminal = { ...openTerminal(false), ...silent };
      const project = { id: 'p1', name: 'tree', workspaceId: 'w1', created: false };
      await watchFolder(
        folder.path,
        OPTIONS,
        project,
        connection,
        { terminal, signal },
        {
          report: reportWatch(terminal, folder.path),
          onIngested: () => {
            service.faults.push(AWAY, AWAY);
            void write('two\n');
          },
        },
      );
    } finally {
      await service.stop();
      await folder.remove();
    }
    assert.ok(sent.every(({ repeatable }) => repeatable));
    assert.deepEqual(
      sent.map(({ attempt }) => attempt),
      [undefined, 0, 1, 2, 0],
    );
  });
});
