import { fork } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadDeployment, start, type DeploymentFile, type SpawnWorker } from '@service-mcp/core/host';
import { HOSTED } from '../measure/accounts.js';
import { serveParent } from './parent.js';

/**
 * The default deployment and the trivial tool, on a free port, over the data folder of the first argument. With `child` as
 * the second, indexing is in a child process, as in `service-mcp serve`. The third names another deployment of `deploy/`, the
 * rest plugins that are left out.
 */
const [, , dataDir = '', workers, name = 'local', ...without] = process.argv;
const BINARY = fileURLToPath(new URL('../bin/service-mcp.js', import.meta.resolve('service-mcp')));
const given = fileURLToPath(new URL(`../../../../deploy/${name}.json`, import.meta.url));
const deployment = JSON.parse(await readFile(given, 'utf8')) as DeploymentFile;
const file = join(dataDir, 'deployment.json');
await mkdir(dataDir, { recursive: true, mode: 0o700 });
const echoPlugin = fileURLToPath(new URL('echo-plugin.js', import.meta.url));
await writeFile(
  file,
  JSON.stringify({
    ...deployment,
    ...(name === 'hosted' && HOSTED),
    log: { level: 'error' },
    plugins: [...deployment.plugins.filter((plugin) => !without.includes(plugin)), echoPlugin],
  }),
);
const loaded = await loadDeployment({
  file,
  env: process.env,
  overrides: { port: 0, dataDir },
  resolveFrom: fileURLToPath(import.meta.url),
});
let running = 0;
const spawnWorker: SpawnWorker = (env) => {
  const worker = fork(BINARY, ['worker', '--config', file, '--data', dataDir], {
    detached: true,
    env: { ...env, ...process.env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  running += 1;
  worker.once('exit', () => (running -= 1));
  return worker;
};
const host = await start(loaded, workers === 'child' ? { spawnWorker } : {});
serveParent(
  host.address?.port ?? 0,
  () => host.stop(),
  () => running,
);
