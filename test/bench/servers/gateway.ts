import { loadGateway, startGateway } from '@service-mcp/transport-gateway';
import { serveParent } from './parent.js';

/** The gateway as it is delivered, on a free port, to the service at the address of the first argument. */
const env = { ...process.env, SERVICE_API_URL: process.argv[2], SERVICE_LOG_LEVEL: 'error' };
const gateway = await startGateway(await loadGateway(undefined, env, { host: '127.0.0.1', port: 0 }));
serveParent(gateway.address.port, () => gateway.stop());
