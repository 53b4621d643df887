import { serveGateway, type Served } from '../gateway/support/gateway.js';
import { startService, type Service } from '../service.js';

/** A service, and the address at which a suite asks for it. */
export interface Front {
  readonly service: Service;
  /** Of the service itself, or of a gateway before it. */
  url: string;
}

/** Runs a suite over a service, and over a gateway before one: what interface.md 4.4 says holds for both. */
export function eachFront(suite: (front: Front, isGateway: boolean) => void): void {
  for (const isGateway of [false, true]) {
    describe(isGateway ? 'on the gateway' : 'on the service', () => {
      const front = { url: '' } as { service: Service; url: string }; // filled before the tests
      let gateway: Served | undefined;
      before(async function () {
        this.timeout(30_000);
        front.service = await startService();
        gateway = isGateway ? await serveGateway({ SERVICE_API_URL: front.service.url }) : undefined;
        front.url = gateway?.url ?? front.service.url;
      });
      after(async () => {
        await gateway?.stop();
        await front.service.stop();
      });
      suite(front, isGateway);
    });
  }
}
