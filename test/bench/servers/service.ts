import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadDeployment, start, type DeploymentFile } from '@service-mcp/core/host';
import { serveParent } from './parent.js';

/** The default deployment and the trivial tool, on a free port, over the data folder of the first argument. */
const dataDir = process.argv[2] ?? '';
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
const host = await start(loaded);
serveParent(host.address?.port ?? 0, () => host.stop());
