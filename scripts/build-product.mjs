// Builds what runs, without the tests, for `npm start`.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { buildDashboard } from '../transports/web/client/build.mjs';
import { bundlePackages } from './bundle.mjs';

const { references } = JSON.parse(readFileSync('tsconfig.json', 'utf8'));
const packages = references.map(({ path }) => path).filter((path) => !/(^|\/)test$/.test(path));
if (!packages.every((path) => existsSync(`${path}/dist`)))
  process.stderr.write('Building, half a minute the first time…\n');
// Each checker instantiates the types of the schemas again, which takes longer than sharing the files among several saves.
const compile = ['node_modules/typescript/bin/tsc', '-b', '--checkers', '1', ...packages];
const { status } = spawnSync(process.execPath, compile, { stdio: 'inherit' });
if (status === 0) {
  await bundlePackages();
  await buildDashboard();
}
process.exit(status ?? 1);
