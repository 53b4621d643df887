import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { isTestFile } from '@service-mcp/plugin-syntax/contract';
import type { Bench, Cell } from './bench.js';
import { startServer } from './measure/child.js';
import { untilTrained } from './measure/cosqa.js';
import { callTool, untilIndexed } from './measure/rest-client.js';

/** Its history must be there, not only its newest commit. */
const REPOSITORY = process.env['BENCH_REPOSITORY'] ?? fileURLToPath(new URL('../../../', import.meta.url));
const COMMITS = 400;
const MAX_CHANGED = 3;
const MIN_WORDS = 3;
const MAX_BYTES = 300_000;
const BATCH = 200;
const LIMIT_MS = 600_000;
const MODES = ['keyword', 'semantic', 'hybrid'] as const;
const MODULES = new Set('.ts .tsx .js .mjs .cjs .py .go .rs .java .c .h .cc .cpp .cs .rb .php'.split(' '));
const RESULTS = 100;
const RANKS = 10;

interface Change {
  readonly subject: string;
  /** The modules that it changed, without tests. */
  readonly paths: readonly string[];
}

/** The paths of files, best first. */
type Ranking = (query: string) => Promise<readonly string[]>;

export const commits: Bench = {
  name: 'commits',
  title: 'What a change was about, and the files that it changed',
  method:
    `The files of a repository in one workspace, and its newest ${COMMITS} commits that changed one to ${MAX_CHANGED} modules which are there still, ` +
    'beside tests and documents. The subject of each, without its type, is sent to each mode; a module that it changed is looked for among the files ' +
    'of the results. Beside them: the files that hold most of the different words of the subject, the shorter ones first, as people use grep. ' +
    'BENCH_REPOSITORY names another clone than the one of this service.',
  async run(report) {
    const files = await readFiles();
    const changes = await readChanges(new Set(files.map(({ path }) => path)));
    if (changes.length === 0)
      throw new Error(`${REPOSITORY} has no history: set BENCH_REPOSITORY to a whole clone`);
    const dataDir = await mkdtemp(join(tmpdir(), 'service-mcp-bench-'));
    const service = await startServer('service', dataDir);
    try {
      const { port } = service;
      const { id: workspace_id } = await callTool<{ id: string }>(port, 'workspaces_create', { name: 'w' });
      const project = { workspace_id, name: 'p' };
      const { id: project_id } = await callTool<{ id: string }>(port, 'projects_create', project);
      for (let at = 0; at < files.length; at += BATCH)
        await callTool(port, 'files_ingest', { project_id, files: files.slice(at, at + BATCH) });
      await untilIndexed(port, project_id, LIMIT_MS);
      const trained = await untilTrained(port, workspace_id);
      report(`${files.length} files indexed, ${changes.length} commits …`);
      const rows: Cell[][] = [['grep', ...(await measure(changes, byWords(files)))]];
      for (const mode of MODES) {
        rows.push([mode, ...(await measure(changes, search(port, workspace_id, mode)))]);
        report(`${mode} …`);
      }
      return {
        tables: [
          {
            caption: `Of ${changes.length} subjects, those with a changed module first and among the first five, and the mean reciprocal rank`,
            columns: ['found by', 'first, percent', 'first five, percent', 'MRR@10, percent'],
            rows,
          },
        ],
        reading: [
          'A subject says what changed for users, seldom where: many can have no right answer in its words.',
          `The embedder ${trained ? 'was trained by the service on this workspace alone' : 'was not trained in time'}.`,
        ],
      };
    } finally {
      await service.stop();
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    }
  },
};

async function git(...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('git', ['-C', REPOSITORY, ...args], { maxBuffer: 2 ** 28 });
  return stdout;
}

interface File {
  readonly path: string;
  readonly content: string;
}

/** The text files of the repository as they are now. */
async function readFiles(): Promise<File[]> {
  const paths = (await git('ls-files', '-z')).split('\0').filter((path) => path !== '');
  const files = await Promise.all(
    paths.map(async (path) => ({
      path,
      content: await readFile(join(REPOSITORY, path), 'utf8').catch(() => ''),
    })),
  );
  return files.filter(
    ({ content }) => content.length > 0 && content.length < MAX_BYTES && !/[\0\ufffd]/u.test(content),
  );
}

async function readChanges(present: ReadonlySet<string>): Promise<Change[]> {
  const log = await git('log', '--no-merges', '--format=%x01%s', '--name-only');
  const changes = log
    .split('\u0001')
    .slice(1)
    .map((entry): Change => {
      const [subject = '', ...changed] = entry.split('\n').filter((line) => line !== '');
      const paths = changed.filter((path) => MODULES.has(extname(path)) && !isTestFile(path));
      return { subject: subject.replace(/^\w+(?:\([^)]*\))?!?: /u, ''), paths };
    })
    .filter(
      ({ subject, paths }) =>
        wordsOf(subject).length >= MIN_WORDS &&
        paths.length > 0 &&
        paths.length <= MAX_CHANGED &&
        paths.every((path) => present.has(path)),
    );
  return changes.slice(0, COMMITS);
}

function wordsOf(text: string): string[] {
  return [...new Set(text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu))];
}

function byWords(files: readonly File[]): Ranking {
  const texts = files.map(({ path, content }) => ({ path, text: `${path}\n${content}`.toLowerCase() }));
  return async (query) => {
    const words = wordsOf(query);
    return texts
      .map(({ path, text }) => ({
        path,
        held: words.filter((word) => text.includes(word)).length,
        length: text.length,
      }))
      .sort((a, b) => b.held - a.held || a.length - b.length)
      .map(({ path }) => path);
  };
}

function search(port: number, workspace_id: string, mode: string): Ranking {
  return async (query) => {
    const asked = { workspace_id, query, limit: RESULTS, output_format: 'paths' };
    const { results } = await callTool<{ results: ReadonlyArray<{ readonly path: string }> }>(
      port,
      `search_${mode}`,
      asked,
    );
    return [...new Set(results.map(({ path }) => path))];
  };
}

/** Percent of the changes with a right file first and among the first five, and the mean reciprocal rank. */
async function measure(changes: readonly Change[], rank: Ranking): Promise<[number, number, number]> {
  const ranks: number[] = [];
  for (const { subject, paths } of changes) {
    const at = (await rank(subject)).slice(0, RANKS).findIndex((path) => paths.includes(path));
    ranks.push(at < 0 ? Infinity : at + 1);
  }
  const percent = (sum: number) => (100 * sum) / changes.length;
  const within = (most: number) => percent(ranks.filter((one) => one <= most).length);
  return [within(1), within(5), percent(ranks.reduce((sum, one) => sum + 1 / one, 0))];
}
