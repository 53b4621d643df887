import type { Clock, Database, Sql } from '@service-mcp/core';
import { pack, unpack, type TermModel } from './term-model.js';

export type SpaceKind = 'hashed' | 'trained';
/** `building`: being filled beside the active one. `active`: answers queries. `retired`: replaced, soon dropped. */
export type SpaceState = 'building' | 'active' | 'retired';

/** One vector space of one workspace. */
export interface Space {
  readonly workspaceId: string;
  readonly spaceId: string;
  readonly kind: SpaceKind;
  readonly state: SpaceState;
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

interface SpaceRow {
  workspace_id: string;
  space_id: string;
  kind: SpaceKind;
  state: SpaceState;
  dimensions: number;
  chunks: number;
  generation: number;
  cursor: string;
  since: string;
}

interface ModelRow {
  space_id: string;
  part: number;
  data: string;
}

/** Characters of base64 in one row. */
const PART = 256 * 1024;

/** Which vector spaces the workspaces have, and the models behind them. */
export class SpaceStore {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  async of(workspaceId: string): Promise<Space[]> {
    const rows = await this.#spaces().where('workspace_id', workspaceId);
    return rows.map(describe);
  }

  async all(): Promise<Space[]> {
    return (await this.#spaces().orderBy('workspace_id')).map(describe);
  }

  /** Adds a space; one that is there already stays as it is. */
  async add(space: Omit<Space, 'since'>, model?: TermModel): Promise<void> {
    const row = {
      workspace_id: space.workspaceId,
      space_id: space.spaceId,
      kind: space.kind,
      state: space.state,
      dimensions: space.dimensions,
      chunks: space.chunks,
      generation: space.generation,
      cursor: space.cursor,
      since: this.#clock.now().toISOString(),
    };
    const parts = model ? partsOf(pack(model).bytes.toString('base64')) : [];
    await this.#database.transaction(async (sql) => {
      await sql('search_spaces').insert(row).onConflict(['workspace_id', 'space_id']).ignore();
      for (const [part, data] of parts.entries()) {
        const row = { space_id: space.spaceId, part, data };
        await sql('search_models').insert(row).onConflict(['space_id', 'part']).ignore();
      }
    });
  }

  /** Undefined where the model is gone, because its space was replaced meanwhile. */
  async model(spaceId: string): Promise<TermModel | undefined> {
    const rows = await this.#database
      .sql<ModelRow>('search_models')
      .where('space_id', spaceId)
      .orderBy('part');
    if (rows.length === 0) return undefined;
    return unpack(Buffer.from(rows.map(({ data }) => data).join(''), 'base64'));
  }

  async moveCursor(space: Space, cursor: string, generation: number): Promise<void> {
    await this.#one(this.#database.sql<SpaceRow>('search_spaces'), space).update({ cursor, generation });
  }

  /** Puts a built space in use and retires those it replaces. */
  async activate(space: Space): Promise<void> {
    const since = this.#clock.now().toISOString();
    await this.#database.transaction(async (sql) => {
      const others = sql<SpaceRow>('search_spaces').where('workspace_id', space.workspaceId);
      await others.whereNot('space_id', space.spaceId).update({ state: 'retired', since });
      await this.#one(sql<SpaceRow>('search_spaces'), space).update({ state: 'active', since });
    });
  }

  /** Forgets one space. */
  async drop(space: Space): Promise<void> {
    await this.#database.transaction(async (sql) => {
      await this.#one(sql<SpaceRow>('search_spaces'), space).delete();
      await sql('search_models').whereNotIn('space_id', sql('search_spaces').select('space_id')).delete();
    });
  }

  /** Forgets every space of a workspace. */
  async forget(workspaceId: string): Promise<void> {
    await this.#database.transaction((sql) => this.erase(sql, workspaceId));
  }

  /** As `forget`, in a transaction of the caller's own. */
  async erase(sql: Sql, workspaceId: string): Promise<void> {
    await sql<SpaceRow>('search_spaces').where('workspace_id', workspaceId).delete();
    await sql('search_models').whereNotIn('space_id', sql('search_spaces').select('space_id')).delete();
  }

  #spaces() {
    return this.#database.sql<SpaceRow>('search_spaces').select('*');
  }

  #one<Q extends { where(column: string, value: string): Q }>(query: Q, space: Space): Q {
    return query.where('workspace_id', space.workspaceId).where('space_id', space.spaceId);
  }
}

function partsOf(data: string): string[] {
  return Array.from({ length: Math.ceil(data.length / PART) }, (_, part) =>
    data.slice(part * PART, (part + 1) * PART),
  );
}

function describe(row: SpaceRow): Space {
  return {
    workspaceId: row.workspace_id,
    spaceId: row.space_id,
    kind: row.kind,
    state: row.state,
    dimensions: row.dimensions,
    chunks: row.chunks,
    generation: row.generation,
    cursor: row.cursor,
    since: row.since,
  };
}
