import fc from 'fast-check';
import { RESOLVER } from '@service-mcp/plugin-graph/internals';
import { EDITED_TEXTS } from './support/edited-texts.js';
import { checkEdits, randomEdits } from './support/random-edits.js';
import { startStore, type GraphService } from './support/store-service.js';

describe('an incremental graph', () => {
  let service: GraphService;
  before(async () => (service = await startStore({ resolver: RESOLVER })));
  after(() => service.stop());

  it('equals a full one after any edits', () =>
    fc.assert(
      fc.asyncProperty(randomEdits(EDITED_TEXTS), (groups) => checkEdits(service, groups)),
      { numRuns: 4, interruptAfterTimeLimit: 20_000 },
    ));
});
