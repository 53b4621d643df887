import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { dashboardSuite } from '../support/dashboard-suite.js';
import { hostedDashboard } from '../support/hosted-dashboard.js';

const styleOf = (at: Locator, name: string) =>
  at.evaluate((element, property) => getComputedStyle(element).getPropertyValue(property), name);

describe('dashboard: in the colours of the system', () => {
  const suite = dashboardSuite();

  it('shows the map, where the focus is, and what is chosen', async () => {
    const project_id = await suite.addProject('Greenhouse', {
      'a.ts': 'export const a = 1;\n',
      'b.ts': "import { a } from './a.js';\nexport const b = a;\n",
    });
    const { page, quiet } = await suite.open('');
    await page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark' });
    await page.goto(`${suite.service.url}/app/graph?project=${project_id}`);
    const canvas = page.locator('canvas[data-spots="3"]');
    await canvas.waitFor();
    // One colour for all would be a white disk.
    const colours = await canvas.evaluate((element: HTMLCanvasElement) => {
      const { data } = element.getContext('2d')!.getImageData(0, 0, element.width, element.height);
      const counts = new Map<number, number>();
      for (let at = 0; at < data.length; at += 4) {
        const colour = (data[at]! << 16) | (data[at + 1]! << 8) | data[at + 2]!;
        if (data[at + 3] === 255) counts.set(colour, (counts.get(colour) ?? 0) + 1);
      }
      return [...counts.values()].filter((count) => count > 400).length;
    });
    assert.ok(colours >= 2, `${colours} colours cover more than a few pixels`);
    const ground = await styleOf(
      page.locator('.sidebar nav a:not([aria-current])').first(),
      'background-color',
    );
    assert.notEqual(await styleOf(page.locator('.sidebar nav a[aria-current]'), 'background-color'), ground);

    await page.goto(`${suite.service.url}/app/search`);
    await page.getByRole('search').getByRole('textbox').or(page.getByRole('searchbox')).first().focus();
    assert.notEqual(await styleOf(page.locator('.search-form'), 'outline-style'), 'none');
    quiet();
  });
});

describe('dashboard: a long navigation', () => {
  const suite = hostedDashboard();

  it('leaves room for the name of the workspace', async () => {
    const owner = await suite.administrator();
    await owner.call('workspaces_create', { name: 'Garden' });
    const { page } = await suite.open(owner, '');
    await page.setViewportSize({ width: 1440, height: 700 });
    const name = page.locator('.sidebar .workspace-name');
    await name.getByText('Garden').or(name).first().waitFor();
    const { height = 0 } = (await name.boundingBox()) ?? {};
    assert.ok(height >= 12, `${height} px high`);
  });
});
