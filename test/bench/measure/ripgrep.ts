import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import type { PatternQuery } from './pattern-queries.js';

const run = promisify(execFile);
const MAX_OUTPUT = 512 * 1024 * 1024;

export function hasRipgrep(): boolean {
  return spawnSync('rg', ['--version'], { stdio: 'ignore' }).status === 0;
}

/** Character classes and line ends as the service takes them, and every file. */
const ALIKE = ['--no-unicode', '--crlf', '--text', '--no-ignore', '--hidden', '--no-messages', '--no-config'];

async function ripgrep(folder: string, query: PatternQuery, flags: readonly string[]): Promise<string[]> {
  const { query: pattern, ignoreCase = false, wholeWord = false } = query;
  const options = [...(ignoreCase ? ['--ignore-case'] : []), ...(wholeWord ? ['--word-regexp'] : [])];
  const args = [...ALIKE, ...options, ...flags, '--regexp', pattern, '.'];
  const found = await run('rg', args, { cwd: folder, maxBuffer: MAX_OUTPUT }).catch(
    (error: { code?: number }) => {
      if (error.code === 1) return { stdout: '' }; // no match
      throw error;
    },
  );
  return found.stdout.split('\n').filter((line) => line !== '');
}

/** Matching lines as `path:line`. */
export async function ripgrepLines(folder: string, query: PatternQuery): Promise<string[]> {
  const lines = await ripgrep(folder, query, ['--line-number', '--no-heading', '--with-filename']);
  return lines.map((line) => /^\.\/(.*?:\d+):/u.exec(line)?.[1] ?? line);
}

/** All matches. */
export async function ripgrepCount(folder: string, query: PatternQuery): Promise<number> {
  const counts = await ripgrep(folder, query, ['--count-matches', '--with-filename']);
  return counts.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(':') + 1)), 0);
}
