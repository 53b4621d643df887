// Removes what builds made: with --tests the compiled tests alone, so that a deleted test does not live on.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const testsOnly = process.argv.includes('--tests');
const packages = [
  'core',
  'test',
  ...['plugins', 'transports'].flatMap((group) => readdirSync(group).map((name) => join(group, name))),
];

for (const folder of packages) {
  const tests = folder === 'test' ? folder : join(folder, 'test');
  const built = [
    join(tests, 'dist'),
    ...(testsOnly ? [] : [join(folder, 'dist'), join(folder, 'tsconfig.tsbuildinfo')]),
  ];
  for (const path of built) rmSync(path, { recursive: true, force: true });
}
