import { freshDatabase, type TestDatabase } from '@service-mcp/core/testing';
import { mochaGlobalSetup, mochaGlobalTeardown } from '../../postgres.js';

/** An empty database of each engine, one after the other, gone when the next is asked for. */
export async function* freshDatabases(): AsyncGenerator<TestDatabase> {
  await mochaGlobalSetup();
  try {
    for (const engine of ['sqlite', 'postgresql'] as const) {
      const database = await freshDatabase(engine);
      try {
        yield database;
      } finally {
        await database.drop();
      }
    }
  } finally {
    await mochaGlobalTeardown();
  }
}
