import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Bench, Table } from './bench.js';
import type { PatternFigures, PatternRow } from './measure/pattern-figures.js';
import type { Selectivity } from './measure/pattern-queries.js';
import { hasRipgrep } from './measure/ripgrep.js';
import { median } from './measure/stats.js';

const SIZES = process.env['BENCH_CHUNKS']?.split(',') ?? ['20000'];
const MEBIBYTE = 2 ** 20;
const LANCE = { LANCEDB_LOG: 'error', LANCE_CPU_THREADS: String(Math.max(8, availableParallelism())) };

const LITERALS = { selective: 'rare literals', medium: 'common ones', none: 'none' } as const;

export const pattern: Bench = {
  name: 'pattern',
  title: 'Patterns beside ripgrep',
  method:
    'The pattern mode as a tool (admission, index, current texts, highlights, symbols and output check included), beside `rg` over ' +
    'the same files on disk, warm, in turn, five runs of each of 40 patterns. Both return all matching lines: ours in pages of ' +
    '100; what has more results than pages reach (1,100) is counted by both. The corpus is source and documentation of the ' +
    'installed packages. `BENCH_CHUNKS=20000,100000` sets the sizes; beyond the installed files they repeat with other identifiers.',
  skip: () => (hasRipgrep() ? undefined : 'install ripgrep (Debian: apt-get install ripgrep)'),
  async run(report) {
    const dataDir = await mkdtemp(join(tmpdir(), 'service-mcp-bench-'));
    const module = fileURLToPath(new URL('measure/pattern-process.js', import.meta.url));
    const child = fork(module, [dataDir, ...SIZES], { stdio: 'inherit', env: { ...process.env, ...LANCE } });
    const found: PatternFigures[] = [];
    child.on('message', (figures: PatternFigures) => {
      report(`${figures.chunks} chunks measured …`);
      found.push(figures);
    });
    try {
      const [code] = (await once(child, 'exit')) as [number];
      if (code !== 0) throw new Error(`the process of the pattern benchmark ended with ${code}`);
    } finally {
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    }
    return { tables: found.map(tableOf), reading: found.flatMap(readingOf) };
  },
};

function tableOf({ chunks, files, bytes, segments, indexBytes, rows }: PatternFigures): Table {
  const size = `${chunks.toLocaleString('en-US')} chunks of ${files.toLocaleString('en-US')} files, ${Math.round(bytes / MEBIBYTE)} MiB`;
  return {
    caption: `${size}; ${segments} segments of ${Math.round(indexBytes / MEBIBYTE)} MiB (milliseconds)`,
    columns: ['pattern', 'literals', 'lines', 'ours', 'rg', 'ours / rg', 'same lines'],
    rows: rows.map(({ query, selectivity, lines, ours, ripgrep, same }) => [
      `\`${query.replaceAll('|', '\\|')}\``,
      LITERALS[selectivity],
      lines,
      ours,
      ripgrep,
      ours / ripgrep,
      same ? 'yes' : 'no',
    ]),
  };
}

function readingOf({ chunks, rows }: PatternFigures): string[] {
  const ratios = (some: readonly PatternRow[]) => some.map(({ ours, ripgrep }) => ours / ripgrep);
  const of = (selectivity: Selectivity) => rows.filter((row) => row.selectivity === selectivity);
  const selective = of('selective');
  const mean = Math.exp(ratios(rows).reduce((sum, ratio) => sum + Math.log(ratio), 0) / rows.length);
  const differ = rows.filter(({ same }) => !same).length;
  const medians = (['selective', 'medium', 'none'] as const).map(
    (selectivity) => `${median(ratios(of(selectivity))).toFixed(2)} (${LITERALS[selectivity]})`,
  );
  return [
    `At ${chunks.toLocaleString('en-US')} chunks a pattern takes this share of ripgrep's time, at the median: ${medians.join(', ')}; ${mean.toFixed(2)} in the geometric mean of all. A selective one takes ${median(selective.map(({ ours }) => ours)).toFixed(1)} ms at the median. ${differ === 0 ? 'Both find the same lines for every pattern.' : `Patterns whose lines differ: ${differ}.`}`,
  ];
}
