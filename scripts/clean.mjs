// Removes what builds made: with --stale only the compiled files whose source is gone, so that a deleted test does not run.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join, sep } from 'node:path';

const staleOnly = process.argv.includes('--stale');
const packages = [
  'core',
  'test',
  ...['plugins', 'transports'].flatMap((group) => readdirSync(group).map((name) => join(group, name))),
];

for (const folder of packages) {
  const tests = folder === 'test' ? folder : join(folder, 'test');
  const outputs = [
    { sources: join(folder, 'src'), compiled: join(folder, 'dist') },
    { sources: tests, compiled: join(tests, 'dist') },
  ];
  for (const { sources, compiled } of outputs) {
    if (staleOnly) removeStale(sources, compiled);
    else rmSync(compiled, { recursive: true, force: true });
  }
  if (staleOnly) continue;
  rmSync(join(folder, 'tsconfig.tsbuildinfo'), { force: true });
  rmSync(join(folder, 'bundle'), { recursive: true, force: true });
}

/** Removes the compiled files, with their maps and declarations, that no source has any more. */
function removeStale(sources, compiled) {
  if (!existsSync(compiled) || !existsSync(sources)) return;
  for (const path of readdirSync(compiled, { recursive: true })) {
    const source = /^(.*?)(?:\.d\.ts|\.js)(?:\.map)?$/.exec(path)?.[1];
    if (source === undefined || path.split(sep).includes('node_modules')) continue;
    const isThere = ['.ts', '.tsx'].some((ending) => existsSync(join(sources, source + ending)));
    if (!isThere) rmSync(join(compiled, path));
  }
}
