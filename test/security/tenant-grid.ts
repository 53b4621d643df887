import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError, type ToolInfo } from '@service-mcp/core';
import { onDatabase, type TestDatabase } from '@service-mcp/core/testing';
import { OVER_HTTP, type Answer } from './call-over-http.js';
import { startTeam, type Person, type Team, type Tenant } from './start-team.js';
import { expectedOf, gridCallers, lackedRole, type Expected, type GridCaller } from './tenant-callers.js';
import { argumentsFor, createTenantFixture, type TenantFixture } from './tenant-fixtures.js';

type Way = keyof typeof OVER_HTTP;

const CODES_OF_REFUSAL = new Set(['UNAUTHENTICATED', 'PERMISSION_DENIED', 'NOT_FOUND', 'UNKNOWN_TOOL']);

function checkAnswer(answer: Answer, expected: Expected, canary: string, isMember: boolean): void {
  assert.notEqual(answer.code, 'INTERNAL', answer.text);
  if (expected === 'allowed') {
    assert.ok(!CODES_OF_REFUSAL.has(answer.code), answer.text);
    return;
  }
  if (expected !== 'nothing') assert.equal(answer.code, expected, answer.text);
  if (expected === 'nothing' && isMember) return; // a list over all visible workspaces shows the member's own
  assert.ok(!answer.text.includes(canary), `shows a record of the other tenant: ${answer.text}`);
}

async function indexed(team: Team, owner: Person, fixture: TenantFixture): Promise<void> {
  const project_id = await fixture.id('project_id');
  const state = async () =>
    (await team.as<{ state: string }>(owner, 'projects_index_status', { project_id })).state;
  while ((await state()) !== 'ready') await delay(20);
}

