import assert from 'node:assert/strict';
import { startService, type Service } from '../start-service.js';
import { dataOf, issuePath, send } from './http.js';

const sorted = (fields: string): string[] => fields.split(' ').sort();
const PLAN = sorted('title summary generator steps constraints open_questions sources');
const STEP = sorted('order title description files symbols depends_on risk decisions tests effort');

interface Answer {
  readonly plan: Readonly<Record<string, unknown>> & {
    readonly id?: string;
    readonly generator: string;
    readonly steps: readonly object[];
  };
}

describe('contract.md 7: plans', () => {
  let service: Service;
  let workspace_id: string;
  before(async () => {
    service = await startService({ search: { training: false } });
    workspace_id = (await service.use<{ id: string }>('workspaces_create', { name: 'w' })).id;
    const project = await service.use<{ id: string }>('projects_create', { workspace_id, name: 'p' });
    const files = [{ path: 'src/lamp.ts', content: 'export function lightLamp(): void {}\n' }];
    await service.use('files_ingest', { project_id: project.id, files });
    await service.indexed(project.id);
  });
  after(() => service.stop());

  const post = (body: object, headers = {}) =>
    send(service.url, 'POST', '/v1/ai/plan/generate', { body: { workspace_id, ...body }, headers });
  const requirements = 'Let lightLamp dim the lamp.';

  it('POST /v1/ai/plan/generate answers with steps, without a language model', async () => {
    const { status, body } = await post({ requirements });
    assert.equal(status, 200);
    const { plan } = dataOf<Answer>(body);
    assert.deepEqual(Object.keys(plan).sort(), PLAN);
    assert.equal(plan.generator, 'retrieval');
    assert.ok(plan.steps.length > 0);
    for (const step of plan.steps) assert.deepEqual(Object.keys(step).sort(), STEP);
  });

  it('stores a plan once for an Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'plan-of-the-lamp' };
    const [first, again] = [
      await post({ requirements, save: true }, headers),
      await post({ requirements, save: true }, headers),
    ];
    const { id } = dataOf<Answer>(first.body).plan;
    assert.ok(id);
    assert.equal(dataOf<Answer>(again.body).plan.id, id);
    const node = await send(service.url, 'GET', `/v1/memory/nodes/${id}`);
    assert.equal(node.status, 200);
  });

  it('refuses requirements of more than 20 kB, and steps out of 1 to 50', async () => {
    for (const [more, path] of [
      [{ requirements: 'x'.repeat(20_001) }, '/requirements'],
      [{ requirements, max_steps: 51 }, '/max_steps'],
      [{}, '/requirements'],
    ] as const) {
      const { status, body } = await post(more);
      assert.equal(status, 400);
      assert.equal(issuePath(body.error), path);
    }
  });
});
