import { fileURLToPath } from 'node:url';
import { loadDeployment, startGateway } from '@service-mcp/core/host';
import { serveParent } from './parent.js';

/** The gateway as it is delivered, on a free port, to the service at the address of the first argument. */
const loaded = await loadDeployment({
  file: fileURLToPath(new URL('../../../../deploy/gateway.json', import.meta.url)),
  env: { ...process.env, SERVICE_API_URL: process.argv[2], SERVICE_LOG_LEVEL: 'error' },
  overrides: { host: '127.0.0.1', port: 0 },
  resolveFrom: fileURLToPath(import.meta.url),
});
const gateway = await startGateway(loaded);
serveParent(gateway.address?.port ?? 0, () => gateway.stop());
