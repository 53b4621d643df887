import assert from 'node:assert/strict';
import { hostedDashboard } from '../support/hosted-dashboard.js';

const FILES = [
  { path: 'src/greet.ts', content: 'export const greet = (name: string) => `Hello, ${shout(name)}`;\n' },
  {
    path: 'src/shout.ts',
    content: 'export function shout(text: string) {\n  return text.toUpperCase();\n}\n',
  },
];
const WIDTHS = [320, 1024, 3840];
/** WCAG 2.2, 1.4.12: a person's own style may space text so. */
const SPACED =
  '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-bottom: 2em !important }';

for (const engine of ['sqlite', 'postgresql'] as const) {
  describe(`dashboard: every page with accounts, on ${engine}`, () => {
    const suite = hostedDashboard(engine);

    it('opens from the navigation, with nothing failed, from 320 px to 4k', async () => {
      const ann = await suite.administrator();
      const { id: workspace_id } = await ann.call<{ id: string }>('workspaces_create', { name: 'Garden' });
      const { id: project_id } = await ann.call<{ id: string }>('projects_create', {
        workspace_id,
        name: 'Greenhouse',
      });
      await ann.call('files_ingest', { project_id, files: FILES });
      await ann.call('memory_create_event', {
        workspace_id,
        event_type: 'decision',
        title: 'Water at dawn',
        content: 'It evaporates less.',
      });
      const { page, quiet } = await suite.open(ann, '');
      const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
      await links.filter({ hasText: 'Members' }).waitFor();
      const names = await links.allTextContents();
      assert.ok(names.length >= 15, names.join(', '));
      const account = await page.getByRole('link', { name: 'Account', exact: true }).boundingBox();
      assert.ok(account && account.y + account.height <= 900, 'a long navigation hides the account');
      await links.last().click();
      await page.reload();
      const last = await links.last().boundingBox();
      assert.ok(last && last.y + last.height <= account.y, 'the account hides the current page');
      for (const name of names.map((each) => each.trim())) {
        await links.filter({ hasText: new RegExp(`^\\s*${name}\\s*$`) }).click();
        const title = name === 'Home' ? 'Garden' : name;
        await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
        await page.waitForFunction(() => !document.querySelector('main .skeleton'));
        assert.deepEqual(await page.getByRole('main').getByRole('alert').allTextContents(), [], name);
        for (const style of ['', SPACED]) {
          await page.evaluate((text) => {
            const sheet = new CSSStyleSheet();
            sheet.replaceSync(text);
            document.adoptedStyleSheets = [sheet];
          }, style);
          for (const width of WIDTHS) {
            await page.setViewportSize({ width, height: 900 });
            const wider = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
            assert.ok(wider <= 0, `${name} at ${width} px: ${wider} px wider than the window. ${style}`);
          }
        }
        await page.evaluate(() => {
          document.adoptedStyleSheets = [];
        });
        await page.setViewportSize({ width: 1440, height: 900 });
      }
      quiet();
    });
  });
}
