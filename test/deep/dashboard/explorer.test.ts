import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { dashboardSuite } from '../support/dashboard-suite.js';
import { holdBack } from '../support/hold-back.js';

describe('dashboard: explorer and toolsets', () => {
  const suite = dashboardSuite();

  it('finds a tool, calls it, and gives the call to other programs', async () => {
    const { page, look, quiet } = await suite.open('explorer');
    await page.getByText('Choose a tool').waitFor();
    await look('explorer');
    const size = page.viewportSize();
    await page.setViewportSize({ width: 390, height: 844 });
    const list = await page.getByRole('region', { name: 'Tools' }).boundingBox();
    assert.ok((list?.height ?? 0) > 500, 'a phone shows more than a few tools');
    if (size) await page.setViewportSize(size);
    await page.getByLabel('Find a tool').fill('create a project');
    await page.getByRole('button', { name: 'projects_create' }).click();
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    await page.getByText('Is required').waitFor();
    await page.getByLabel('Name').fill("Ann's greenhouse");
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    await page.getByText(/^201 in/).waitFor();
    await look('explorer-result');
    await page.getByRole('button', { name: 'Text', exact: true }).click();
    await page.getByRole('region', { name: 'Result' }).getByText('greenhouse').first().waitFor();

    // The address holds the call: another tab shows the same.
    const there = await suite.open(`explorer${new URL(page.url()).search}`);
    assert.equal(await there.page.getByLabel('Name').inputValue(), "Ann's greenhouse");
    await there.page.getByRole('tab', { name: 'curl' }).waitFor();
    const curl = await there.page.getByRole('tabpanel').locator('code').textContent();
    const answer = execFileSync('sh', ['-c', curl ?? ''], { encoding: 'utf8' });
    assert.match(answer, /has a project named .*Ann's greenhouse/); // it exists by now
    for (const name of ['TypeScript', 'Python', 'MCP']) {
      await there.page.getByRole('tab', { name }).click();
      await there.page.getByRole('tabpanel').getByText('greenhouse').waitFor();
    }
    const mcp = await there.page.getByRole('tabpanel').locator('code').textContent();
    assert.match(
      execFileSync('sh', ['-c', mcp ?? ''], { encoding: 'utf8' }),
      /has a project named .*Ann's greenhouse/,
    );
    await page.getByRole('link', { name: 'Projects' }).click(); // away from a result
    await page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor();
    quiet();
    there.quiet();
  });

  it('gives snippets that read the result of a list out of its envelope', async () => {
    const { page, quiet } = await suite.open('explorer?tool=workspaces_list');
    await page.getByRole('tab', { name: 'TypeScript' }).click();
    const script = (await page.getByRole('tabpanel').locator('code').textContent()) ?? '';
    const printed = execFileSync(
      process.execPath,
      ['--input-type=module', '-e', `${script}\nconsole.log(data?.items[0].name);`],
      { encoding: 'utf8' },
    );
    assert.equal(printed.trim(), 'Garden');
    await page.getByRole('tab', { name: 'Python' }).click();
    await page.getByRole('tabpanel').getByText(`"${suite.service.url}/v1/workspaces`).waitFor();
    quiet();
  });

  it('leaves out the snippet of a surface that does not serve the tool', async () => {
    const { page, quiet } = await suite.open('explorer?tool=workspaces_list');
    const programs = page.getByRole('tablist', { name: 'Program' }).getByRole('tab');
    await programs.first().waitFor();
    assert.deepEqual(await programs.allTextContents(), ['curl', 'Terminal', 'TypeScript', 'Python', 'MCP']);
    await page.getByRole('tab', { name: 'MCP' }).click();
    await page.goto(`${suite.service.url}/app/explorer?tool=deployment_get`);
    await page.getByRole('heading', { name: 'deployment_get' }).waitFor();
    assert.deepEqual(await programs.allTextContents(), ['curl', 'Terminal', 'TypeScript', 'Python']);
    quiet();
  });

  it('says what is wrong at the field, lists objects, and asks before it deletes', async () => {
    await suite.addProject('Shed', { 'a.ts': 'export const a = 1;\n' });
    const { page, look, quiet } = await suite.open('explorer?tool=memory_create_event');
    await page.getByLabel('Event type').fill('Not A Type');
    await page.getByLabel('Title').fill('Water at dawn');
    await page.getByLabel('Content').fill('It evaporates less.');
    await page.getByRole('group', { name: 'Code refs' }).getByRole('button', { name: 'Add' }).click();
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    await page.locator('.problem').first().waitFor();
    await look('explorer-issue');
    assert.equal(await page.getByLabel('Title').inputValue(), 'Water at dawn');
    await page.goto(`${suite.service.url}/app/explorer?tool=projects_delete`);
    await page.getByRole('combobox', { name: 'Project' }).selectOption({ label: 'Shed' });
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Call', exact: true }).click();
    await page.getByText(/^200 in/).waitFor();
    await page.goto(`${suite.service.url}/app/explorer?tool=memory_export&args=nonsense`);
    await page.getByText(/answers with any number of lines/).waitFor();
    await look('explorer-stream');
    quiet(400);
  });

  it('calls no other route than that of the tool, whatever a link has for its arguments', async () => {
    const args = JSON.stringify({ workspace_id: suite.workspaceId, user_id: '..' });
    const query = new URLSearchParams({ tool: 'members_remove', args }).toString();
    const { page, quiet } = await suite.open(`explorer?${query}`);
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Call', exact: true }).click();
    await page.getByText('Must not be "." or ".."', { exact: true }).waitFor({ timeout: 30_000 });
    const programs = page.getByRole('tablist', { name: 'Program' }).getByRole('tab');
    assert.deepEqual(await programs.allTextContents(), ['Terminal', 'MCP']);
    const { total } = await suite.service.call<{ total: number }>('workspaces_list', {});
    assert.equal(total, 1, 'the workspace is deleted');
    quiet();
  });

  it('calls nothing with a number that a browser cannot read', async () => {
    const { page, quiet } = await suite.open('explorer?tool=workspaces_list');
    await page.getByLabel('Per page').focus();
    await page.keyboard.type('5-0');
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    await page.getByText('Must be a number').waitFor({ timeout: 30_000 });
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('name')), 'per_page');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('5');
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    await page.getByText(/^200 in/).waitFor();
    quiet();
  });

  it('opens a call again whose arguments are too long for an address', async () => {
    const { page, quiet } = await suite.open('explorer?tool=memory_create_event');
    const text = 'A line of text, "quoted".\n'.repeat(550);
    await page.getByLabel('Content').fill(text);
    await page.getByLabel('Title').focus();
    await page.reload();
    await page.getByLabel('Content').waitFor({ timeout: 30_000 });
    assert.equal(await page.getByLabel('Content').inputValue(), text);
    await page.getByLabel('Content').fill('Short');
    await page.getByLabel('Title').focus();
    assert.match(new URL(page.url()).searchParams.get('args') ?? '', /Short/);
    quiet();
  });

  it('chooses nothing by a click on the name of a group, and leads to a group that is empty', async () => {
    const { page, look, quiet } = await suite.open('explorer?tool=ai_context');
    const group = page.getByRole('group', { name: /^Include/ });
    await group.getByText(/^Include/).click({ timeout: 30_000 });
    assert.equal(await group.getByRole('checkbox', { checked: true }).count(), 0);
    await look('explorer-boxes');
    await page.goto(`${suite.service.url}/app/explorer?tool=files_ingest`);
    const files = page.getByRole('group', { name: /^Files/ });
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    await files.getByText('Is required').waitFor();
    await page.getByRole('combobox', { name: 'Project' }).selectOption({ index: 1 });
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    await page.waitForFunction(() => document.activeElement?.textContent === 'Add', null, {
      timeout: 30_000,
    });
    const described = await files.getAttribute('aria-describedby');
    assert.match(
      (await page.locator(`[id="${described?.split(' ').at(-1)}"]`).textContent()) ?? '',
      /Is required/,
    );
    quiet();
  });

  it('shows the lines of a text, such as that of a context, as lines', async () => {
    const args = JSON.stringify({ description: 'It is warm.\nIt is wet.' });
    const query = new URLSearchParams({ tool: 'workspaces_update', args }).toString();
    const { page, quiet } = await suite.open(`explorer?${query}`);
    await page.getByLabel('Name').fill('Garden');
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    const text = page.getByRole('region', { name: 'Result' }).getByText('It is wet.');
    assert.equal(await text.innerText(), 'It is warm.\nIt is wet.');
    quiet();
  });

  it('shows a result before what the call changed is read again', async () => {
    const args = JSON.stringify({ workspace_id: suite.workspaceId, name: 'Garden' });
    const query = new URLSearchParams({ tool: 'workspaces_update', args }).toString();
    const { page, quiet } = await suite.open(`explorer?${query}`);
    await page.getByLabel('Name').waitFor();
    const readAgain = await holdBack(page, '**/v1/workspaces?**');
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    await page.getByText(/^200 in/).waitFor({ timeout: 30_000 });
    await readAgain();
    quiet();
  });

  it('lists the tools of each toolset', async () => {
    const { page, look, quiet } = await suite.open('toolsets');
    await page.getByRole('link', { name: 'projects_delete' }).waitFor();
    await page
      .getByRole('region', { name: 'memory', exact: true })
      .getByText(/^about [\d,]+ tokens$/)
      .waitFor();
    await look('toolsets');
    await page.getByRole('link', { name: 'projects_delete' }).click();
    await page.getByRole('heading', { name: 'projects_delete' }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('t');
    await page.getByRole('heading', { level: 1, name: 'Toolsets' }).waitFor();
    quiet();
  });
});
