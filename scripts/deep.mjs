// Runs the long tests: kill loops, load, a real browser and the compilers of Java, C and Go. Says what is missing and fails; never skips silently.
import { spawnSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

const javac = '/usr/bin/javac';
const jdk = process.env.JAVA_HOME ?? (existsSync(javac) ? dirname(dirname(realpathSync(javac))) : '');
const needs = [
  {
    what: 'Chromium',
    found: existsSync(process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'),
    remedy: 'install it (Debian: apt-get install chromium) or set CHROMIUM_PATH',
  },
  {
    what: 'a JDK with its source',
    found: existsSync(join(jdk, 'lib/src.zip')),
    remedy: 'install it (Debian: apt-get install default-jdk-headless openjdk-17-source) or set JAVA_HOME',
  },
  {
    what: 'gcc',
    found: spawnSync('gcc', ['--version']).status === 0,
    remedy: 'install it (Debian: apt-get install gcc libc6-dev)',
  },
  {
    what: 'Go',
    found: spawnSync('go', ['version']).status === 0,
    remedy: 'install it (Debian: apt-get install golang-go)',
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
