import { onDatabase, type TestDatabase } from '@service-mcp/core/testing';
import { connect as openidClient } from './clients/openid-client.js';
import { connect as oauth4webapi } from './clients/oauth4webapi.js';
import { connect as sdk1 } from './clients/sdk-1.js';
import { connect as sdk2 } from './clients/sdk-2.js';
import { TOPOLOGIES, calledLocalhost, startPlace, type Place } from './support/oauth-deployment.js';

const CLIENTS = {
  'the SDK 1.x with auth()': sdk1,
  'the client 2.x with a client-id document': sdk2,
  'openid-client 6': openidClient,
  'oauth4webapi 3': oauth4webapi,
};

/** Clients of others from a 401 to a revocation, on one engine: what they speak. PostgreSQL runs with the long tests. */
export function flowsSuite(engine: TestDatabase['engine']): void {
  onDatabase(engine, (fresh) => {
    for (const topology of TOPOLOGIES) {
      describe(`connecting from a 401 to revocation, ${topology}`, () => {
        let place: Place;
        before(async () => {
          place = await startPlace(await fresh(), topology);
        });
        after(() => place.stop());

        for (const [name, connect] of Object.entries(CLIENTS)) {
          it(`by ${name}`, () => connect(place));
          if (topology === 'one origin')
            it(`by ${name}, which calls 127.0.0.1 localhost`, () => connect(calledLocalhost(place)));
        }
      });
    }
  });
}
