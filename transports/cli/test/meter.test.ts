import assert from 'node:assert/strict';
import { startMeter } from '#cli/terminal/meter.js';
import { openTerminal } from '#cli/terminal/terminal.js';

describe('progress lines of a log', () => {
  it('take the pace of large steps over several, and are not repeated where nothing changed', () => {
    const lines: string[] = [];
    const terminal = { ...openTerminal(false), live: false, say: (line = '') => void lines.push(line) };
    let now = 0;
    Object.defineProperty(performance, 'now', { configurable: true, value: () => now });
    try {
      const meter = startMeter(terminal, { label: 'Indexing', unit: 'files', total: 1000 });
      for (now = 1000; now <= 200_000; now += 1000)
        meter.update(Math.floor(Math.min(now, 100_000) / 20_000) * 100);
    } finally {
      Reflect.deleteProperty(performance, 'now');
    }
    assert.deepEqual(lines, [
      'indexing: 0/1,000 files, 0/s',
      'indexing: 100/1,000 files, 5.0/s, 3:00 left',
      'indexing: 200/1,000 files, 5.0/s, 2:40 left',
      'indexing: 300/1,000 files, 5.0/s, 2:20 left',
      'indexing: 400/1,000 files, 5.0/s, 2:00 left',
      'indexing: 500/1,000 files, 5.0/s, 1:40 left',
      'indexing: 500/1,000 files, 2.9/s, 2:55 left',
    ]);
  });
});
