import assert from 'node:assert/strict';
import { dashboardSuite } from '../support/dashboard-suite.js';

interface Edges {
  readonly items: ReadonlyArray<{
    readonly target_node_id: string;
    readonly relation_type: string;
    readonly context: string | null;
  }>;
}

describe('the relations of knowledge on the memory page', () => {
  const suite = dashboardSuite();

  it('are stated, shown with their reason at both ends, and removed', async () => {
    const make = async (title: string, content: string) => {
      const fields = { workspace_id: suite.workspaceId, node_type: 'fact', title, content };
      const { id } = await suite.service.call<{ id: string }>('memory_create_node', fields);
      for (;;) {
        const read = await suite.service.call<{ indexing_status: string }>('memory_get_node', {
          node_id: id,
        });
        if (read.indexing_status === 'indexed') return id;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    };
    const roses = await make('Roses need six hours of sun', 'Less than six hours, and they hardly flower.');
    const hedge = await make('The hedge is cut to a metre', 'A taller one would shade the southern bed.');
    const listed = () => suite.service.call<Edges>('graph_list_links', { node_id: roses });
    const { page, look, quiet } = await suite.open(
      `memory?tab=records&workspace=${suite.workspaceId}&node=${roses}`,
    );
    const record = page.getByRole('complementary', { name: 'Record' });
    await record.getByRole('button', { name: 'Relate to…' }).click();
    const submit = record.getByRole('button', { name: 'Relate', exact: true });
    assert.equal(await submit.isDisabled(), true);
    await record.getByLabel('How it is related').selectOption('depends_on');
    await record.getByRole('combobox', { name: 'Which knowledge' }).pressSequentially('hedge');
    await record.getByRole('option', { name: /^The hedge is cut/ }).click();
    await record.getByLabel('Why').fill('It stands south of them');
    await look('relations-form');
    await submit.click();
    await page.getByText('are related now').waitFor();
    const section = record.getByRole('region', { name: 'Related' });
    await section.getByText('Depends on', { exact: true }).waitFor();
    await section.getByText('It stands south of them').waitFor();
    await look('relations-list');
    assert.deepEqual(
      (await listed()).items.map(({ target_node_id, relation_type, context }) => [
        target_node_id,
        relation_type,
        context,
      ]),
      [[hedge, 'depends_on', 'It stands south of them']],
    );

    await section.getByRole('button', { name: 'The hedge is cut to a metre', exact: true }).click();
    await record.getByRole('heading', { name: 'The hedge is cut to a metre' }).waitFor();
    await section.getByText('Required by', { exact: true }).waitFor();
    await section.getByRole('button', { name: 'Remove the relation to Roses need six hours of sun' }).click();
    await page.getByText('is removed').waitFor();
    await section.getByText('Required by', { exact: true }).waitFor({ state: 'detached' });
    assert.deepEqual((await listed()).items, []);
    quiet();
  });
});
