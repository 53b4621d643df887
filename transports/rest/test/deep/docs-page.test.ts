import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';
import { startService, type Service } from '../support/service.js';

const CHROMIUM = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium-headless-shell';
/** Set to a folder to keep pictures of the page. */
const PICTURES = process.env['DOCS_PICTURES'];

describe('API page in a browser', () => {
  let service: Service;
  let browser: Browser;
  const complaints: string[] = [];
  const foreign: string[] = [];

  before(async () => {
    assert.ok(existsSync(CHROMIUM), 'needs Chromium: install it, or set CHROMIUM_PATH');
    service = await startService();
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  });
  after(async () => {
    await browser?.close();
    await service?.host.stop();
  });

  async function open(colorScheme: 'light' | 'dark'): Promise<Page> {
    const page = await browser.newPage({ colorScheme, viewport: { width: 1200, height: 900 } });
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => {
      if (!request.url().startsWith(`${service.url}/`) && !request.url().startsWith('data:'))
        foreign.push(request.url());
    });
    await page.goto(`${service.url}/docs`);
    await page.waitForSelector('.opblock');
    return page;
  }

  for (const scheme of ['light', 'dark'] as const) {
    it(`shows every operation, ${scheme}, and asks no other host`, async () => {
      const page = await open(scheme);
      const { paths } = (await (await fetch(`${service.url}/openapi.json`)).json()) as { paths: object };
      const operations = Object.values(paths).flatMap((path: object) => Object.keys(path));
      assert.equal(await page.locator('.opblock').count(), operations.length);
      await page.locator('.opblock', { hasText: '/things/' }).locator('button').first().click();
      await page.waitForSelector('.opblock-description');
      const [text, ground] = await page.evaluate(() => {
        const colours = (of: string) => getComputedStyle(document.querySelector(of) as Element);
        return [colours('.info .title').color, colours('html').backgroundColor];
      });
      assert.ok(Math.abs(brightness(text) - brightness(ground)) > 100, `${text} on ${ground}`);
      if (PICTURES) {
        await mkdir(PICTURES, { recursive: true });
        await page.screenshot({ path: join(PICTURES, `docs-${scheme}.png`), fullPage: true });
      }
      assert.equal(await page.evaluate(() => (globalThis as { hacked?: unknown }).hacked), undefined);
      assert.equal(await page.locator('iframe, a[href^="javascript:"], [onerror]').count(), 0);
      assert.deepEqual(foreign, []);
      assert.deepEqual(complaints, []);
      await page.close();
    });
  }

  it('calls a tool by "Try it out"', async () => {
    const page = await open('light');
    const block = page.locator('.opblock', { hasText: 'Recent items' });
    await block.locator('button').first().click();
    await block.getByRole('button', { name: 'Try it out' }).click();
    await block.getByRole('button', { name: 'Execute' }).click();
    await block.locator('.live-responses-table .response-col_status', { hasText: '200' }).waitFor();
    assert.match((await block.locator('.live-responses-table').textContent()) ?? '', /"seen": "recent"/);
    await page.close();
  });

  /** 0 (black) to 255; a transparent ground is the white of the window. */
  function brightness(colour: string): number {
    const [red = 255, green = 255, blue = 255, alpha = 1] = (colour.match(/[\d.]+/g) ?? []).map(Number);
    return alpha === 0 ? 255 : (red + green + blue) / 3;
  }
});
