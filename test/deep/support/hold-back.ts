import type { Page } from 'playwright-core';

/** Holds back what a page asks for at addresses that match, until the function is called that this resolves with. */
export async function holdBack(page: Page, url: string): Promise<() => Promise<void>> {
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route(url, async (route) => {
    await answered;
    // A page that leaves an address ends what it asked for there, and so does the end of holding back.
    await route.continue().catch(() => undefined);
  });
  return async () => {
    answer();
    await page.unroute(url);
  };
}