/** A suite for one database: a file for each runs beside the other. */
export function tenantGrid(engine: TestDatabase['engine']): void {
  describe('tenant grid: every tool and route, every role, two tenants', () => {
    onDatabase(engine, (fresh) => {
      let team: Team;
      let tenant: Tenant;
      let tools: readonly ToolInfo[];
      let callers: readonly GridCaller[];
      /** Read alone, and indexed: a search that shows too much shows it. */
      let unchanged: TenantFixture;
      let changing: TenantFixture;

      before(async () => {
        const database = await fresh();
        const indexer = await startTeam(database);
        tenant = await indexer.tenant('acme');
        const other = await indexer.tenant('bolt');
        unchanged = createTenantFixture(indexer, tenant);
        await unchanged.makeAll();
        await indexed(indexer, tenant.people.owner, unchanged);
        await indexer.stop();
        // The records that calls change are made again some hundred times, each when a tool takes it: indexing them would take longest.
        team = await startTeam(database, { workers: { run: 'elsewhere' } });
        tools = team.host.registry.allowed.map(({ info }) => info);
        callers = await gridCallers(team, tenant, other);
        changing = createTenantFixture(team, tenant);
      });
      after(() => team.stop());

      const toolsBy = (way: Way) =>
        tools.filter((tool) =>
          way === 'meta'
            ? tool.surfaces.includes('mcp') && tool.level !== 'optional'
            : tool.surfaces.includes(way) && (way !== 'rest' || tool.http),
        );

      /** The tools of a way, without a workspace and, where one may be named, in the workspace of the fixture. */
      const placesBy = (way: Way) =>
        toolsBy(way).flatMap((tool) => {
          const { workspace_id } = tool.inputSchema['properties'] as { workspace_id?: object };
          const isOptional = tool.access.in === 'visible' || tool.access.in === 'administration';
          return (workspace_id && isOptional ? [false, true] : [false]).map((inWorkspace) => ({
            tool,
            inWorkspace,
          }));
        });

      /** The roles above the least one that tools of a way ask for. */
      const rolesBy = (way: Way) =>
        [...new Set(toolsBy(way).map(({ access }) => access.role ?? 'viewer'))]
          .filter((role) => role !== 'viewer')
          .sort();

      async function inProcess(
        way: Way,
        tool: ToolInfo,
        args: object,
        { caller }: GridCaller,
      ): Promise<Answer> {
        const surface = way === 'meta' ? 'mcp' : way;
        const toolsets = way === 'meta' ? ['meta'] : ['complete', tool.name];
        const sent: object[] = [];
        const lines = (async function* () {
          yield { line: 1, bytes: 2, value: {} };
        })();
        const send = async (line: object) => void sent.push(line);
        const selection = { toolsets, readOnly: false };
        const call = team.host.call({ caller, surface, selection, lines, send });
        const [name, input] =
          way === 'meta'
            ? [
                tool.effect === 'read' ? 'tools_call_read' : 'tools_call_write',
                { name: tool.name, arguments: args },
              ]
            : [tool.name, args];
        try {
          const result = await team.host.catalog.call(name, input, call);
          return { code: 'OK', text: JSON.stringify([result, sent]) };
        } catch (error) {
          assert.ok(error instanceof ServiceError, String(error));
          return { code: error.code, text: JSON.stringify([error.message, error.details]) };
        }
      }

      /** Calls as one caller and checks the answer. A call that changed the fixture is followed by a new one. */
      async function checkCall(
        way: Way,
        { tool, inWorkspace }: { tool: ToolInfo; inWorkspace: boolean },
        caller: GridCaller,
        expected: Expected,
        send: (args: Record<string, unknown>) => Promise<Answer>,
      ): Promise<void> {
        const fixture = tool.effect === 'read' ? unchanged : changing;
        const answer = await send(await argumentsFor(tool, fixture, inWorkspace));
        try {
          checkAnswer(answer, expected, fixture.canary, caller.role !== undefined);
        } catch (error) {
          const place = inWorkspace ? ' in the workspace' : '';
          throw new Error(`${tool.name} by ${caller.name} by ${way}${place}`, { cause: error });
        }
        const hasChanged = answer.code === 'OK' && tool.effect !== 'read' && tool.effect !== 'create';
        if (hasChanged) changing = createTenantFixture(team, tenant);
      }

      for (const way of Object.keys(OVER_HTTP) as Way[]) {
        it(`in this process as by ${way}: everyone, every tool`, async () => {
          const places = placesBy(way);
          assert.ok(places.length > 20, 'the registry is filled');
          for (const place of places) {
            for (const caller of callers) {
              const { tool, inWorkspace } = place;
              const needsKey = way === 'meta' && caller.key === undefined; // the tools that call tools do
              const expected = needsKey ? 'UNAUTHENTICATED' : expectedOf(tool, caller, inWorkspace);
              await checkCall(way, place, caller, expected, (args) => inProcess(way, tool, args, caller));
            }
          }
        });

        it(`by ${way}: the outcome of every caller, with and without a credential, on every tool`, async () => {
          const seen = new Set<string>();
          const refusedRoles = new Set<string>();
          for (const place of placesBy(way)) {
            for (const caller of callers) {
              const { tool, inWorkspace } = place;
              const isNobody = caller.key === undefined;
              const expected =
                way !== 'rest' && isNobody ? 'UNAUTHENTICATED' : expectedOf(tool, caller, inWorkspace);
              const lacked = lackedRole(tool, caller, inWorkspace);
              const outcome = `${caller.name}: ${expected} ${lacked ?? ''}`;
              if (seen.has(outcome) && !isNobody) continue;
              seen.add(outcome);
              if (lacked) refusedRoles.add(lacked);
              await checkCall(way, place, caller, expected, (args) =>
                OVER_HTTP[way](team.url, tool, args, caller.key),
              );
            }
          }
          assert.deepEqual([...refusedRoles].sort(), rolesBy(way), 'somebody lacked each role');
        });
      }

      it('tools of this process alone do not exist over HTTP', async () => {
        const inside = tools.filter((tool) => tool.surfaces.every((surface) => surface === 'cli'));
        assert.ok(inside.length > 0);
        const [{ key }] = callers as [GridCaller];
        for (const tool of inside) {
          for (const way of ['rpc', 'mcp'] as const) {
            const { code } = await OVER_HTTP[way](team.url, tool, {}, key);
            assert.equal(code, 'UNKNOWN_TOOL', `${tool.name} by ${way}`);
          }
          assert.equal(tool.http, undefined, tool.name);
        }
      });
    });
  });
}
