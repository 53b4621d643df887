import fc from 'fast-check';
import { RESOLVER } from '@service-mcp/plugin-graph/internals';
import { TOO_MANY_STEPS } from './support/complex-code.js';
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

  it('equals a full one with a file that is too complex, and without it again', async () => {
    const write = (path: string, text: string) => ({ kind: 'write' as const, path, text });
    const before = Object.entries(EDITED_TEXTS).map(([path, [text]]) => write(path, text ?? ''));
    const added = [write('lib/store.js', TOO_MANY_STEPS), write('src/use.ts', "import '../lib/store.js';\n")];
    await checkEdits(service, [before, added]);
    await checkEdits(service, [before, [], added, [], [{ kind: 'delete', path: 'lib/store.js' }]]);
  });
});
