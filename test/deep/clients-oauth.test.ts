import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClientDriver } from '../clients/support/client.js';
import { startPlace, type Place } from '../clients/support/client-deployment.js';
import { PASSWORD } from '../oauth/support/oauth-deployment.js';
import { inspector } from './clients/inspector.js';
import { installClients, type Installed } from './clients/install.js';
import { mcpRemote } from './clients/mcp-remote.js';
import { mcporter } from './clients/mcporter.js';
import type { Program } from './clients/program.js';
import { Visitor } from './clients/visitor.js';

const PROGRAMS: readonly {
  readonly name: Exclude<keyof Installed, 'node'>;
  readonly driver: (program: () => Program) => ClientDriver;
  /** What it prints once its callback listens, if that is after the address. */
  readonly listens?: RegExp;
}[] = [
  { name: 'inspector', driver: (program) => inspector('legacy', program) },
  { name: 'inspector', driver: (program) => inspector('modern', program) },
  { name: 'mcporter', driver: mcporter },
  { name: 'mcpRemote', driver: mcpRemote, listens: /callback server running/ },
];

describe('client programs that know only the address', () => {
  const person = { email: 'ann@example.com', password: PASSWORD };
  let installed: Installed;
  let home: string;
  let place: Place;
  before(async () => {
    installed = await installClients();
    place = await startPlace();
    await place.register(person);
  });
  after(() => place?.stop());
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'service-mcp-clients-'));
  });
  afterEach(() => rm(home, { recursive: true, force: true, maxRetries: 5 }));

  for (const way of ['service', 'gateway'] as const)
    for (const { name, driver, listens } of PROGRAMS) {
      const program = (hear?: Program['hear']) => () => ({
        node: installed.node,
        script: installed[name],
        home,
        ...(hear && { hear }),
      });
      it(`${driver(program()).name} logs in to the ${way} and calls as the person`, async () => {
        const server = place.server(way);
        assert.ok(server.kind === 'http');
        const visitor = new Visitor(person, listens);
        const url = `${server.url}?toolset=complete`; // the account tools are not listed by default
        const client = await driver(program(visitor.hear)).open({ ...server, url, headers: {} });
        try {
          const ending = await client.call('auth_me', {});
          await visitor.visited();
          assert.ok(ending.kind === 'result', JSON.stringify(ending));
          assert.equal((ending.data as { email: string }).email, person.email);
        } finally {
          await client.close();
        }
      });
    }
});
