import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { resolveProject } from '@service-mcp/plugin-graph/internals';
import type { Bench, Cell } from './bench.js';
import { scorePyright } from './measure/graph-scores.js';
import { pythonSources } from './measure/graph-sources.js';
import { pyrightCalls } from './measure/pyright-calls.js';

/** Folder in which `npm install pyright@1.1.414` ran: 38 MB, which nothing else needs. */
const PYRIGHT = process.env['BENCH_PYRIGHT'];
/** Folder in which Python packages are installed. */
const INSTALLED = process.env['BENCH_PYTHON_PACKAGES'] ?? '/usr/lib/python3/dist-packages';
/** Packages by the folder of their sources; each is in the Debian package `python3-…`. */
const PACKAGES = {
  httpx: 'httpx',
  flask: 'flask',
  click: 'click',
  rich: 'rich',
  starlette: 'starlette',
  aiohttp: 'aiohttp',
  pydantic: 'pydantic',
  werkzeug: 'werkzeug',
  websockets: 'websockets',
  _pytest: 'pytest',
  jinja2: 'jinja2',
  trio: 'trio',
} as const;

export const graphPython: Bench = {
  name: 'graph-python',
  title: 'Code graph of Python beside Pyright',
  method:
    'Calls by a name, from function to function, of packages as they are installed, beside what the language server of Pyright 1.1.414 ' +
    'says is called. Calls of what the package does not declare do not count. Ours are those with a confidence of 0.9 and more; those of ' +
    'which Pyright resolves nothing are counted apart. `BENCH_PYRIGHT` names the folder in which Pyright is installed, `BENCH_PYTHON_PACKAGES` that of the packages.',
  skip() {
    if (PYRIGHT === undefined) return 'BENCH_PYRIGHT is not set';
    const missing = Object.entries(PACKAGES).filter(([folder]) => !existsSync(join(INSTALLED, folder)));
    const names = missing.map(([, name]) => `python3-${name}`).join(' ');
    return names === ''
      ? undefined
      : `BENCH_PYTHON_PACKAGES is not set, and these Debian packages are missing: ${names}`;
  },
  async run(report) {
    const rows: Cell[][] = [];
    const sums = { theirs: 0, found: 0, right: 0, elsewhere: 0 };
    for (const folder of Object.keys(PACKAGES)) {
      const sources = await pythonSources(folder, INSTALLED);
      report(`${folder}: ${sources.paths.length} files …`);
      const graphs = resolveProject(sources.files, sources.manifests);
      const score = scorePyright(
        graphs,
        await pyrightCalls({ pyright: PYRIGHT ?? '', packages: INSTALLED }, sources, graphs),
      );
      await rm(sources.directory, { recursive: true });
      const { theirs, found, right, elsewhere, open, unresolved } = score;
      for (const key of ['theirs', 'found', 'right', 'elsewhere'] as const) sums[key] += score[key];
      const recall = (found / theirs).toFixed(4);
      const precision = (right / (right + elsewhere)).toFixed(4);
      const count = sources.paths.length;
      rows.push([folder, count, theirs, recall, right + elsewhere, precision, open, unresolved]);
    }
    const recall = (sums.found / sums.theirs).toFixed(4);
    const precision = (sums.right / (sums.right + sums.elsewhere)).toFixed(4);
    return {
      tables: [
        {
          caption: 'Calls beside Pyright',
          columns: ['package', 'files', 'theirs', 'recall', 'ours', 'precision', 'open', 'unresolved'],
          rows,
        },
      ],
      reading: [
        `Of the calls that Pyright resolves, ${recall} are found; of our edges where both resolve something, ${precision} lead where it says.`,
        'Pyright takes declared types for what is called. Where a decorator returns a function of its own (most of trio), ours lead there and refer to the function that it wraps, which counts against our precision.',
      ],
    };
  },
};
