// Runs the long tests: kill loops, load, a real browser, a proxy, and the compilers of Java, C and Go. Says what is missing and fails; never skips silently.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const javac = '/usr/bin/javac';
const jdk = process.env.JAVA_HOME ?? (existsSync(javac) ? dirname(dirname(realpathSync(javac))) : '');
const POSTGRESQL = '/usr/lib/postgresql';
const postgresql = existsSync(POSTGRESQL) ? readdirSync(POSTGRESQL) : [];
const needs = [
  {
    what: 'Chromium',
    found: existsSync(process.env.CHROMIUM_PATH ?? '/usr/bin/chromium-headless-shell'),
    remedy: 'install it (Debian: apt-get install chromium-headless-shell) or set CHROMIUM_PATH',
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
    what: 'programs of C with their source',
    found: existsSync('/usr/share/doc/zlib1g-dev/examples/example.c'),
    remedy: 'install the examples of zlib (Debian: apt-get install zlib1g-dev)',
  },
  {
    what: 'Go',
    found: spawnSync('go', ['version']).status === 0,
    remedy: 'install it (Debian: apt-get install golang-go)',
  },
  {
    what: 'nginx and OpenSSL',
    found: [
      ['nginx', '-v'],
      ['openssl', 'version'],
    ].every(([name, flag]) => spawnSync(name, [flag]).status === 0),
    remedy: 'install them (Debian: apt-get install nginx-light openssl)',
  },
  {
    what: 'PostgreSQL with pg_dump',
    found: postgresql.some((version) => existsSync(join(POSTGRESQL, version, 'bin', 'pg_dump'))),
    remedy: 'install it (Debian: apt-get install postgresql)',
  },
  {
    what: 'the right to mount a small disk (Linux, root)',
    found: process.platform === 'linux' && process.getuid() === 0,
    remedy: 'run it as root, in a container for example',
  },
];
const missing = needs.filter(({ found }) => !found);
for (const { what, remedy } of missing) process.stderr.write(`test:deep needs ${what}: ${remedy}\n`);
if (missing.length > 0) process.exit(1);

/** The longest, which start first: one of them at the end would leave a processor idle for minutes. */
const LONGEST = [
  'test/dist/deep/guards.test.js',
  'test/dist/deep/clients.test.js',
  'test/dist/deep/kill-ingest.test.js',
  'test/dist/deep/operator/image.test.js',
  'test/dist/deep/plans.test.js',
  'test/dist/deep/pluggability.test.js',
  'test/dist/deep/streams.test.js',
  'test/dist/deep/worker.test.js',
  'test/dist/deep/operator/backup.test.js',
  'transports/cli/test/dist/deep/accounts.test.js',
];
/** Faults of data that nothing else uses: they run beside the others. */
const BESIDE = [
  'test/dist/deep/faults/corrupt-database.test.js',
  'test/dist/deep/faults/two-services.test.js',
];
/**
 * Lists of files by their whole names: of a pattern with braces and no star mocha finds nothing, and only warns. These wait
 * for limits of time most of the while, and would be late beside others that work.
 */
const WAITING = [
  'core/test/dist/deep/silent-readers.test.js',
  'test/dist/deep/faults/clock.test.js',
  'test/dist/deep/faults/hanging-postgres.test.js',
  'test/dist/deep/faults/silent-postgres.test.js',
  'test/dist/deep/faults/stopped-postgres-accounts.test.js',
  'test/dist/deep/faults/stopped-postgres.test.js',
  'test/dist/deep/faults/unwritable-disk.test.js',
  'test/dist/deep/slow-requests.test.js',
];
/** These stop or fill what others use, measure, or wait for programs of others that give up after seconds: they run one after the other, with the machine to themselves. */
const ALONE = [
  'test/dist/deep/coding-agents.test.js',
  'test/dist/deep/faults/full-disk.test.js',
  'test/dist/deep/faults/index.test.js',
  'test/dist/deep/faults/kill-writers.test.js',
  'test/dist/deep/faults/postgres-processes.test.js',
  'test/dist/deep/faults/stop-under-load.test.js',
  'test/dist/deep/memory/replicas.test.js',
  'test/dist/deep/memory/writers.test.js',
  'test/dist/deep/fair-shares.test.js',
  'plugins/graph/test/dist/deep/memory.test.js',
  'plugins/search/test/dist/deep/flood.test.js',
];

/** Where more files fail than these, the others are not the reason. */
const AGAIN_LIMIT = 5;
/** Files that failed beside others and passed alone: the output names them at its end. */
const onlyAlone = [];

const APART = [...WAITING, ...ALONE];
const FAULTS = 'test/dist/deep/faults';
const unlisted = readdirSync(FAULTS)
  .map((name) => `${FAULTS}/${name}`)
  .filter((name) => name.endsWith('.test.js') && ![...APART, ...BESIDE].includes(name));
refuse(
  [...LONGEST, ...BESIDE, ...APART].filter((name) => !existsSync(name)),
  'is not there: correct its name',
);
refuse(unlisted, 'is in no list: put it in one');

/** All others of the long tests, in the order of their names: those of the dashboard one after the other share a browser. */
function others() {
  const packages = ['plugins', 'transports'].flatMap((folder) =>
    readdirSync(folder).map((name) => join(folder, name)),
  );
  return ['.', 'core', ...packages]
    .map((folder) => join(folder, 'test/dist/deep'))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true })
        .toSorted((one, other) => (one < other ? -1 : 1))
        .map((name) => join(folder, name)),
    )
    .filter((name) => name.endsWith('.test.js') && ![...LONGEST, ...APART].includes(name));
}

/** Ends the run where one of its lists is wrong. */
function refuse(names, fault) {
  for (const name of names) process.stderr.write(`test:deep: ${name} ${fault} in scripts/deep.mjs\n`);
  if (names.length > 0) process.exit(1);
}

/**
 * Runs files, and those that failed beside others once more, alone: a fault of theirs shows again, a limit of time that the
 * others made them miss does not. Returns the number of failures.
 */
function run(...args) {
  const { failures, failed } = mocha(...args);
  if (failed.length === 0 || failed.length > AGAIN_LIMIT || !failed.every((name) => existsSync(name)))
    return failures;
  process.stdout.write(`\n  once more, alone: ${failed.join(' ')}\n`);
  const again = mocha(...failed);
  onlyAlone.push(...failed.filter((name) => !again.failed.includes(name)));
  return again.failures;
}

/** The number of failures, and the files with one. */
function mocha(...args) {
  const folder = mkdtempSync(join(tmpdir(), 'service-mcp-deep-'));
  const list = join(folder, 'failed.json');
  const options = ['--timeout', '600000', '--reporter', 'test/dist/deep-reporter.js', ...args];
  try {
    const { status } = spawnSync(
      process.execPath,
      ['node_modules/mocha/bin/mocha.js', ...options, ...process.argv.slice(2)],
      { stdio: 'inherit', env: { ...process.env, FAILED_FILES: list } },
    );
    return { failures: status ?? 1, failed: existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : [] };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const together = run('--parallel', '--jobs', '3', ...LONGEST, ...others());
const waiting = run('--parallel', '--jobs', '3', ...WAITING);
const alone = mocha(...ALONE).failures;
for (const name of onlyAlone) process.stdout.write(`  failed beside others, passed alone: ${name}\n`);
process.exit(together || waiting || alone);
