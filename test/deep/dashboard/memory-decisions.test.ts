import assert from 'node:assert/strict';
import { startService } from '../../service-process.js';
import { dashboardPage } from '../support/dashboard-page.js';
import { dashboardSuite } from '../support/dashboard-suite.js';

interface Made {
  readonly id: string;
  readonly status: string;
  readonly superseded_by: string | null;
  readonly valid_from: string;
}
const DAY_MS = 86_400_000;
const YESTERDAY = new Date(Date.now() - DAY_MS).toISOString();

describe('the decisions of the memory page', () => {
  const suite = dashboardSuite();
  let wall: Made;
  const path = (more = '') => `memory?tab=decisions&workspace=${suite.workspaceId}${more}`;
  const decide = (title: string, content: string, more: object = {}) =>
    suite.service.call<Made>('memory_create_node', {
      workspace_id: suite.workspaceId,
      node_type: 'decision',
      title,
      content,
      ...more,
    });
  const read = (node_id: string) => suite.service.call<Made>('memory_get_node', { node_id });

  it('says that nothing was decided, and records the first decision', async () => {
    const { page, look, quiet } = await suite.open(path());
    await page.getByText('No decision is recorded yet').waitFor();
    await look('decisions-empty');
    await page.getByRole('tab', { name: 'Timeline' }).click();
    await page.goBack();
    await page.getByText('No decision is recorded yet').waitFor();
    await page.getByRole('button', { name: 'Record a decision' }).click();
    const form = page.getByRole('complementary', { name: 'Remember something' });
    assert.equal(await form.getByLabel('Type').inputValue(), 'decision');
    await form.getByLabel('Title').fill('Water by hand');
    await form.getByLabel('Content').fill('We water by hand, because the garden is small.');
    await form.getByRole('button', { name: 'Remember', exact: true }).click();
    await page.getByRole('button', { name: /^Water by hand/ }).waitFor();
    quiet();
  });

  it('supersedes a decision from the list; old and new lead to each other', async () => {
    wall = await decide(
      'Tomatoes stand by the wall',
      'They stand by the wall because it keeps the warmth of the day. Rain does not reach them there.',
      { valid_from: new Date(Date.now() - 3 * DAY_MS).toISOString() },
    );
    const { page, look, quiet } = await suite.open(path());
    const record = page.getByRole('complementary', { name: 'Record' });
    await page.getByText('it keeps the warmth').first().waitFor();
    await look('decisions-list');

    // By the keyboard alone: to the second row, its button, and into the form.
    await page.locator('h1').click();
    while ((await page.locator(':focus').textContent())?.startsWith('Tomatoes') !== true)
      await page.keyboard.press('j');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const title = record.getByLabel('What holds now');
    await title.waitFor();
    assert.equal(await title.inputValue(), 'Tomatoes stand by the wall');
    await title.fill('Tomatoes stand in the greenhouse');
    await record.getByLabel('Full text').fill('  ');
    const day = YESTERDAY.slice(0, 10);
    await record.getByLabel('Since when').fill(day);
    await record.getByLabel('Why it changed').fill('The wall was painted');
    await look('decisions-supersede');
    await record.getByRole('button', { name: 'Supersede', exact: true }).click();
    await record.getByRole('alert').waitFor(); // refused: what was typed stays
    assert.equal(await record.getByLabel('Full text').getAttribute('aria-invalid'), 'true');
    assert.equal(await title.inputValue(), 'Tomatoes stand in the greenhouse');
    assert.equal(await record.getByLabel('Why it changed').inputValue(), 'The wall was painted');
    await record.getByLabel('Full text').fill('They stand in the greenhouse, since it is finished.');
    await record.getByRole('button', { name: 'Supersede', exact: true }).click();

    await record.getByRole('heading', { name: 'Tomatoes stand in the greenhouse' }).waitFor();
    await page.getByText('“Tomatoes stand by the wall” is superseded').waitFor();
    await record.getByText('Supersedes', { exact: true }).first().waitFor();
    await record.getByRole('button', { name: 'Tomatoes stand by the wall' }).first().click();
    await record.getByText('Something else holds now').waitFor();
    await record.getByText('Why: The wall was painted').waitFor();
    assert.equal(await record.getByRole('button', { name: 'Verify' }).count(), 0);
    await look('decisions-superseded');
    await record.locator('.notice').getByRole('button', { name: 'Tomatoes stand in the greenhouse' }).click();
    await record.getByRole('heading', { name: 'Tomatoes stand in the greenhouse' }).waitFor();
    const successor = await read((await read(wall.id)).superseded_by ?? '');
    assert.equal(Date.parse(successor.valid_from), Date.parse(day));

    await page.getByRole('button', { name: 'Superseded', exact: true }).click();
    await page.getByText('1 decision', { exact: true }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: /^What holds now in the place of/ }).click();
    await record.getByRole('heading', { name: 'Tomatoes stand in the greenhouse' }).waitFor();
    quiet(400);
  });

  it('supersedes a decision by one that is there already, found as one types, by keys alone', async () => {
    const old = await decide('The hose is green', 'A green hose is what the shop had.');
    const { id: next } = await decide('The hose is yellow', 'A yellow hose is seen in the grass.');
    while (
      (await suite.service.call<{ indexing_status: string }>('memory_get_node', { node_id: next }))
        .indexing_status !== 'indexed'
    )
      await new Promise((resolve) => setTimeout(resolve, 100));
    const { page, look, quiet } = await suite.open(path(`&node=${old.id}&form=supersede`));
    const record = page.getByRole('complementary', { name: 'Record' });
    await record.getByRole('button', { name: 'It is there already' }).press('Enter');
    const field = record.getByRole('combobox', { name: 'Which knowledge holds now' });
    await field.pressSequentially('hose');
    await record.getByRole('option', { name: /^The hose is yellow/ }).waitFor();
    assert.equal(await record.getByRole('option', { name: /The hose is green/ }).count(), 0);
    await look('decisions-successor');
    assert.equal(await record.getByRole('button', { name: 'Supersede', exact: true }).isDisabled(), true);
    while (!(await record.getByRole('option', { name: /yellow/, selected: true }).isVisible()))
      await field.press('ArrowDown');
    await field.press('Enter');
    await record.getByText('What holds now: The hose is yellow').waitFor();
    await record.getByLabel('Why it changed').fill('It was lost twice');
    await record.getByLabel('Why it changed').press('Enter');
    await record.getByRole('heading', { name: 'The hose is yellow' }).waitFor();
    assert.deepEqual([(await read(old.id)).status, (await read(old.id)).superseded_by], ['superseded', next]);
    quiet();
  });

  it('verifies and disputes, with a reason', async () => {
    const { id } = await decide('Compost is turned in May', 'Because it is warm enough by then.');
    const { page, look, quiet } = await suite.open(path(`&node=${id}`));
    const record = page.getByRole('complementary', { name: 'Record' });
    await record.getByRole('button', { name: 'Verify' }).click();
    await record.getByLabel('Reason').fill('Ada measured it');
    await record.getByRole('button', { name: 'Verify', exact: true }).last().click();
    await page.getByText('It is verified.').waitFor();
    await record.getByText('Why: Ada measured it').waitFor();
    assert.equal((await read(id)).status, 'verified');
    await record.getByRole('button', { name: 'Dispute' }).click();
    await record.getByLabel('Reason').press('Enter');
    await page.getByText('It is disputed').waitFor();
    assert.equal((await read(id)).status, 'disputed');
    await page.getByRole('button', { name: 'Disputed', exact: true }).click();
    await page.getByText('1 decision', { exact: true }).waitFor();
    await look('decisions-disputed');

    // Somebody else supersedes it while a form is open: what was typed stays, and the call says why it failed.
    await record.getByRole('button', { name: 'Make active again' }).click();
    await record.getByLabel('Reason').fill('Nobody could say why not');
    await suite.service.call('memory_supersede_node', {
      node_id: id,
      title: 'Compost is turned in June',
      content: 'May was too cold.',
    });
    await record.getByText('Something else holds now').waitFor();
    await record.getByLabel('Reason').press('Enter');
    await record.getByRole('alert').waitFor();
    assert.equal(await record.getByLabel('Reason').inputValue(), 'Nobody could say why not');
    quiet(409);
  });

  it('shows what was held true on a day', async () => {
    // The version is backdated by a day: a test cannot wait for one.
    const database = await suite.database.open();
    await database
      .sql('memory_node_versions')
      .where({ node_id: wall.id, version: 1 })
      .update({ recorded_at: YESTERDAY });
    await database.close();
    const { page, look, quiet } = await suite.open(path('&day=2020-01-01'));
    await page.getByText('This is what was held true at the end of 2020-01-01').waitFor();
    await page.getByText('No decision matches').waitFor();
    await page.getByLabel('As of').fill(YESTERDAY.slice(0, 10));
    await page.getByRole('button', { name: /^Tomatoes stand by the wall/ }).waitFor();
    await page.getByText('1 decision', { exact: true }).waitFor(); // the greenhouse came later
    const today = new Date().toISOString().slice(0, 10);
    await page.getByLabel('As of').fill(today);
    await page.getByText(`at the end of ${today}`).waitFor();
    await page.getByRole('button', { name: /^Tomatoes stand in the greenhouse/ }).waitFor();
    await look('decisions-as-of');
    await page.getByRole('button', { name: 'Back to now' }).click();
    await page.getByText('This is what was held true').waitFor({ state: 'detached' });
    assert.equal(new URL(page.url()).searchParams.has('day'), false);
    quiet();
  });

  it('offers nothing that changes in a read-only deployment', async () => {
    const { page } = await suite.open(path());
    await page
      .getByRole('button', { name: /^Supersede / })
      .first()
      .waitFor();
    const readOnly = await startService(suite.database.dataDir, { SERVICE_READ_ONLY: 'true' });
    const opened = await dashboardPage(page.context());
    try {
      await opened.page.goto(`${readOnly.url}/app/${path()}`);
      await opened.page.getByRole('button', { name: /^Water by hand/ }).click();
      const record = opened.page.getByRole('complementary', { name: 'Record' });
      await record.getByRole('heading', { name: 'Water by hand' }).waitFor();
      await opened.page.getByText('This service is read-only').waitFor();
      const buttons = await opened.page.locator('main').getByRole('button').allTextContents();
      assert.deepEqual(
        buttons.filter((name) => /supersede…|verify|dispute$|edit|delete|record a|remember/i.test(name)),
        [],
      );
      opened.quiet();
    } finally {
      await opened.page.close();
      await readOnly.end();
    }
  });
});
