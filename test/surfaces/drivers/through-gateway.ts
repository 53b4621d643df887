import { serveGateway } from '../../gateway/support/serve-gateway.js';
import type { SurfaceDriver } from './driver.js';

/** A surface as it is reached through a gateway before the service. */
export function throughGateway(surface: SurfaceDriver): SurfaceDriver {
  return {
    ...surface,
    name: `${surface.name}, through a gateway`,
    async open(service) {
      const gateway = await serveGateway({ SERVICE_API_URL: service.url });
      const driver = await surface.open({ ...service, url: gateway.url });
      return {
        ...driver,
        async close() {
          await driver.close();
          await gateway.stop();
        },
      };
    },
  };
}
