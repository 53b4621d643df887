import { fork } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadDeployment, start, type DeploymentFile } from '@service-mcp/core/host';
import { serveParent } from './parent.js';

/**
 * The default deployment and the trivial tool, on a free port, over the data folder of the first argument. With `child` as
 * the second, indexing is in a child process, as in `service-mcp serve`.
 */
const [, , dataDir = '', workers] = process.argv;
const BINARY = fileURLToPath(new URL('../bin/service-mcp.js', import.meta.resolve('service-mcp')));
const local = fileURLToPath(new URL('../../../../deploy/local.json', import.meta.url));
const deployment = JSON.parse(await readFile(local, 'utf8')) as DeploymentFile;
const file = join(dataDir, 'deployment.json');
const echoPlugin = fileURLToPath(new URL('echo-plugin.js', import.meta.url));
await writeFile(
  file,
  JSON.stringify({ ...deployment, log: { level: 'error' }, plugins: [...deployment.plugins, echoPlugin] }),
);
const loaded = await loadDeployment({
  file,
  env: process.env,
  overrides: { port: 0, dataDir },
  resolveFrom: fileURLToPath(import.meta.url),
});
const spawnWorker = () =>
  fork(BINARY, ['worker', '--config', file, '--data', dataDir], {
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
const host = await start(loaded, workers === 'child' ? { spawnWorker } : {});
serveParent(host.address?.port ?? 0, () => host.stop());
