import assert from 'node:assert/strict';
import { dashboardSuite } from '../support/dashboard-suite.js';
import { GARDEN_CODE } from '../support/garden-code.js';

describe('dashboard: addresses', () => {
  const suite = dashboardSuite();

  it('shows the view that a path names, also after a reload and by the back button', async () => {
    const project = await suite.addProject('Garden shop', GARDEN_CODE);
    const symbol = encodeURIComponent('src/log.ts#log');
    const { page, quiet } = await suite.open(`graph/impact?project=${project}&symbol=${symbol}`);
    const pressed = (name: string) =>
      page.getByRole('button', { name, exact: true, pressed: true }).waitFor();
    await pressed('Impact');
    await page.getByRole('button', { name: 'Cycles', exact: true }).click();
    await pressed('Cycles');
    await page.reload();
    await pressed('Cycles');
    await page.goBack();
    await pressed('Impact');
    await page.goForward();
    await pressed('Cycles');
    for (const [path, tab] of [
      ['memory/timeline', 'Timeline'],
      ['memory/clean-up/', 'Clean-up'],
      ['memory/records', 'Everything'],
    ] as const) {
      await page.goto(`${suite.service.url}/app/${path}`);
      await page.getByRole('tab', { name: tab, selected: true }).waitFor();
    }
    await page.goto(`${suite.service.url}/app/explorer/projects_list`);
    await page.getByRole('heading', { name: 'projects_list' }).waitFor();
    quiet();
  });

  it('keeps the tools and tabs that were chosen', async () => {
    const { page, quiet } = await suite.open('explorer/projects_list');
    await page.getByRole('tab', { name: 'Python' }).click();
    await page.getByLabel('Find a tool').fill('workspaces_list');
    await page.getByRole('button', { name: 'workspaces_list' }).click();
    await page.getByRole('heading', { name: 'workspaces_list' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'projects_list' }).waitFor();
    await page.reload();
    await page.getByRole('tab', { name: 'Python', selected: true }).waitFor();
    await page.goto(`${suite.service.url}/app/`);
    await page.getByRole('tab', { name: 'Cursor' }).click();
    await page.reload();
    await page.getByRole('tab', { name: 'Cursor', selected: true }).waitFor();
    quiet();
  });

  it('has no page at an address that names none', async () => {
    const { page, quiet } = await suite.open('graph/nothing');
    for (const path of ['graph/nothing', 'memory?tab=nothing', 'health/nothing', 'graph/impact/nothing']) {
      await page.goto(`${suite.service.url}/app/${path}`);
      await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
    }
    assert.match(await page.title(), /^Page not found/);
    quiet();
  });
});
