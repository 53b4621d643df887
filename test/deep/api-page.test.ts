import assert from 'node:assert/strict';
import { dashboardSuite } from './support/dashboard-suite.js';
import { violations } from './support/dashboard-page.js';

const PHONE = { width: 390, height: 800 };

describe('API page in a browser', () => {
  const suite = dashboardSuite();

  it('has enough contrast in light and dark, and fits a phone with an operation open', async () => {
    const { page } = await suite.open('../docs');
    await page.setViewportSize(PHONE);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.goto(`${suite.service.url}/docs?${colorScheme}`); // its colours change slowly
      await page.locator('.opblock-summary-control').first().click();
      await page.locator('.try-out__btn').first().click();
      await page.locator('.responses-table').first().waitFor();
      await page.mouse.move(0, 0);
      assert.deepEqual(await violations(page, { runOnly: ['color-contrast'] }), [], colorScheme);
    }
    const wider = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    assert.ok(wider <= 0, `${wider} px wider than the window`);
    const filter = await page.getByPlaceholder('Filter by tag or path').boundingBox();
    assert.ok((filter?.width ?? 0) > PHONE.width / 2, 'the filter shows what it is for');
  });
});
