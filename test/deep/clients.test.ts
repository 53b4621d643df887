import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPlace, WAYS, type Place } from '../clients/support/client-deployment.js';
import { describeClient } from '../clients/support/suite.js';
import { inspector } from './clients/inspector.js';
import { installClients, type Installed } from './clients/install.js';
import { mcpRemote } from './clients/mcp-remote.js';
import { mcporter } from './clients/mcporter.js';

describe('clients that are programs', () => {
  let installed: Installed;
  let home: string;
  let place: Place;
  before(async () => {
    installed = await installClients();
    home = await mkdtemp(join(tmpdir(), 'service-mcp-clients-'));
    place = await startPlace();
  });
  after(async () => {
    await place?.stop();
    if (home !== undefined) await rm(home, { recursive: true, force: true, maxRetries: 5 });
  });

  const program = (name: Exclude<keyof Installed, 'node'>) => () => ({
    node: installed.node,
    script: installed[name],
    home,
  });
  for (const way of WAYS) {
    for (const era of ['legacy', 'auto', 'modern'] as const)
      describeClient(inspector(era, program('inspector')), way, () => place);
    describeClient(mcporter(program('mcporter')), way, () => place);
    if (way !== 'stdio') describeClient(mcpRemote(program('mcpRemote')), way, () => place);
  }
});
