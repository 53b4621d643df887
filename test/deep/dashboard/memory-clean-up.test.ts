import assert from 'node:assert/strict';
import { dashboardSuite } from '../support/dashboard-suite.js';

type Stored = Readonly<Record<string, unknown>> & { readonly id: string };

const WATER =
  'The tomatoes in the greenhouse get four litres of water each morning before the sun is on the glass';

describe('the tab Clean-up of the memory page', () => {
  const suite = dashboardSuite();
  const call = <T = Stored>(tool: string, input: object) => suite.service.call<T>(tool, input);
  const workspace = async (name: string) => (await call('workspaces_create', { name })).id;
  const event = (workspace_id: string, title: string, content: string, more: object = {}) =>
    call('memory_create_event', { workspace_id, event_type: 'note', title, content, ...more });
  const node = (workspace_id: string, title: string, content: string, more: object = {}) =>
    call('memory_create_node', { workspace_id, node_type: 'fact', title, content, ...more });
  /** A record without what indexing writes. */
  const eventNow = async (event_id: string) => {
    const {
      indexing_status: _status,
      indexing_error: _error,
      ...rest
    } = await call('memory_get_event', {
      event_id,
    });
    return rest;
  };

  it('says where there is nothing to do, and is a tab that the keyboard reaches', async () => {
    const { page, look, quiet } = await suite.open(`memory?workspace=${suite.workspaceId}`);
    await page.getByRole('tab', { name: 'Everything' }).focus();
    await page.keyboard.press('ArrowRight');
    while (!(await page.getByRole('tab', { name: 'Clean-up', selected: true }).isVisible()))
      await page.keyboard.press('ArrowRight');
    await page.getByText('Memory is in order').waitFor();
    assert.equal(new URL(page.url()).searchParams.get('tab'), 'clean-up');
    await look('clean-up-empty');
    quiet();
  });

  it('leads from what was stored again to the two records, merges them, and undo restores both', async () => {
    const id = await workspace('Greenhouse');
    const kept = await event(id, 'Watering of the tomatoes', WATER, { tags: ['water'] });
    const { page, look, quiet } = await suite.open(`memory?workspace=${id}`);
    await page.getByRole('button', { name: 'Remember something' }).first().click();
    const form = page.getByRole('complementary', { name: 'Remember something' });
    await form.getByLabel('Title').fill('Watering of the tomatoes');
    await form.getByLabel('Content').fill(WATER.replace('before the sun', 'while the sun'));
    await form.getByLabel('Tags').fill('habit');
    await form.getByRole('button', { name: 'Remember', exact: true }).click();
    await page.getByText('1 record says the same').waitFor();
    await page.getByRole('button', { name: 'Go to Clean-up' }).click();

    const duplicates = page.getByRole('region', { name: 'They say the same' });
    const [left, right] = [
      duplicates.getByRole('article', { name: /^On the left/ }),
      duplicates.getByRole('article', { name: /^On the right/ }),
    ];
    await left.locator('mark', { hasText: 'before' }).waitFor();
    await right.locator('mark', { hasText: 'while' }).waitFor();
    await right.getByText('habit').waitFor();
    await look('clean-up-duplicates');
    await right.getByRole('button', { name: 'Open' }).click();
    await page.getByRole('complementary', { name: 'Record' }).waitFor();
    await look('clean-up-opened');
    await page.keyboard.press('Escape');

    const { items } = await call<{ items: Stored[] }>('memory_list_events', { workspace_id: id });
    const other = items.find((each) => each.id !== kept.id)?.id ?? '';
    const before = [await eventNow(kept.id), await eventNow(other)];
    // Without a mouse: j goes to the finding, Enter keeps the record on the left.
    await page.locator('h1').click();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByText('Merged 1 record into “Watering of the tomatoes”').waitFor();
    await page.getByText('Memory is in order').waitFor();
    await look('clean-up-merged');
    assert.deepEqual((await eventNow(kept.id))['tags'], ['water', 'habit']);
    await assert.rejects(eventNow(other));
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone: everything is as it was before').waitFor();
    await right.getByText('habit').waitFor();
    assert.deepEqual([await eventNow(kept.id), await eventNow(other)], before);

    // The other one stays; somebody changes it, which an undo must not lose.
    await right.getByRole('button', { name: 'Keep this one' }).click();
    await page.getByText('Merged 1 record').waitFor();
    await call('memory_update_event', { event_id: other, content: 'Drip irrigation does it now.' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('The one that was kept was changed or deleted since').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Undo' }).count(), 0);
    assert.equal((await eventNow(other))['content'], 'Drip irrigation does it now.');
    await eventNow(kept.id);
    await look('clean-up-undo-left');
    quiet();
  });

  it('keeps both where they are not the same, does not ask again, and takes it back by undo', async () => {
    const id = await workspace('Balcony');
    await event(id, 'Watering of the tomatoes', WATER);
    await event(id, 'Watering of the tomatoes', WATER);
    const { page, look, quiet } = await suite.open(`memory?workspace=${id}&tab=clean-up`);
    const duplicates = page.getByRole('region', { name: 'They say the same' });
    await duplicates.getByRole('button', { name: 'Keep both' }).click();
    await page.getByText('They stay separate, and are not compared again').waitFor();
    await page.getByText('Memory is in order').waitFor();
    await look('clean-up-kept');
    await page.reload();
    await page.getByText('Memory is in order').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await duplicates.getByRole('button', { name: 'Keep both' }).waitFor();
    quiet();
  });

  it('shows every kind of finding with its reason, and deletes junk with undo', async () => {
    const id = await workspace('Allotment');
    for (const title of ['asdf', 'test', 'Lorem'])
      await event(id, title, title === 'Lorem' ? 'Lorem ipsum dolor sit amet consectetur' : 'x');
    const past = { valid_from: '2020-01-01T00:00:00Z', valid_to: '2021-01-01T00:00:00Z' };
    await node(id, 'Key of the shed', 'It hangs behind the door of the neighbour', past);
    for (const days of [30, 60]) await node(id, 'Compost', `The compost needs ${days} days until it is ripe`);
    for (let i = 0; i < 3; i++) await event(id, `Watering, part ${'abc'[i]}`, WATER);
    const { page, look, quiet } = await suite.open(`memory?workspace=${id}&tab=clean-up`);
    const region = (name: string) => page.getByRole('region', { name });
    await page.getByText('6 findings').waitFor();
    await region('They contradict each other').locator('mark', { hasText: '30' }).waitFor();
    assert.equal(await region('They contradict each other').getByText('Keep this one').count(), 0);
    await region('They may no longer hold').getByText('It was true until').waitFor();
    await region('They say nothing').getByText('It is placeholder text').waitFor();
    await region('They say the same').getByText('3 records say the same').waitFor();
    await region('They say the same').getByLabel('The record on the right').selectOption('2');
    await region('They say the same').locator('mark', { hasText: 'c' }).waitFor();
    await look('clean-up-kinds');

    await region('They say nothing').getByRole('button', { name: 'Delete', exact: true }).first().click();
    await page.getByText('Deleted “').waitFor();
    await page.getByText('5 findings').waitFor();
    // The next finding has the focus.
    await page.waitForFunction(
      () => document.activeElement?.closest('.findings li') && document.activeElement.textContent === 'Open',
    );
    const undo = page.getByRole('button', { name: 'Undo' });
    const box = await undo.boundingBox();
    assert.ok(box && box.y > 0 && box.y < 900, 'in sight, though the page is scrolled');
    await undo.click();
    await page.getByText('6 findings').waitFor();
    await region('They say nothing').getByRole('button', { name: 'Delete these 3' }).click();
    await page.getByText('Deleted 3 records').waitFor();
    await page.getByText('3 findings').waitFor();
    await undo.click();
    await page.getByText('6 findings').waitFor();
    quiet();
  });

  it('supersedes the one of a contradiction that does not hold', async () => {
    const id = await workspace('Cellar');
    const [old] = [
      await node(id, 'Apples', 'The apples keep for 30 days in the cellar'),
      await node(id, 'Apples', 'The apples keep for 60 days in the cellar'),
    ];
    const { page, look, quiet } = await suite.open(`memory?workspace=${id}&tab=clean-up`);
    const right = page.getByRole('article', { name: /^On the right/ });
    await right.getByRole('button', { name: 'This one holds…' }).click();
    const panel = page.getByRole('complementary', { name: 'Record' });
    await panel.getByText('What holds now: Apples').waitFor();
    await panel.getByText('The apples keep for 60 days').waitFor();
    assert.equal(new URL(page.url()).searchParams.get('node'), old.id);
    await look('clean-up-holds');
    await panel.getByLabel('Why it changed').fill('Measured this winter');
    await panel.getByRole('button', { name: 'Supersede', exact: true }).click();
    await page.getByText('“Apples” is superseded').waitFor();
    await page.getByText('Memory is in order').waitFor();
    const { status, content } = await call<{ status: string; content: string }>('memory_get_node', {
      node_id: old.id,
    });
    assert.deepEqual([status, content], ['superseded', 'The apples keep for 30 days in the cellar']);
    assert.equal(new URL(page.url()).searchParams.get('successor'), null);
    quiet();
  });

  it('proposes the one that holds also where something else was typed there, or the form is open', async () => {
    const id = await workspace('Loft');
    for (const days of [30, 60]) await node(id, 'Apples', `The apples keep for ${days} days in the loft`);
    const { page, quiet } = await suite.open(`memory?workspace=${id}&tab=clean-up`);
    const right = page.getByRole('article', { name: /^On the right/ });
    await page
      .getByRole('article', { name: /^On the left/ })
      .getByRole('button', { name: 'Open' })
      .click();
    const panel = page.getByRole('complementary', { name: 'Record' });
    await panel.getByRole('button', { name: 'Supersede…' }).click();
    await panel.getByLabel('Full text').fill('They keep for long.');
    await right.getByRole('button', { name: 'This one holds…' }).click();
    await panel.getByText('The apples keep for 60 days').waitFor();
    await panel.getByRole('button', { name: 'Write it' }).click();
    assert.equal(await panel.getByLabel('Full text').inputValue(), 'They keep for long.');
    await panel.getByRole('button', { name: 'Close the record' }).click();
    await right.getByRole('button', { name: 'This one holds…' }).click();
    await panel.getByText('The apples keep for 60 days').waitFor();
    await panel.getByText('This is your text from before').waitFor();
    quiet();
  });

  it('says in place that somebody else was faster, and turns pages', async () => {
    const id = await workspace('Orchard');
    const junk: Stored[] = [];
    for (let i = 0; i < 11; i++) junk.push(await event(id, `x${i}`, 'asdf'));
    const { page, look, quiet } = await suite.open(`memory?workspace=${id}&tab=clean-up`);
    await page.getByText('11 findings').waitFor();
    const answered = page.waitForResponse((response) => /hygiene\?.*page=2/.test(response.url()));
    await page.getByRole('button', { name: 'Next' }).click();
    const body = await (await answered).text();
    await page.getByText('x10').waitFor();
    assert.equal(new URL(page.url()).searchParams.get('page'), '2');

    const report = '**/v1/memory/hygiene?**';
    await page.route(report, (route) => route.fulfill({ body, contentType: 'application/json' }));
    await call('memory_delete_event', { event_id: junk[10]?.id });
    await page.getByText('Somebody else has merged or deleted it meanwhile').waitFor();
    await look('clean-up-gone');
    await page.unroute(report);
    // A change that is told late is looked at without the button.
    const again = page.getByRole('button', { name: 'Look again' }).click();
    const nothing = page.getByText('Nothing is left on this page').waitFor();
    await Promise.race([again.catch(() => undefined), nothing]);
    await nothing;
    await page.getByRole('button', { name: 'Show the first page' }).click();
    await page.getByText('10 findings').waitFor();
    quiet(404);
  });

  it('shows the findings of one kind, which a page of others would hide', async () => {
    const id = await workspace('Barn');
    for (let i = 0; i < 11; i++)
      for (let twice = 0; twice < 2; twice++)
        await event(id, `Beam ${i}`, `${WATER}, and beam number ${i} of the barn is replaced by oak`, {});
    await event(id, 'x', 'asdf');
    const { page, look, quiet } = await suite.open(`memory?workspace=${id}&tab=clean-up`);
    const kinds = page.getByRole('group', { name: 'Kind of finding' });
    await kinds.getByRole('button', { name: /^Junk 1$/ }).click();
    await page.getByRole('region', { name: 'They say nothing' }).waitFor();
    await page.getByText('1 finding', { exact: true }).waitFor();
    assert.equal(new URL(page.url()).searchParams.get('finding'), 'junk');
    await look('clean-up-one-kind');
    await page.reload();
    await page.getByRole('region', { name: 'They say nothing' }).waitFor();
    assert.equal(await page.getByRole('region', { name: 'They say the same' }).count(), 0);
    await kinds.getByRole('button', { name: /^All / }).click();
    await page.getByRole('region', { name: 'They say the same' }).waitFor();
    quiet();
  });
});
