import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { AxeResults, RunOptions } from 'axe-core';
import type { BrowserContext, Page, ViewportSize } from 'playwright-core';

/** Set to a folder to keep pictures of the pages. */
const PICTURES = process.env['PAGES_PICTURES'];
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Indexing on a busy machine takes its time. */
const WAIT_MS = 150_000;
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
const WHOLE: RunOptions = { runOnly: RULES };
const CONTRAST = 'color-contrast';

const WIDE = { width: 1440, height: 900 };
const NARROW = { width: 375, height: 740 };
/** The smallest screens: nothing may be wider. */
const SMALLEST = { width: 320, height: 640 };
/** All rules where the layout differs; contrast, which takes as long as the others together, once in each colour scheme. */
const LOOKS: readonly Look[] = [
  { name: 'light-wide', colorScheme: 'light', viewport: WIDE, axe: WHOLE },
  { name: 'dark-wide', colorScheme: 'dark', viewport: WIDE, axe: { runOnly: [CONTRAST] } },
  {
    name: 'light-narrow',
    colorScheme: 'light',
    viewport: NARROW,
    axe: { ...WHOLE, rules: { [CONTRAST]: { enabled: false } } },
  },
];

interface Look {
  readonly name: string;
  readonly colorScheme: 'light' | 'dark';
  readonly viewport: ViewportSize;
  readonly axe: RunOptions;
}

/** A tab of the dashboard that records every error, report of the policy and failed request. */
export interface DashboardPage {
  readonly page: Page;
  /** Checks the page as it is, in light, dark and at 375 px: axe, no overflow, at 320 px neither; and takes pictures. */
  readonly look: (name: string) => Promise<void>;
  /** Fails when the browser reported an error. Answers with a status in `expected` are not one. */
  readonly quiet: (...expected: readonly number[]) => void;
}

export async function dashboardPage(context: BrowserContext): Promise<DashboardPage> {
  const page = await context.newPage();
  page.setDefaultTimeout(WAIT_MS);
  // What is shown, not what screen readers are told of it.
  const [find, shown] = [page.getByText.bind(page), page.locator(':not([role="log"] *)')];
  page.getByText = (...query) => find(...query).and(shown);
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()))
      complaints.push(`${message.text()} at ${message.location().url}`);
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  return {
    page,
    async look(name) {
      for (const { name: look, colorScheme, viewport, axe } of LOOKS) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await page.setViewportSize(viewport);
        const label = `${name}, ${look}`;
        if (PICTURES) {
          await mkdir(PICTURES, { recursive: true });
          await page.screenshot({ path: join(PICTURES, `${name}-${look}.png`) });
        }
        assert.deepEqual(await violations(page, axe), [], label);
        await assertFits(page, label);
      }
      await page.setViewportSize(SMALLEST);
      await assertFits(page, `${name}, at ${SMALLEST.width} px`);
      await page.setViewportSize(WIDE);
    },
    quiet(...expected) {
      const statuses = expected.map((status) => `status of ${status}`);
      const left = complaints.filter((text) => !statuses.some((status) => text.includes(status)));
      assert.deepEqual(left, []);
    },
  };
}

async function assertFits(page: Page, label: string): Promise<void> {
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  assert.ok(overflow <= 0, `${label}: ${overflow} px wider than the window`);
}

/** What axe finds. It is evaluated, not loaded: the policy refuses script elements. */
export async function violations(page: Page, axe: RunOptions = WHOLE): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  // Describing every node that passes takes as long as the rules.
  const options = JSON.stringify({ ...axe, resultTypes: ['violations'] });
  const run = `axe.run(document, ${options})`;
  const found = (await page.evaluate(run)) as AxeResults; // what axe.run resolves with
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary}`),
  );
}
