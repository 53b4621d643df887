import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { violations } from './dashboard-page.js';
import { faultsOf } from './page-faults.js';

/** Set to a folder to keep pictures of the pages. */
const PICTURES = process.env['PAGES_PICTURES'];

/** A browser page that records every error and every foreign request. */
export interface WatchedPage {
  readonly page: Page;
  /** Checks the heading and the page for faults, and takes a picture. */
  readonly look: (name: string, heading: string) => Promise<void>;
  /** Names of the elements that Tab reaches, in order, from the top of the page. */
  readonly tabOrder: () => Promise<string[]>;
  /** Fails when the browser reported an error, or asked a host outside `origins`. */
  readonly quiet: () => void;
}

export async function watchedPage(
  context: BrowserContext,
  origins: readonly string[],
  label: string,
  scripts = true, // axe needs its timers, which a page without scripts does not run
): Promise<WatchedPage> {
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    // A form that is refused is answered by 400, and a link that has ended by 410, which browsers note.
    const isStatus = /^Failed to load resource: the server responded with a status of 4\d\d/.test(
      message.text(),
    );
    if (!isStatus && ['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('requestfailed', (request) => {
    // A page that is left ends its requests, such as that for its icon; a browser that runs no scripts gives them up.
    const isGivenUp = !scripts && request.resourceType() === 'script';
    if (!isGivenUp && request.failure()?.errorText !== 'net::ERR_ABORTED')
      complaints.push(`failed: ${request.url()}`);
  });
  page.on('request', (request) => {
    if (!origins.includes(new URL(request.url()).origin)) complaints.push(`foreign: ${request.url()}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 500) complaints.push(`${response.status()}: ${response.url()}`);
    if (response.request().resourceType() !== 'document' && response.status() >= 400)
      complaints.push(`${response.status()}: ${response.url()}`);
  });
  return {
    page,
    async look(name, heading) {
      await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
      await page.waitForLoadState(); // its style may arrive after its heading
      if (PICTURES) {
        await mkdir(PICTURES, { recursive: true });
        await page.screenshot({ path: join(PICTURES, `${name}-${label}.png`), fullPage: true });
      }
      assert.deepEqual(await page.evaluate(faultsOf), [], `${name}, ${label}`);
      if (scripts) assert.deepEqual(await violations(page), [], `${name}, ${label}`);
    },
    async tabOrder() {
      await page.locator('h1').click(); // the focus starts at the last click
      const names: string[] = [];
      for (;;) {
        await page.keyboard.press('Tab');
        const name = await focused(page);
        if (name === '' || names.includes(name)) return names;
        names.push(name);
      }
    },
    quiet: () => assert.deepEqual(complaints, [], label),
  };
}

/** The accessible name of the focused element; empty when nothing has the focus. */
export function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (!element || element === document.body) return '';
    const label = (element as HTMLInputElement).labels?.[0]?.textContent;
    return (element.getAttribute('aria-label') ?? label ?? element.textContent ?? '').trim();
  });
}
