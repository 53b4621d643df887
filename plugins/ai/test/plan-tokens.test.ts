import assert from 'node:assert/strict';
import { eachDatabase, ModelServer, probe, testHost, type TestHost } from '@service-mcp/core/testing';
import { TokenSpend } from '@service-mcp/plugin-ai/internals';
import { AT_REST, fillWorkspace, PLUGINS } from './support/filled-workspace.js';

interface Answer {
  readonly plan: { readonly generator: string };
  readonly warnings: readonly string[];
}
const FILES = [{ path: 'src/retry.ts', content: 'export function retryUpload(): void {}\n' }];

eachDatabase((fresh) => {
  describe('tokens that plans may spend', () => {
    const { plugin, services } = probe({ spend: TokenSpend });
    let server: ModelServer;
    let host: TestHost;
    let workspace_id: string;
    before(async () => {
      server = new ModelServer();
      const config = {
        ...AT_REST,
        ai: {
          chat_url: await server.start(),
          chat_model: 'm',
          plan_tokens_per_day: 100,
          plan_tokens_per_month: 150,
        },
      };
      const database = await fresh();
      host = await testHost({ plugins: [...PLUGINS, plugin], config, database, workers: true });
      ({ workspace_id } = await fillWorkspace(host, FILES));
    });
    after(async () => {
      await host.stop();
      await server.stop();
    });

    it('are counted together by calls at the same time, and given back', async () => {
      const { spend } = services();
      const taken = await Promise.all(Array.from({ length: 20 }, () => spend.reserve(workspace_id, 10)));
      assert.equal(taken.filter(Boolean).length, 10);
      assert.equal((await spend.read(workspace_id)).month.used, 100);
      const reservation = taken.find((one) => one !== undefined);
      assert.ok(reservation);
      const yesterday = { day: '2020-01-01', month: reservation.month };
      await spend.refund(workspace_id, 40, yesterday);
      const { day, month } = await spend.read(workspace_id);
      assert.deepEqual([day.used, month.used], [100, 60]);
      await spend.refund(workspace_id, 100, reservation);
      assert.equal((await spend.read(workspace_id)).day.used, 0);
    });

    it('over the limit, the plan is composed without the model', async () => {
      const answer = await host.use<Answer>('ai_generate_plan', {
        workspace_id,
        requirements: 'Count retries.',
      });
      assert.equal(answer.plan.generator, 'retrieval');
      assert.match(answer.warnings.join(), /spent its tokens/);
      assert.equal(server.requests.length, 0);
    });

    it('go with the workspace', async () => {
      await host.use('workspaces_delete', { workspace_id });
      assert.equal((await services().spend.read(workspace_id)).day.used, 0);
    });
  });
});
