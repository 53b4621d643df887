import { serveGateway, type Served } from '../gateway/support/serve-gateway.js';
import { startService, type Service } from '../start-service.js';

/** A service, and the address at which a suite asks for it. */
export interface Endpoint {
  readonly service: Service;
  /** Of the service itself, or of a gateway before it. */
  url: string;
}

/** Runs a suite over a service, and over a gateway before one: interface.md 4.4 holds for both. */
export function eachEndpoint(suite: (endpoint: Endpoint, isGateway: boolean) => void): void {
  for (const isGateway of [false, true]) {
    describe(isGateway ? 'on the gateway' : 'on the service', () => {
      const endpoint = { url: '' } as { service: Service; url: string }; // filled before the tests
      let gateway: Served | undefined;
      before(async () => {
        endpoint.service = await startService();
        gateway = isGateway ? await serveGateway({ SERVICE_API_URL: endpoint.service.url }) : undefined;
        endpoint.url = gateway?.url ?? endpoint.service.url;
      });
      after(async () => {
        await gateway?.stop();
        await endpoint.service.stop();
      });
      suite(endpoint, isGateway);
    });
  }
}
