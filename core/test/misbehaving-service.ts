import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadDeployment, start } from '@service-mcp/core/host';

/**
 * A service in a process of its own, since what it leaves unhandled would be mocha's. A message names a tool, which is
 * called; `stop` stops it. It answers each with what came of it.
 */
const dataDir = process.argv[2] ?? '';
const file = join(dataDir, 'deployment.json');
const plugin = fileURLToPath(new URL('misbehaving-plugin.js', import.meta.url));
await writeFile(file, JSON.stringify({ plugins: [plugin], transports: [] }));
const loaded = await loadDeployment({ file, env: {}, overrides: { dataDir, port: 0 } });
const host = await start(loaded, { workerGraceMs: 50 });
process.send?.({ url: host.url });
process.on('message', (message: string) => {
  const done = message === 'stop' ? host.stop() : host.catalog.call(message, {}, host.call());
  void Promise.resolve(done).then(() => process.send?.({ done: message }));
});
