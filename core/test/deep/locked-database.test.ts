import { onDatabase, testHost } from '@service-mcp/core/testing';
import { refuses } from '../fixtures.js';

onDatabase('sqlite', (fresh) => {
  it('a start that meets the copy of its embedded database says so', async () => {
    const made = await fresh();
    const copied = await made.open();
    await copied.sql.raw('PRAGMA journal_mode = DELETE'); // as migrate --from
    await copied.transaction(() =>
      refuses(
        () => testHost({ database: made, workers: false }),
        /^database$/,
        /Wait until it is done/,
        /another process keeps .*service\.db locked/,
      ),
    );
    await copied.close();
  });
});
