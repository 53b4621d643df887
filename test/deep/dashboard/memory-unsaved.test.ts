import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { PASSWORD } from '../../oauth/support/oauth-deployment.js';
import { holdBack } from '../support/hold-back.js';
import { hostedDashboard, type Person } from '../support/hosted-dashboard.js';

describe('dashboard: what is typed into memory and not saved', () => {
  const suite = hostedDashboard();
  let owner: Person;
  let workspace_id = '';
  const remember = (title: string, content: string) =>
    owner.call<{ id: string }>('memory_create_event', { workspace_id, event_type: 'note', title, content });
  before(async () => {
    owner = await suite.register('Ann');
    ({ id: workspace_id } = await owner.call<{ id: string }>('workspaces_create', { name: 'Garden' }));
  });

  it('is there again after a session that ended', async () => {
    const { page, context, look, quiet } = await suite.open(owner, 'memory?form=new');
    await page.getByRole('button', { name: 'It holds' }).click();
    await title(page).fill('Water at dawn');
    await page.getByLabel('Content').fill('It evaporates less.');
    await context.clearCookies();
    await remember('Frost', 'Two degrees below zero.'); // its event lets the page read, which leads to the sign-in
    await page.getByLabel('E-mail address').fill(owner.email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByText('This is your text from before').waitFor();
    assert.equal(await title(page).inputValue(), 'Water at dawn');
    await look('memory-unsaved');
    await page.getByRole('button', { name: 'Remember', exact: true }).click();
    await page.getByRole('heading', { name: 'Water at dawn' }).waitFor();
    await page.getByRole('button', { name: 'Remember something' }).click();
    assert.equal(await title(page).inputValue(), '');
    quiet(401);
  });

  it('is there again after a look at another record, until it is given up', async () => {
    const [tools] = [await remember('Tools', 'In the shed.'), await remember('Seeds', 'In the cellar.')];
    const { page, quiet } = await suite.open(owner, `memory?event=${tools.id}&form=edit`);
    await page.getByLabel('Content').fill('In the greenhouse.');
    await page.getByRole('button', { name: /^Seeds/ }).click();
    await page.getByRole('heading', { name: 'Seeds' }).waitFor();
    await page.getByRole('button', { name: /^Tools/ }).click();
    await page.getByRole('button', { name: 'Edit' }).click();
    assert.equal(await page.getByLabel('Content').inputValue(), 'In the greenhouse.');
    await page.getByRole('button', { name: 'Start over' }).click();
    assert.equal(await page.getByLabel('Content').inputValue(), 'In the shed.');
    await page.getByLabel('Content').fill('In the barn.');
    await page.reload();
    await page.getByText('This is your text from before').waitFor();
    await owner.call('memory_update_event', { event_id: tools.id, content: 'In the attic.' });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Somebody else changed it while you were writing').waitFor();
    await page.getByRole('alert').locator('ins', { hasText: 'attic' }).waitFor();
    await page.getByRole('button', { name: 'Start over' }).click();
    assert.equal(await page.getByLabel('Content').inputValue(), 'In the attic.');
    await page.getByText('Somebody else changed it').waitFor({ state: 'detached' });
    await page.getByLabel('Content').fill('In the barn.');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Edit' }).click();
    assert.equal(await page.getByLabel('Content').inputValue(), 'In the attic.');
    quiet(409);
  });

  it('is forgotten once it is stored, also where its form was closed before', async () => {
    const { page, quiet } = await suite.open(owner, 'memory?form=new');
    await title(page).fill('Compost');
    await page.getByLabel('Content').fill('It is turned in March.');
    const store = await holdBack(page, '**/api/v1/memory/events');
    await page.getByRole('button', { name: 'Remember', exact: true }).click();
    await page.getByText('Storing…').waitFor();
    await page.getByRole('button', { name: 'Close the form' }).click();
    await store();
    await page.getByText('Remembered.').waitFor();
    assert.equal(await page.getByRole('complementary').count(), 0);
    await page.getByRole('button', { name: 'Remember something' }).click();
    assert.equal(await title(page).inputValue(), '');
    quiet();
  });

  it('is forgotten once it is stored by a form that was opened again, unless more was typed', async () => {
    const { page, quiet } = await suite.open(owner, 'memory?form=new');
    const remembered = page.getByRole('status').getByText('Remembered.');
    const submitAndOpenAgain = async (text: string) => {
      await title(page).fill(text);
      await page.getByLabel('Content').fill(`${text} in April.`);
      const store = await holdBack(page, '**/api/v1/memory/events');
      await page.getByRole('button', { name: 'Remember', exact: true }).click();
      await page.getByText('Storing…').waitFor();
      await page.getByRole('button', { name: 'Close the form' }).click();
      await page.getByRole('button', { name: 'Remember something' }).click();
      await page.getByText('This is your text from before').waitFor();
      return store;
    };
    const first = await submitAndOpenAgain('Sow the beans');
    await first();
    await remembered.waitFor();
    await page.getByText('This is your text from before').waitFor({ state: 'detached' });
    assert.equal(await title(page).inputValue(), '');
    await page.getByRole('button', { name: 'Dismiss' }).click();
    const second = await submitAndOpenAgain('Prune the vines');
    await title(page).fill('Prune the vines and the roses');
    await second();
    await remembered.waitFor();
    await page.reload();
    await page.getByText('This is your text from before').waitFor();
    assert.equal(await title(page).inputValue(), 'Prune the vines and the roses');
    quiet();
  });

  it('stays, with the reason in sight and the focus on it, where it could not be stored', async () => {
    const { page, context } = await suite.open(owner, 'memory?form=new');
    await page.setViewportSize({ width: 1280, height: 700 });
    await title(page).fill('Slugs');
    await page.getByLabel('Content').fill('They come at night.');
    await context.route('**/api/v1/memory/events', (route) => route.abort());
    await page.getByRole('button', { name: 'Remember', exact: true }).press('Enter');
    const reason = page.getByRole('alert').filter({ hasText: 'This may not have been done' });
    await reason.waitFor();
    assert.doesNotMatch((await reason.textContent()) ?? '', /by itself|goes on/);
    await page.waitForFunction(() => document.activeElement?.role === 'alert');
    const box = await reason.boundingBox();
    assert.ok(box && box.y >= 0 && box.y + box.height <= 700, JSON.stringify(box));
    assert.equal(await title(page).inputValue(), 'Slugs');
  });

  it('is there again in each step of knowledge', async () => {
    const node = (about: string) =>
      owner.call<{ id: string }>('memory_create_node', {
        workspace_id,
        node_type: 'decision',
        title: about,
        content: `${about}.`,
      });
    const [{ id }] = [await node('Dig the beds in autumn'), await node('Leave the beds alone')];
    const { page, quiet } = await suite.open(owner, `memory?node=${id}`);
    const panel = page.getByRole('complementary', { name: 'Record' });
    const old = panel.getByText('This is your text from before');
    const lookAway = async (step: string) => {
      await page.getByRole('button', { name: /^Leave the beds alone Decision/ }).click();
      await panel.getByRole('heading', { name: 'Leave the beds alone' }).waitFor();
      await page.getByRole('button', { name: /^Dig the beds in autumn Decision/ }).click();
      await panel.getByRole('button', { name: step }).click();
      await old.waitFor();
    };
    await panel.getByRole('button', { name: 'Dispute' }).click();
    await panel.getByLabel('Reason').fill('Worms dislike it.');
    await lookAway('Dispute');
    assert.equal(await panel.getByLabel('Reason').inputValue(), 'Worms dislike it.');
    await panel.getByRole('button', { name: 'Cancel' }).click();

    await panel.getByRole('button', { name: 'Relate to' }).click();
    await panel.getByLabel('How it is related').selectOption('contradicts');
    await panel.getByLabel('Why').fill('One digs, one does not.');
    await lookAway('Relate to');
    assert.equal(await panel.getByLabel('How it is related').inputValue(), 'contradicts');
    assert.equal(await panel.getByLabel('Why').inputValue(), 'One digs, one does not.');
    await panel.getByRole('button', { name: 'Cancel' }).click();

    await panel.getByRole('button', { name: 'Supersede…' }).click();
    await panel.getByLabel('Full text').fill('Mulch them, and never dig.');
    await lookAway('Supersede…');
    assert.equal(await panel.getByLabel('Full text').inputValue(), 'Mulch them, and never dig.');
    await panel.getByRole('button', { name: 'Supersede', exact: true }).click();
    await panel.getByText('Mulch them, and never dig.').waitFor();
    quiet();
  });
});

const title = (page: Page) => page.getByRole('textbox', { name: 'Title' });
