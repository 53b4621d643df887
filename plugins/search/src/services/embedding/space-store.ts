import type { Clock, Database, Sql } from '@service-mcp/core';
import type { ProviderDescription } from './providers/provider.js';
import { pack, type TermModel } from './term-model.js';

/** One vector space of one workspace. */
export interface Space {
  readonly workspace_id: string;
  readonly space_id: string;
  /**
   * `trained`: by co-occurrence alone, as before contrastive tuning; serves until it is replaced by a tuned one.
   * `provided`: its vectors are made by a provider.
   */
  readonly kind: 'hashed' | 'trained' | 'tuned' | 'provided';
  /** `building`: being filled beside the active one. `active`: answers queries. `retired`: replaced, soon dropped. */
  readonly state: 'building' | 'active' | 'retired';
  readonly dimensions: number;
  /** How many chunks it was trained on. */
  readonly chunks: number;
  /** The generation of the index that it is being filled in. */
  readonly generation: number;
  /** While building: the last document done. */
  readonly cursor: string;
  /** When it came into its state: RFC 3339. */
  readonly since: string;
}

interface ModelRow {
  readonly space_id: string;
  readonly part: number;
  readonly data: string;
}

/** Characters of base64 in one row. */
const PART = 256 * 1024;

export type SpaceStore = ReturnType<typeof createSpaceStore>;

/** Which vector spaces the workspaces have, and the models behind them. */
export function createSpaceStore(database: Database, clock: Clock) {
  const now = () => clock.now().toISOString();
  const keyOf = ({ workspace_id, space_id }: Space) => ({ workspace_id, space_id });
  return {
    /** Of one workspace, or of all in order of workspace. */
    async list(workspace_id?: string): Promise<Space[]> {
      const spaces = database.sql<Space>('search_spaces').orderBy('workspace_id');
      return workspace_id === undefined ? spaces : spaces.where({ workspace_id });
    },

    /** Spaces that are building or retired. */
    unfinished: (): Promise<Space[]> =>
      database.sql<Space>('search_spaces').whereNot({ state: 'active' }).orderBy('workspace_id'),

    /**
     * Workspaces to train, with the chunks that their index held after its last write: from `minChunks` on, and again when
     * they have grown by the factor `growth`; and those whose index is empty and whose embedder is to be forgotten.
     */
    async due(
      minChunks: number,
      growth: number,
    ): Promise<ReadonlyArray<{ workspace_id: string; chunks: number }>> {
      const active = database.sql('search_spaces').where({ state: 'active' }).as('active');
      return database
        .sql('search_indexes as found')
        .leftJoin(active, 'active.workspace_id', 'found.workspace_id')
        .where('found.train_after', '<=', now())
        .where((row) =>
          row
            .whereRaw("found.chunks >= ? AND COALESCE(active.kind, '') <> 'tuned'", [minChunks])
            .orWhereRaw("found.chunks >= active.chunks * CAST(? AS REAL) AND active.kind = 'tuned'", [growth])
            .orWhereRaw("found.chunks = 0 AND found.written_at <> '' AND active.kind <> 'hashed'"),
        )
        .orderBy('found.written_at')
        .select({ workspace_id: 'found.workspace_id', chunks: 'found.chunks' });
    },

    /** Puts the next training of a workspace off by so many milliseconds. */
    async trainAfter(workspace_id: string, ms: number): Promise<void> {
      const train_after = new Date(clock.now().getTime() + ms).toISOString();
      await database.sql('search_indexes').where({ workspace_id }).update({ train_after });
    },

    /** Adds a space; an existing one stays as it is, but one that was replaced is built again. */
    async add(space: Omit<Space, 'since'>, model?: TermModel | ProviderDescription): Promise<void> {
      const data = model ? textOf(model) : '';
      await database.transaction(async (sql) => {
        const row = { ...space, since: now() };
        const { state, cursor, generation, since } = row;
        await sql('search_spaces')
          .insert(row)
          .onConflict(['workspace_id', 'space_id'])
          .merge({ state, cursor, generation, since })
          .where('search_spaces.state', 'retired');
        for (let part = 0; part * PART < data.length; part++) {
          const row = { space_id: space.space_id, part, data: data.slice(part * PART, (part + 1) * PART) };
          await sql('search_models').insert(row).onConflict(['space_id', 'part']).ignore();
        }
      });
    },

    /** Undefined where the model is gone, because its space was replaced meanwhile. */
    async packedModel(space_id: string): Promise<Buffer | undefined> {
      const rows = await database.sql<ModelRow>('search_models').where({ space_id }).orderBy('part');
      if (rows.length === 0) return undefined;
      return Buffer.from(rows.map(({ data }) => data).join(''), 'base64');
    },

    /** What makes the vectors of a provided space; undefined where it was replaced meanwhile. */
    async description(space_id: string): Promise<ProviderDescription | undefined> {
      const row = await database.sql<ModelRow>('search_models').where({ space_id, part: 0 }).first();
      return row && (JSON.parse(row.data) as ProviderDescription); // as `add` wrote it
    },

    async moveCursor(space: Space, cursor: string, generation: number): Promise<void> {
      await database.sql<Space>('search_spaces').where(keyOf(space)).update({ cursor, generation });
    },

    /** Puts a built space in use and retires those it replaces; nothing where it is not being built any more. */
    async activate(space: Space): Promise<void> {
      const { workspace_id, space_id } = space;
      const since = now();
      await database.transaction(async (sql) => {
        const built = sql<Space>('search_spaces').where({ ...keyOf(space), state: 'building' });
        if ((await built.update({ state: 'active', since })) === 0) return;
        const others = sql<Space>('search_spaces').where({ workspace_id }).whereNot({ space_id });
        await others.update({ state: 'retired', since });
      });
    },

    /** Ends the building of a space. */
    async retire(space: Space): Promise<void> {
      const building = database.sql<Space>('search_spaces').where({ ...keyOf(space), state: 'building' });
      await building.update({ state: 'retired', since: now() });
    },

    /** Unless it has come back into use meanwhile. */
    drop: (space: Space) =>
      database.transaction((sql) => eraseSpaces(sql, { ...keyOf(space), state: 'retired' })),

    forget: (workspace_id: string) => database.transaction((sql) => eraseSpaces(sql, { workspace_id })),
  };
}

function textOf(model: TermModel | ProviderDescription): string {
  return 'terms' in model ? pack(model).bytes.toString('base64') : JSON.stringify(model);
}

/** Deletes spaces and the models that no space needs any longer. */
export async function eraseSpaces(
  sql: Sql,
  which: Pick<Space, 'workspace_id'> & Partial<Pick<Space, 'space_id' | 'state'>>,
): Promise<void> {
  await sql<Space>('search_spaces').where(which).delete();
  await sql('search_models').whereNotIn('space_id', sql('search_spaces').select('space_id')).delete();
}
