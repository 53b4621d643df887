import type { Command } from 'commander';
import { addDeploymentOptions, load, type DeploymentOptions } from '../deployment.js';
import { createdLine, refuseLostDatabase } from '../open-here.js';
import type { Invocation } from '../invocation.js';
import { plural, quoted } from '../terminal/format.js';

export function addMigrate(program: Command, { terminal }: Invocation): void {
  addDeploymentOptions(program.command('migrate'))
    .description(
      'create the database, or bring it up to date, without starting the service (serve does it too)',
    )
    .option(
      '--from <folder>',
      'copy the embedded database of this data folder into the empty one of DATABASE_URL, and set it aside',
    )
    .option('--json', 'print {"applied": […]}; with --from {"copied": {table: rows}, "moved_to": file}')
    .action(async (options: DeploymentOptions & { readonly from?: string }) => {
      const { copyDatabase, hasDatabase, makeDataFolder, migrateDeployment } =
        await import('@service-mcp/core/host');
      const deployment = await load(options);
      if (options.from !== undefined) {
        const { copied, movedTo } = await copyDatabase(deployment, options.from);
        if (terminal.json) return terminal.value({ copied: Object.fromEntries(copied), moved_to: movedTo });
        const rows = [...copied.values()].reduce((sum, count) => sum + count, 0);
        return terminal.out(
          `Copied ${plural(rows, 'row')} of ${plural(copied.size, 'table')} into PostgreSQL; the embedded database is now ${movedTo}. Start the service with DATABASE_URL; --data ${quoted(options.from)} keeps its indexes.`,
        );
      }
      await refuseLostDatabase(deployment);
      makeDataFolder(deployment.dataDir);
      const isNew = !(await hasDatabase(deployment));
      const applied = await migrateDeployment(deployment);
      if (isNew) terminal.write(await createdLine(deployment));
      if (terminal.json) return terminal.value({ applied });
      applied.forEach((step) => terminal.out(`${terminal.paint('green', '✓')} ${step}`));
      const done = `${plural(applied.length, 'step')} applied.`;
      terminal.out(applied.length === 0 ? 'The database is up to date.' : done);
    });
}
