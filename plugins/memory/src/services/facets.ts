import { CallAdmission, Database, provideForCall, token } from '@service-mcp/core';
import type { Query } from '@service-mcp/core';

export interface FacetValue {
  readonly value: string;
  readonly count: number;
}

const MAX_VALUES = 100;

/** What the memory of a workspace can be narrowed by: the hundred most frequent values of each field. */
export interface Facets {
  read(): Promise<Record<'event_types' | 'node_types' | 'tags' | 'sessions' | 'projects', FacetValue[]>>;
}
export const Facets = token<Facets>('memory.Facets');

export const facets = provideForCall(Facets, {
  uses: { database: Database, admission: CallAdmission },
  create({ database: { sql }, admission }): Facets {
    const living = (table: string) => sql(table).where({ workspace_id: admission.workspaceId, deleted: 0 });
    const count = (rows: Query, column: string): Promise<FacetValue[]> =>
      rows
        .whereNotNull(column)
        .groupBy(column)
        .select({ value: column })
        .count({ count: '*' })
        .orderBy('count', 'desc')
        .orderBy('value')
        .limit(MAX_VALUES) as unknown as Promise<FacetValue[]>; // erasure: the builder does not know its columns
    return {
      async read() {
        const both = sql.unionAll([
          living('memory_events').select('project_id'),
          living('memory_nodes').select('project_id'),
        ]);
        return {
          event_types: await count(living('memory_events'), 'event_type'),
          node_types: await count(living('memory_nodes'), 'node_type'),
          tags: await count(sql('memory_tags').where({ workspace_id: admission.workspaceId }), 'tag'),
          sessions: await count(living('memory_events'), 'session_id'),
          projects: await count(sql(both.as('records')), 'project_id'),
        };
      },
    };
  },
});
