import { execFileSync } from 'node:child_process';
import { cpus, totalmem } from 'node:os';
import type { Bench, Cell, Outcome, Table } from './bench.js';

/** The outcome of one benchmark, or why it was skipped. */
export interface Finished {
  readonly bench: Bench;
  readonly outcome: Outcome | { readonly skipped: string };
}

/** The tables of one benchmark as text for a terminal. */
export function printed({ bench, outcome }: Finished): string {
  const lines = [``, `# ${bench.title}`];
  if ('skipped' in outcome) return [...lines, `skipped: ${outcome.skipped}`].join('\n');
  for (const table of outcome.tables) lines.push('', table.caption, ...columns(table));
  return [...lines, '', ...outcome.reading.map((line) => `- ${line}`)].join('\n');
}

function columns({ columns: names, rows }: Table): string[] {
  const cells = [names, ...rows.map((row) => row.map(shown))];
  const widths = names.map((_name, at) => Math.max(...cells.map((row) => (row[at] ?? '').length)));
  return cells.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/**
 * The page docs/benchmarks.md with new sections in place of those of the same titles, in the order of `titles`. It names
 * no host and no path.
 */
export function page(
  before: string,
  finished: readonly Finished[],
  { titles, command }: { readonly titles: readonly string[]; readonly command: string },
): string {
  const [cpu] = cpus();
  const machine = `${cpus().length} cores (${(cpu?.model ?? 'unknown').trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB of memory, ${process.platform} ${process.arch}, Node ${process.version}`;
  const measured = `Measured on ${new Date().toISOString().slice(0, 10)} at commit ${commit()}: \`${command}\`.`;
  const sections = new Map(
    before
      .split(/^(?=## )/mu)
      .slice(1)
      .map((text) => [/^## (.*)$/mu.exec(text)?.[1] ?? '', text.trimEnd()]),
  );
  for (const one of finished) sections.set(one.bench.title, section(one, measured).join('\n'));
  return [
    '# Benchmarks',
    '',
    'Written by `npm run bench -- [NAME…] --write`, which replaces the sections that it measures; not edited by hand. The',
    'machine is shared and noisy: trust the ratios, which compare neighbours in one run, before the absolute figures.',
    '',
    `Machine: ${machine}.`,
    ...titles.flatMap((title) => {
      const text = sections.get(title);
      return text === undefined ? [] : ['', text];
    }),
    '',
  ].join('\n');
}

function section({ bench, outcome }: Finished, measured: string): string[] {
  const head = [`## ${bench.title}`, '', bench.method, '', measured];
  if ('skipped' in outcome) return [...head, '', `Not run: ${outcome.skipped}`];
  return [
    ...head,
    ...outcome.tables.flatMap(({ caption, columns: names, rows }) => [
      '',
      `${caption}:`,
      '',
      `| ${names.join(' | ')} |`,
      `| ${names.map((_name, at) => (at === 0 ? '---' : '--:')).join(' | ')} |`,
      ...rows.map((row) => `| ${row.map(shown).join(' | ')} |`),
    ]),
    '',
    ...outcome.reading.map((line) => `- ${line}`),
  ];
}

function shown(cell: Cell): string {
  if (typeof cell === 'string') return cell;
  if (Number.isInteger(cell)) return cell.toLocaleString('en-US');
  return cell >= 100 ? cell.toFixed(0) : cell >= 10 ? cell.toFixed(1) : cell.toFixed(2);
}

function commit(): string {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim();
  try {
    const changed =
      git('status', '--porcelain', '--untracked-files=no') === '' ? '' : ' and uncommitted changes';
    return git('rev-parse', '--short', 'HEAD') + changed;
  } catch {
    return 'unknown (no git checkout)';
  }
}
