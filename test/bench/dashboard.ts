import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { startBrowser } from '../deep/support/browser.js';
import { startService, type ServiceProcess } from '../service-process.js';
import type { Bench } from './bench.js';
import { sourceFiles } from './measure/corpus.js';
import { median, quantile } from './measure/stats.js';

const SOURCES = 200;
const MODULES = 2000;
const RECORDS = 10_000;
const BATCH = 500;
const QUERIES = [
  'where are errors handled',
  'rate limit',
  'read the body of a request',
  'parse configuration',
  'open a session',
  'sql transaction',
  'listen on a port',
  'cache of results',
];
const ROUNDS = 5;
const PAINTED_MS = 150;
const OPENED_MS = 1000;

export const dashboard: Bench = {
  name: 'dashboard',
  title: 'The dashboard in a browser',
  method:
    `Chromium on the service of a single owner, on this machine. Painted: from the end of the answer of a search to the frame that shows its results, ${QUERIES.length} queries over ${SOURCES} files of source. ` +
    `Opened: from the click in the navigation to what is named, pages loaded before; the graph is the map of a project of ${MODULES} files, Memory has ${RECORDS} records.`,
  async run(report) {
    const dataDir = await mkdtemp(join(tmpdir(), 'service-mcp-bench-'));
    const service = await startService(dataDir);
    const browser = await startBrowser();
    try {
      report('storing …');
      const workspaceId = await fill(service);
      const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
      page.setDefaultTimeout(120_000);
      await page.goto(`${service.url}/app/search?workspace=${workspaceId}`);
      report('searching …');
      const painted = await paintTimes(page);
      report('opening pages …');
      const map = await openTimes(page, 'Graph', 'canvas[data-spots]');
      const list = await openTimes(
        page,
        'Graph',
        'main section[aria-label="Areas"] button, main [role="region"] button',
      );
      const records = await openTimes(page, 'Memory', 'main .records > li');
      const rows = [
        ['search results painted after their answer', painted, PAINTED_MS],
        ['map of the graph opened', map, OPENED_MS],
        ['list beside the map opened', list, OPENED_MS],
        ['list of memory opened', records, OPENED_MS],
      ] as const;
      return {
        tables: [
          {
            caption: 'Milliseconds',
            columns: ['what', 'median', 'p95', 'bar'],
            rows: rows.map(([what, times, bar]) => [what, median(times), quantile(times, 0.95), bar]),
          },
        ],
        reading: [`A bar is met by the median of ${ROUNDS} or more tries.`],
      };
    } finally {
      await browser.close();
      await service.end();
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    }
  },
};

async function fill(service: ServiceProcess): Promise<string> {
  const { id: workspace_id } = await service.call<{ id: string }>('workspaces_create', { name: 'Garden' });
  const projectOf = async (name: string, files: readonly { path: string; content: string }[]) => {
    const { id: project_id } = await service.call<{ id: string }>('projects_create', { workspace_id, name });
    for (let from = 0; from < files.length; from += BATCH)
      await service.call('files_ingest', { project_id, files: files.slice(from, from + BATCH) });
    return project_id;
  };
  const modules = Array.from({ length: MODULES }, (_, n) => ({
    path: `src/area${n % 40}/module${n}.ts`,
    content: `import { run${(n * 7 + 1) % MODULES} } from '../area${((n * 7 + 1) % MODULES) % 40}/module${(n * 7 + 1) % MODULES}.js';\nexport function run${n}() { return run${(n * 7 + 1) % MODULES}(); }\n`,
  }));
  const sources = await Promise.all(
    (await sourceFiles(SOURCES)).map(async ({ path, from }) => ({
      path,
      content: await readFile(from, 'utf8'),
    })),
  );
  // The newest project is the one that a page shows first.
  const projects = [await projectOf('Source', sources), await projectOf('Modules', modules)];
  const lines = Array.from({ length: RECORDS }, (_, n) =>
    JSON.stringify({
      record: 'event',
      id: `record-${n}`,
      event_type: 'note',
      title: `Record ${n}`,
      content: `What was learned about number ${n} of the garden.`,
      occurred_at: new Date(Date.UTC(2026, 0, 1) + n * 60_000).toISOString(),
    }),
  );
  const imported = await fetch(`${service.url}/v1/memory/import?workspace_id=${workspace_id}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body: `${lines.join('\n')}\n`,
  });
  if (!imported.ok) throw new Error(`the import answered ${imported.status}: ${await imported.text()}`);
  for (const project_id of projects) {
    for (;;) {
      const { state } = await service.call<{ state: string }>('projects_index_status', { project_id });
      if (state !== 'indexing') break;
      await delay(500);
    }
  }
  return workspace_id;
}

/** From the end of the answer to the frame after the results have changed. */
async function paintTimes(page: Page): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const query of QUERIES) {
      await page.goto(`${page.url().replace(/\/app\/.*/, '')}/app/search`);
      await page.getByLabel('Search for').fill(query);
      const painted = page.evaluate(
        () =>
          new Promise<number>((resolve) => {
            new MutationObserver((_changes, observer) => {
              if (!document.querySelector('.result-list > li')) return;
              observer.disconnect();
              const [answer] = performance
                .getEntriesByType('resource')
                .filter(({ name }) => name.includes('/search/'))
                .slice(-1) as PerformanceResourceTiming[]; // that type has no other entries
              requestAnimationFrame(() =>
                setTimeout(() => resolve(performance.now() - (answer?.responseEnd ?? 0))),
              );
            }).observe(document.body, { childList: true, subtree: true });
          }),
      );
      await page.keyboard.press('Enter');
      times.push(await painted);
    }
  }
  return times;
}

async function openTimes(page: Page, name: string, shown: string): Promise<number[]> {
  const navigation = page.getByRole('navigation', { name: 'Pages' });
  const times: number[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    await navigation.getByRole('link', { name: 'Toolsets', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Toolsets' }).waitFor();
    const started = performance.now();
    await navigation.getByRole('link', { name, exact: true }).click();
    await page.locator(shown).first().waitFor();
    times.push(performance.now() - started);
  }
  return times.slice(1); // the first one loads the page's code
}
