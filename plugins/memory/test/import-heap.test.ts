import assert from 'node:assert/strict';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parseLines } from '@service-mcp/core';
import { onDatabase } from '@service-mcp/core/testing';
import { newWorkspace, startMemory } from './start-memory.js';

onDatabase('sqlite', (fresh) => {
  describe('an import of long texts', () => {
    const LINES = 300;
    const LENGTH = 99_000;
    const kinds: Readonly<Record<string, (line: number) => object>> = {
      'mcp-memory': (line) => {
        const name = (end: string) => `${line} ${end.repeat(LENGTH)}`;
        return { type: 'relation', from: name('a'), to: name('b'), relationType: 'uses' };
      },
      'basic-memory': (line) => {
        const link = `- uses [[Some other note that is not there ${line}]]`;
        return { path: `${line}.md`, markdown: `# Note\n\n${link}\n${'word '.repeat(LENGTH / 5)}` };
      },
    };

    it('holds what waits for later lines, not the lines themselves', async () => {
      setFlagsFromString('--expose-gc');
      const collect = runInNewContext('gc') as () => void; // as the flag gives it
      const usedHeap = () => {
        collect();
        return process.memoryUsage().heapUsed;
      };
      const host = await startMemory(await fresh(), { workers: false });
      const workspace_id = await newWorkspace(host);
      for (const [format, lineOf] of Object.entries(kinds)) {
        const before = usedHeap();
        let held = Infinity;
        async function* chunks() {
          for (let line = 0; line < LINES; line++) yield Buffer.from(`${JSON.stringify(lineOf(line))}\n`);
          held = usedHeap() - before;
        }
        await host.use(
          'memory_import',
          { workspace_id, format },
          { surface: 'rest', lines: parseLines(chunks()) },
        );
        assert.ok(held < (LINES * LENGTH) / 3, `${format} holds ${held} bytes`);
      }
      await host.stop();
    });
  });
});
