import fc from 'fast-check';
import { eachDatabase, type TestDatabase } from '@service-mcp/core/testing';
import { EDITED_TEXTS } from '../support/edited-texts.js';
import { isManifestName, resolveByName } from '../support/name-resolver.js';
import { checkEdits, randomEdits } from '../support/random-edits.js';
import { startStore, type GraphService } from '../support/store-service.js';

eachDatabase((fresh) => {
  describe('an incremental graph that two processes write', function () {
    this.timeout(900_000);
    let database: TestDatabase;
    const services: GraphService[] = [];
    before(async () => {
      database = await fresh();
      services.push(await startStore({ database }), await startStore({ database }));
    });
    after(async () => {
      for (const service of services) await service.stop();
    });

    it('equals a full one after any edits', () =>
      fc.assert(
        fc.asyncProperty(randomEdits(EDITED_TEXTS), fc.nat(1), async (groups, index) => {
          const service = services[index];
          if (service)
            await checkEdits(service, groups, { resolve: resolveByName, isManifest: isManifestName });
        }),
        { numRuns: 300 },
      ));
  });
});
