import fc from 'fast-check';
import { RESOLVER } from '@service-mcp/plugin-graph/internals';
import { eachDatabase, type TestDatabase } from '@service-mcp/core/testing';
import { EDITED_TEXTS } from '../support/edited-texts.js';
import { checkEdits, randomEdits } from '../support/random-edits.js';
import { startStore, type GraphService } from '../support/store-service.js';

eachDatabase((fresh) => {
  describe('an incremental graph that two processes write', function () {
    this.timeout(900_000);
    let database: TestDatabase;
    const services: GraphService[] = [];
    before(async () => {
      database = await fresh();
      services.push(
        await startStore({ database, resolver: RESOLVER }),
        await startStore({ database, resolver: RESOLVER }),
      );
    });
    after(async () => {
      for (const service of services) await service.stop();
    });

    it('equals a full one after any edits', () =>
      fc.assert(
        fc.asyncProperty(randomEdits(EDITED_TEXTS), fc.nat(1), async (groups, index) => {
          const service = services[index];
          if (service) await checkEdits(service, groups);
        }),
        { numRuns: 40 },
      ));
  });
});
