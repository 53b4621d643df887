// Runs the long tests: kill loops, load and a real browser. Says what is missing and fails; never skips silently.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const needs = [
  {
    what: 'Chromium',
    found: existsSync(process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'),
    remedy: 'install it (Debian: apt-get install chromium) or set CHROMIUM_PATH',
  },
];
const missing = needs.filter(({ found }) => !found);
for (const { what, remedy } of missing) process.stderr.write(`test:deep needs ${what}: ${remedy}\n`);
if (missing.length > 0) process.exit(1);

const { status } = spawnSync(
  process.execPath,
  [
    'node_modules/mocha/bin/mocha.js',
    '--timeout',
    '600000',
    '--reporter',
    'spec',
    '{.,core,plugins/*,transports/*}/test/dist/deep/**/*.test.js',
    ...process.argv.slice(2),
  ],
  { stdio: 'inherit' },
);
process.exit(status ?? 1);
