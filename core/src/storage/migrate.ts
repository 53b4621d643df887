import type { Migration, Plugin } from '../plugin.js';
import type { Database, Sql } from '../database.js';
import type { FormerPlugins } from '../former-plugins.js';
import { BootError } from '../boot/boot-error.js';
import { CORE_MIGRATIONS } from './migrations.js';
import { isOutage, outageRemedy } from './outages.js';

/** Any constant will do, as long as every process takes the same. */
const ADVISORY_LOCK = 7_236_001;
/** In the place of the time of a step that has begun. Nobody sees it, unless the step commits by itself. */
const BEGUN = '';

/**
 * Brings every plugin's schema up to date, in the order given (each after what it requires). One
 * transaction a step, so a failing step leaves nothing half made; several processes may start at once.
 * Returns the applied migrations, as `plugin/id`. Throws BootError, before it changes anything, where a later version
 * of a plugin was here: this one would write what that one no longer expects.
 */
export async function migrate(
  database: Database,
  plugins: readonly Pick<Plugin, 'id' | 'migrations'>[],
): Promise<string[]> {
  const applied: string[] = [];
  await createStepTable(database);
  for (const { plugin, step, name } of await findPending(database, plugins))
    if (await apply(database, plugin, step)) applied.push(name);
  return applied;
}

/** What `migrate` would apply to a database with tables of the service, as `plugin/id`. Throws as it does, and changes nothing. */
export async function pendingMigrations(
  database: Database,
  plugins: readonly Pick<Plugin, 'id' | 'migrations'>[],
): Promise<readonly string[]> {
  return (await findPending(database, plugins)).map(({ name }) => name);
}

async function findPending(database: Database, plugins: readonly Pick<Plugin, 'id' | 'migrations'>[]) {
  const earlier = await appliedSteps(database);
  const schemas = [{ id: 'core', migrations: CORE_MIGRATIONS }, ...plugins];
  refuseLaterSchemas(earlier, schemas);
  return schemas
    .flatMap(({ id: plugin, migrations }) =>
      [...migrations]
        .sort((a, b) => (a.id < b.id ? -1 : 1))
        .map((step) => ({ plugin, step, name: `${plugin}/${step.id}` })),
    )
    .filter(({ name }) => !earlier.has(name));
}

/** What to look at where a statement names a table or column that is not there. */
export function schemaHint(thrown: unknown): { readonly hint?: string } {
  const { code, message } = thrown instanceof Error ? (thrown as Error & { code?: unknown }) : {};
  const isMissing =
    code === '42P01' || code === '42703' || /\bno such (?:table|column)\b/.test(message ?? '');
  if (!isMissing) return {};
  return { hint: 'a migration that is edited after it ran does not run again: add one for what is missing' };
}

/** See {@link FormerPlugins}. */
export function createFormerPlugins(plugins: readonly Plugin[]): FormerPlugins {
  const enabled = ['core', ...plugins.map(({ id }) => id)];
  return {
    ids: async (sql) =>
      (await sql('schema_migrations')
        .whereNotIn('plugin', enabled)
        .distinct('plugin')
        .orderBy('plugin')
        .pluck('plugin')) as string[],
  };
}

async function createStepTable(database: Database): Promise<void> {
  if (await database.sql.schema.hasTable('schema_migrations')) return;
  await inLockedTransaction(database, async (sql) => {
    if (await sql.schema.hasTable('schema_migrations')) return;
    await sql.schema.createTable('schema_migrations', (table) => {
      table.text('plugin').notNullable();
      table.text('id').notNullable();
      table.text('applied_at').notNullable();
      table.primary(['plugin', 'id']);
    });
  });
}

/** The steps that need no lock: applied before, as `plugin/id`. */
async function appliedSteps(database: Database): Promise<ReadonlySet<string>> {
  const applied = database.sql('schema_migrations').whereNot('applied_at', BEGUN);
  const rows = (await applied.select('plugin', 'id')) as Array<{
    plugin: string;
    id: string;
  }>;
  return new Set(rows.map(({ plugin, id }) => `${plugin}/${id}`));
}

function refuseLaterSchemas(
  earlier: ReadonlySet<string>,
  schemas: readonly Pick<Plugin, 'id' | 'migrations'>[],
): void {
  for (const { id: plugin, migrations } of schemas) {
    const known = new Set(migrations.map(({ id }) => `${plugin}/${id}`));
    const later = [...earlier].find((name) => name.startsWith(`${plugin}/`) && !known.has(name));
    if (later === undefined) continue;
    const restore =
      'Install that version or a later one again, or restore the backup from before the upgrade. Nothing was changed.';
    throw plugin === 'core'
      ? new BootError(
          'database',
          `a later version of the service migrated it (${later}), and this version cannot use it`,
          restore,
        )
      : new BootError(
          'database',
          `a later version of the plugin "${plugin}" migrated it (${later}), or that step was renamed or removed since; this version cannot use it`,
          `${restore} As its author: give a step that was renamed or removed its former id again.`,
        );
  }
}

async function apply(database: Database, plugin: string, step: Migration): Promise<boolean> {
  const row = { plugin, id: step.id };
  try {
    return await inLockedTransaction(database, async (sql) => {
      const rows = () => sql('schema_migrations').where(row);
      if (await rows().whereNot('applied_at', BEGUN).first('id')) return false;
      const begun = { ...row, applied_at: BEGUN };
      await sql('schema_migrations').insert(begun).onConflict(['plugin', 'id']).ignore();
      await step.up(sql, database.engine);
      await rows().update({ applied_at: new Date().toISOString() });
      return true;
    });
  } catch (error) {
    const isKept = await takeBack(database, row);
    const fault = error instanceof Error ? error.message : String(error);
    const author = 'report it to the author of the plugin.';
    const next = outageRemedy(error) ?? `Restore the schema that it expects, or ${author}`;
    throw new BootError(
      `migration ${plugin}/${step.id}`,
      isKept
        ? `it failed after it had ended its transaction itself: ${fault}`
        : `it failed and was rolled back: ${fault}`,
      isKept
        ? `What it did until then is kept. Restore the backup from before the upgrade, and ${author} A step leaves COMMIT to the service.`
        : `Nothing of this step was kept. ${next}`,
      error,
    );
  }
}

/** True where a step that failed had committed that it began; deletes that. */
async function takeBack(database: Database, row: { plugin: string; id: string }): Promise<boolean> {
  try {
    const begun = { ...row, applied_at: BEGUN };
    return (await database.sql('schema_migrations').where(begun).delete()) > 0;
  } catch (error) {
    if (isOutage(error)) return false; // what failed the step fails this too
    throw error;
  }
}

/** A transaction that holds the migration lock; on SQLite the first write takes the only writer's place. */
function inLockedTransaction<T>(database: Database, work: (sql: Sql) => Promise<T>): Promise<T> {
  return database.transaction(async (sql) => {
    if (database.engine === 'postgresql') await sql.raw('SELECT pg_advisory_xact_lock(?)', [ADVISORY_LOCK]);
    return work(sql);
  });
}
