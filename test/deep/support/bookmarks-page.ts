import assert from 'node:assert/strict';
import { dashboardPage } from './dashboard-page.js';
import { startBrowser } from './browser.js';

/** In a browser: the page that the plugin bookmarks declares, from the navigation to what its events bring, and its records in the search. */
export async function useBookmarksPage(url: string): Promise<void> {
  const browser = await startBrowser();
  try {
    const { page, look, quiet } = await dashboardPage(await browser.newContext());
    await page.goto(`${url}/app/`);
    await page.getByRole('link', { name: 'Bookmarks' }).click();
    await page.getByRole('button', { name: 'Create a bookmark' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Url').fill('an address');
    await dialog.getByLabel('Title').fill('From the dashboard');
    await dialog.getByRole('button', { name: 'Create a bookmark' }).click();
    await dialog.getByText('Must match').waitFor();
    await dialog.getByLabel('Url').fill('https://example.org/dashboard');
    await dialog.getByRole('button', { name: 'Create a bookmark' }).click();
    const row = page.getByRole('row', { name: 'From the dashboard' });
    await row.getByRole('link', { name: 'https://example.org/dashboard' }).waitFor();
    await row.getByRole('button', { name: 'Mark as read' }).click();
    await row.getByText('Read', { exact: true }).waitFor();
    // Another client makes one: the event of the plugin brings it here.
    await fetch(`${url}/v1/bookmarks`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ url: 'https://example.org/live', title: 'From elsewhere' }),
    });
    await page.getByRole('cell', { name: 'From elsewhere', exact: true }).waitFor();
    await look('plugin-bookmarks');
    await row.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await row.waitFor({ state: 'detached' });
    await page.goto(`${url}/app/search?q=elsewhere&mode=words`);
    const found = page.getByRole('listitem').filter({ hasText: 'From elsewhere' });
    await found.getByText('Bookmark', { exact: true }).waitFor();
    assert.equal(await found.locator('button.result-head').count(), 0); // no file to open
    await page.getByLabel('Look in').selectOption('bookmark');
    await page.waitForURL(/kind=bookmark/u);
    await found.waitFor();
    await look('plugin-bookmarks-search');
    quiet(400);
  } finally {
    await browser.close();
  }
}
