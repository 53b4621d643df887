import assert from 'node:assert/strict';
import { dashboardSuite } from '../support/dashboard-suite.js';
import { holdBack } from '../support/hold-back.js';

interface Made {
  readonly id: string;
}
const SCRIPT = '<img src=x onerror="document.title=1">';

describe('the memory page', () => {
  const suite = dashboardSuite();
  const call = <T = Made>(tool: string, input: object) =>
    suite.service.call<T>(tool, { workspace_id: suite.workspaceId, ...input });
  let facts: Made[];
  let empty: Made;
  before(async () => {
    await suite.addProject('Greenhouse', { 'src/water.ts': 'export const litres = 4;\n' });
    empty = await suite.service.call('workspaces_create', { name: 'Balcony' });
    facts = [];
    for (const [title, content, tags] of [
      ['The well gives 40 litres a day', 'Measured in August, when it is at its lowest.', ['water']],
      ['Greenhouse glass comes from Moravia', 'The supplier needs six weeks.', ['supplier']],
      ['Tomatoes need 4 litres a day', SCRIPT, ['water', 'tomatoes']],
    ] as const)
      facts.push(await call('memory_create_node', { node_type: 'fact', title, content, tags }));
    for (let i = 0; i < 60; i++)
      await call('memory_create_event', {
        event_type: i % 2 === 0 ? 'note' : 'bug',
        title: `Day ${i} in the garden`,
        content: `What happened on day ${i} of the year: rows ${i} to ${i + 3} were weeded.`,
        importance: i === 59 ? 'critical' : 'medium',
        occurred_at: new Date(Date.UTC(2026, 0, 1 + i)).toISOString(),
      });
  });

  it('shows the newest records on Home, knowledge among them', async () => {
    const { page, quiet } = await suite.open(`?workspace=${suite.workspaceId}`);
    const news = page.locator('section', { has: page.getByRole('heading', { name: 'What is new' }) });
    await news.getByRole('listitem').filter({ hasText: 'Fact' }).first().waitFor();
    await news.getByRole('link', { name: 'Tomatoes need 4 litres a day' }).click();
    await page.getByRole('complementary', { name: 'Record' }).getByText('Tomatoes need 4 litres').waitFor();
    quiet();
  });

  it('says that nothing is remembered yet, and stores the first event', async () => {
    const { page, look, quiet } = await suite.open(`memory?workspace=${empty.id}`);
    await page.getByText('Nothing is stored in memory yet').waitFor();
    await look('memory-empty');
    await page.getByRole('button', { name: 'Remember something' }).last().click();
    const form = page.getByRole('complementary', { name: 'Remember something' });
    await form.getByLabel('Title').fill('Frost in the night');
    await form.getByLabel('Content').fill('   ');
    await form.getByRole('button', { name: 'Remember', exact: true }).click();
    await form.getByRole('alert').waitFor();
    assert.equal(await form.getByLabel('Content').getAttribute('aria-invalid'), 'true');
    assert.equal(await form.getByLabel('Title').inputValue(), 'Frost in the night');
    await form.getByLabel('Content').fill('Minus two degrees.\nThe tomatoes were covered in time.');
    await form.getByLabel('Tags').fill('weather, tomatoes');
    await form.getByText('More: time, code, source').click();
    await form.getByLabel('Code').fill('src/water.ts#litres\nsrc/gone.ts');
    await form.getByLabel('Address of the issue').fill('https://example.org/issues/7');
    await look('memory-form');
    await form.getByRole('button', { name: 'Remember', exact: true }).click();
    const record = page.getByRole('complementary', { name: 'Record' });
    await record.getByRole('heading', { name: 'Frost in the night' }).waitFor();
    await record.getByText('The tomatoes were covered').waitFor();
    await record.getByText('File not found').nth(1).waitFor(); // this workspace has no project
    await record.getByRole('link', { name: 'https://example.org/issues/7' }).waitFor();
    await page.getByText('Remembered.').waitFor();

    // The list is empty by the time that the deletion is told.
    await record.getByRole('button', { name: 'Close the record' }).click();
    await page.getByLabel('Choose all on this page').check();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('Deleted 1 record.').waitFor();
    await page.getByText('Nothing is stored in memory yet').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: /^Frost in the night/ }).waitFor();
    await page.getByLabel('Choose all on this page').waitFor(); // none is chosen
    quiet(400);
  });

  it('lists, filters and searches; what was deleted comes back by undo', async () => {
    const { page, look, quiet } = await suite.open(`memory?workspace=${suite.workspaceId}`);
    const rows = page.locator('.records > li');
    await page.getByText('63 records').waitFor();
    assert.equal(await rows.count(), 50);
    await look('memory-list');
    await page.setViewportSize({ width: 1440, height: 400 });
    await page.getByRole('button', { name: 'Next' }).click();
    await page.waitForFunction(() => document.querySelectorAll('.records > li').length === 13);
    const top = await rows.first().evaluate((row) => row.getBoundingClientRect().top);
    assert.ok(top >= 0 && top < 400, `the next page is shown from its start, not ${top} px from it`);
    await page.setViewportSize({ width: 1440, height: 900 });
    assert.equal(new URL(page.url()).searchParams.get('page'), '2');

    await page.getByRole('button', { name: 'Knowledge', exact: true }).click();
    await page.getByText('3 records').waitFor();
    await page.getByLabel('Tag', { exact: true }).selectOption('tomatoes');
    await page.getByText('1 record', { exact: true }).waitFor();
    await page.reload();
    await page.getByText('1 record', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'All', exact: true }).click();
    await page.getByLabel('From', { exact: true }).fill('2026-01-03');
    await page.getByLabel('To', { exact: true }).fill('2026-01-04');
    await page.getByText('2 records', { exact: true }).waitFor();
    await page.getByLabel('From', { exact: true }).fill('2031-01-03');
    await page.getByText('From is after To').waitFor();
    await page.getByLabel('To', { exact: true }).fill('2031-01-04');
    await page.getByText('Nothing matches').waitFor();
    await page.getByRole('button', { name: 'Show everything' }).click();
    await page.getByText('63 records').waitFor();

    // j and k move, x chooses, Enter opens, Esc closes: without a mouse.
    await page.locator('h1').click();
    for (const key of ['j', 'x', 'j', 'j', 'k', 'x']) await page.keyboard.press(key);
    await page.getByText('2 records chosen', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Events', exact: true }).click();
    await page.getByText('2 records chosen, 2 of them not on this page').waitFor();
    await page.getByRole('button', { name: 'All', exact: true }).click();
    await page.getByText('2 records chosen', { exact: true }).waitFor();
    await page.locator('h1').click();
    for (const key of ['j', 'j']) await page.keyboard.press(key);
    await page.keyboard.press('Enter');
    await page.getByRole('complementary', { name: 'Record' }).waitFor();
    await look('memory-chosen');
    await page.keyboard.press('Escape');
    await page.getByRole('complementary', { name: 'Record' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('Deleted 2 records.').waitFor();
    await page.getByText('61 records').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('63 records').waitFor();

    for (const tool of ['memory_list_events', 'memory_list_nodes'])
      while ((await call<{ total: number }>(tool, { indexing_status: 'pending' })).total > 0)
        await new Promise((resolve) => setTimeout(resolve, 100));
    await page.getByLabel('Search memory').fill('how much water do tomatoes need');
    await page.keyboard.press('Enter');
    await page.getByText('found, the best first').waitFor();
    await page.getByRole('button', { name: /Tomatoes need 4 litres/ }).waitFor();
    await look('memory-search');
    const focused = () => page.evaluate(() => document.activeElement?.ariaLabel);
    assert.equal(await focused(), 'Search memory');
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByText('63 records').waitFor();
    assert.equal(await focused(), 'Search memory');
    assert.equal(await page.getByLabel('Search memory').inputValue(), '');
    quiet();
  });

  it('takes what others deleted out of the selection, and deletes the rest', async () => {
    const { id: workspace_id } = await suite.service.call<Made>('workspaces_create', { name: 'Shed' });
    const [spade, , hoe] = await Promise.all(
      ['Spade', 'Rake', 'Hoe'].map((title) =>
        call('memory_create_event', { workspace_id, event_type: 'note', title, content: `${title}: sharp.` }),
      ),
    );
    const { page } = await suite.open(`memory?workspace=${workspace_id}`);
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByLabel('Choose all on this page').check();
    await page.getByText('3 records chosen').waitFor();
    await suite.service.call('memory_delete_event', { event_id: spade?.id });
    await page.getByText('2 records chosen').waitFor();
    await page.route('**/api/v1/stream', (route) => route.abort()); // a page that heard nothing of it
    await page.reload();
    await page.getByLabel('Choose all on this page').check();
    await page.getByText('2 records chosen').waitFor();
    await suite.service.call('memory_delete_event', { event_id: hoe?.id });
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    const alert = page.getByRole('alert').filter({ hasText: 'There is no memory' });
    assert.doesNotMatch(await alert.innerText(), /Call|“/); // no button of the page is called so
    await page.getByText('1 record chosen').waitFor();
    const rests = await page.evaluate(
      () =>
        new Promise((resolve) => {
          requestIdleCallback(({ didTimeout }) => resolve(!didTimeout), { timeout: 20_000 });
        }),
    );
    assert.ok(rests, 'the page draws without end');
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('Deleted 1 record.').waitFor();
  });

  it('does not say of a record that it deletes that it is not there', async () => {
    const made = (title: string) =>
      call('memory_create_event', { event_type: 'note', title, content: `${title}: it is mown.` });
    const [lawn, meadow] = [await made('Lawn'), await made('Meadow')];
    for (const [{ id }, isChosen] of [
      [lawn, false],
      [meadow, true],
    ] as const) {
      const { page, quiet } = await suite.open(`memory?workspace=${suite.workspaceId}&event=${id}`);
      const record = page.getByRole('complementary', { name: 'Record' });
      await record.getByText('it is mown').waitFor();
      if (isChosen) await page.getByLabel('Choose Meadow').check();
      const list = await holdBack(page, '**/memory/search/timeline/**'); // it is read again before the call is over
      const asked = page.waitForRequest('**/memory/search/timeline/**');
      await (isChosen ? page : record).getByRole('button', { name: 'Delete', exact: true }).first().click();
      await asked;
      await record.getByRole('status', { name: 'Loading' }).waitFor();
      assert.equal(await page.getByRole('alert').count(), 0);
      await list();
      await page.getByText(/^Deleted /).waitFor();
      await record.waitFor({ state: 'detached' });
      quiet();
    }
  });

  it('offers no undo that was done while one looked at another page', async () => {
    const { id } = await call('memory_create_event', { event_type: 'note', title: 'Hedge', content: 'Cut.' });
    const { page, quiet } = await suite.open(`memory?workspace=${suite.workspaceId}&event=${id}`);
    const record = page.getByRole('complementary', { name: 'Record' });
    await record.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Deleted “Hedge”').waitFor();
    const undo = await holdBack(page, '**/memory/undo');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('link', { name: 'Home', exact: true }).click();
    await page.getByText('Connect a client').waitFor();
    await undo();
    await page.waitForFunction(
      () => !Object.keys(sessionStorage).some((key) => key.startsWith('memory-note:')),
    );
    await page.getByRole('link', { name: 'Memory', exact: true }).click();
    await page.getByRole('button', { name: /^Hedge/ }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Undo' }).count(), 0);
    quiet();
  });

  it('shows what is known of a record, changes it, and says what changed', async () => {
    const [well, glass, tomatoes] = facts as [Made, Made, Made]; // made before
    await call('graph_link_knowledge', {
      source_node_id: tomatoes.id,
      target_node_id: well.id,
      relation_type: 'depends_on',
    });
    const { page, look, quiet } = await suite.open(
      `memory?workspace=${suite.workspaceId}&node=${tomatoes.id}`,
    );
    const record = page.getByRole('complementary', { name: 'Record' });
    await record.getByText(SCRIPT).waitFor(); // text, not an element
    await record.getByRole('button', { name: 'The well gives 40 litres a day', exact: true }).waitFor();
    await record.getByText('Depends on').waitFor();
    await record.getByRole('button', { name: 'Edit' }).click();
    await record.getByLabel('Title').fill('Tomatoes need 6 litres a day');
    await record.getByLabel('Content').fill('In July it is six.');

    // It cannot lose its confidence: that is not 0 %.
    const confidence = record.getByLabel('Confidence in %');
    const before = await confidence.inputValue();
    await confidence.fill('');
    await record.getByRole('button', { name: 'Save', exact: true }).click();
    assert.equal(await confidence.evaluate((field) => field === document.activeElement), true);
    await confidence.fill(before);

    // Somebody else is faster: what was typed stays.
    await suite.service.call('memory_update_node', {
      node_id: tomatoes.id,
      content: 'It depends on the sun.',
    });
    await record.getByRole('button', { name: 'Save', exact: true }).click();
    await record.getByText('Somebody else changed it while you were writing').waitFor();
    await record.locator('ins').first().waitFor();
    assert.equal(await record.getByLabel('Content').inputValue(), 'In July it is six.');
    await look('memory-conflict');
    await record.getByRole('button', { name: 'Save mine anyway' }).click();
    await record.getByRole('heading', { name: 'Tomatoes need 6 litres a day' }).waitFor();
    await record.getByText('Version 3').waitFor();
    await record.getByText('Changed: title, content').click();
    await record.locator('ins', { hasText: '6' }).first().waitFor();
    await look('memory-record');

    await suite.service.call('memory_delete_node', { node_id: glass.id });
    await page.goto(`${suite.service.url}/app/memory?workspace=${suite.workspaceId}&node=${glass.id}`);
    await page.getByText('It may have been deleted').waitFor();
    await page.goto(`${suite.service.url}/app/memory?workspace=${suite.workspaceId}&node=${well.id}`);
    await record.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Deleted “The well gives 40 litres a day”').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone').waitFor();
    await page.getByRole('button', { name: 'The well gives 40 litres a day' }).first().waitFor();
    quiet(404, 409);
  });
});
