import type { Command } from 'commander';
import { addDeploymentOptions, load, type DeploymentOptions } from '../deployment.js';
import { createdLine } from '../open-here.js';
import type { Invocation } from '../invocation.js';
import { plural } from '../terminal/format.js';

export function addMigrate(program: Command, { terminal }: Invocation): void {
  addDeploymentOptions(program.command('migrate'))
    .description(
      'create the database, or bring it up to date, without starting the service (serve does it too)',
    )
    .option('--json', 'print {"applied": […]}')
    .action(async (options: DeploymentOptions) => {
      const { hasDatabase, makeDataFolder, migrateDeployment } = await import('@service-mcp/core/host');
      const deployment = await load(options);
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
