import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';
import { ROOT } from '../../checks/repository.js';

const CHROMIUM = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium-headless-shell';

/** Longer than from one file to the next. */
const UNUSED_MS = 5_000;

/** A browser that several suites use, in contexts of their own. */
export interface BorrowedBrowser {
  readonly browser: Browser;
  /** Closes what is open in it, once nobody else has it; it ends some seconds later. */
  giveBack(): Promise<void>;
}

let started: Promise<Browser> | undefined;
let borrowers = 0;
let ending: NodeJS.Timeout | undefined;

/** One browser for all files that this process tests: a start of its own takes each of them two seconds of processor time. */
export async function borrowBrowser(): Promise<BorrowedBrowser> {
  borrowers += 1;
  clearTimeout(ending);
  if (started && !(await started).isConnected()) started = undefined;
  started ??= startBrowser();
  const browser = await started.catch((error: unknown) => {
    started = undefined;
    borrowers -= 1;
    throw error;
  });
  return { browser, giveBack: () => giveBack(browser) };
}

async function giveBack(browser: Browser): Promise<void> {
  borrowers -= 1;
  if (borrowers > 0) return;
  ending = setTimeout(() => {
    started = undefined;
    void browser.close();
  }, UNUSED_MS);
  for (const context of browser.contexts()) await context.close();
}

/** Builds the pages where they changed, and starts Debian's Chromium without a window, which keeps pages for its back button as people's does. */
export function startBrowser(): Promise<Browser> {
  execFileSync(process.execPath, [join(ROOT, 'transports/web/client/build.mjs')]);
  return chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox'],
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  });
}
