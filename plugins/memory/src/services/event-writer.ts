import { CallAdmission, Database, ServiceError, provideForCall, token } from '@service-mcp/core';
import type { RecordValues } from '@service-mcp/core';
import { MemoryEvents, type MemoryEvent } from '../events.js';
import { duplicatesOf, type Duplicate } from './duplicates.js';
import { gained } from './merging.js';

export type OnDuplicate = 'keep' | 'merge' | 'reject';

/** Stores events, and says which ones say the same. */
export interface EventWriter {
  /** Throws CONFLICT where `reject` meets a twin; `merge` answers with the twin, which gains what it lacks. */
  store(
    values: RecordValues<MemoryEvent>,
    onDuplicate: OnDuplicate,
  ): Promise<MemoryEvent & { duplicates: Duplicate[] }>;
}
export const EventWriter = token<EventWriter>('memory.EventWriter');

export const eventWriter = provideForCall(EventWriter, {
  uses: { events: MemoryEvents, database: Database, admission: CallAdmission },
  create: ({ events, database, admission }): EventWriter => ({
    store: (values, onDuplicate) =>
      events.change(async (own, sql) => {
        const { workspaceId: workspace_id } = admission;
        // Two calls that store the same at once: the second sees the first. SQLite has one writer anyway.
        if (onDuplicate !== 'keep' && database.engine === 'postgresql')
          await sql.raw('SELECT pg_advisory_xact_lock(hashtextextended(?, 0))', [`memory ${workspace_id}`]);
        const duplicates = await duplicatesOf(sql, { ...values, workspace_id });
        const [twin] = duplicates;
        if (!twin || onDuplicate === 'keep')
          return { ...(await own.create(values, 'memory.event.created')), duplicates };
        if (onDuplicate === 'reject')
          throw new ServiceError(
            'CONFLICT',
            `The event ${twin.id} says the same. Change it with memory_update_event, or store this one with on_duplicate "keep".`,
            { details: { ...twin } },
          );
        const merged = gained(await own.get(twin.id), values);
        return { ...(await own.update(twin.id, merged, 'memory.event.updated')), duplicates };
      }),
  }),
});
