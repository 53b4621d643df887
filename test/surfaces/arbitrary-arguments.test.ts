import assert from 'node:assert/strict';
import fc from 'fast-check';
import { startService, type Service } from '../start-service.js';
import { BROWSER_TOOLS } from './browser-tools.js';
import { compatibility } from './drivers/compatibility.js';
import { inProcess, type Driver, type Outcome } from './drivers/index.js';
import { jsonRpc } from './drivers/json-rpc.js';
import { mcpLegacy } from './drivers/mcp-legacy.js';
import { mcpModern } from './drivers/mcp-modern.js';
import { throughGateway } from './drivers/through-gateway.js';

const GATEWAYS = [compatibility, mcpModern].map(throughGateway);
const TOOLS = [
  'help',
  'workspaces_list',
  'projects_list',
  'projects_get',
  'files_list',
  'files_read',
  'search_keyword',
];
const FIELDS = [
  'action',
  'workspace_id',
  'project_id',
  'path',
  'query',
  'limit',
  'page',
  'per_page',
  'filters',
  'x',
];

/** Whatever a client may send: names that tools know, and values that fit, nearly fit or do not fit at all. */
const values = fc.oneof(
  fc.constantFrom('version', 'src/a.ts', '', '../a', 'a\u0000b', '\ud800', '%00', "'; drop table files; --"),
  fc.uuid({ version: 7 }),
  fc.integer({ min: -1, max: 101 }),
  fc.double(),
  fc.jsonValue({ maxDepth: 2 }),
);
const calls = fc.tuple(
  fc.constantFrom(...TOOLS),
  fc.dictionary(fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...FIELDS) }, fc.string()), values, {
    maxKeys: 4,
    noNullPrototype: true,
  }),
);

describe('surfaces: arbitrary arguments', () => {
  let service: Service;
  let here: Driver;
  const there = new Map<string, Driver>();
  before(async () => {
    // help counts what its surface shows
    service = await startService({
      search: { training: false },
      toolsets: { exclude: BROWSER_TOOLS },
    });
    here = await inProcess.open(service);
    for (const surface of [jsonRpc, compatibility, mcpLegacy, mcpModern, ...GATEWAYS]) {
      there.set(surface.name, await surface.open(service));
    }
  });
  after(async () => {
    for (const driver of there.values()) await driver.close();
    await service.stop();
  });

  /** All but the time it took. */
  const comparable = ({ structured, error }: Outcome): unknown =>
    error ? { ...error } : { ...structured, took_ms: 0 };

  it('get the same answer over every surface that carries any JSON, and never an INTERNAL', async () => {
    await fc.assert(
      fc.asyncProperty(calls, async ([tool, given]) => {
        const args = JSON.parse(JSON.stringify(given)) as object; // what JSON can carry
        const expected = await here.call(tool, args);
        assert.notEqual(expected.error?.code, 'INTERNAL');
        for (const [name, driver] of there) {
          assert.deepEqual(comparable(await driver.call(tool, args)), comparable(expected), name);
        }
      }),
      { numRuns: 60 },
    );
  });
});
