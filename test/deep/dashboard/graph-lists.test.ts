import assert from 'node:assert/strict';
import { dashboardSuite } from '../support/dashboard-suite.js';
import { GARDEN_CODE } from '../support/garden-code.js';

describe('dashboard: cycles and unused code', () => {
  const suite = dashboardSuite();
  let adding: Promise<string> | undefined;
  const openGarden = async (values: Readonly<Record<string, string>>) => {
    adding ??= suite.addProject('Garden shop', GARDEN_CODE);
    const parameters = new URLSearchParams({ project: await adding, ...values });
    return suite.open(`graph?${parameters.toString()}`);
  };

  it('lists the cycles of files and functions, with the lines that close them beside, by keys alone', async () => {
    const { page, look, quiet } = await openGarden({});
    await page.getByRole('button', { name: 'Cycles' }).click();
    const list = page.getByRole('region', { name: 'List of cycles' });
    await list.getByText('2 files in a circle').waitFor();
    await list.getByText('2 functions in a circle').waitFor();
    await list.getByText('2 cycles').waitFor();
    await look('graph-cycles');
    await page.locator('h1').click();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    const file = page.getByRole('complementary', { name: 'File' });
    await file.locator('.line.hit', { hasText: "import { send } from './send'" }).waitFor();
    assert.equal(new URL(page.url()).searchParams.get('at'), 'src/mail/retry.ts:1');
    await look('graph-cycles-line');
    await file.getByRole('button', { name: 'Close the file' }).press('Enter');
    await file.waitFor({ state: 'detached' });
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'line 1');
    await page.getByLabel('Level').selectOption('function');
    await list.getByText('1 cycle', { exact: true }).waitFor();
    await list.getByRole('button', { name: 'retry', exact: true }).first().click();
    await page.getByRole('heading', { name: 'retry', exact: true }).waitFor();
    await page.goBack();
    await list.getByText('1 cycle', { exact: true }).waitFor();
    quiet();
  });

  it('names files and functions whole where a folder has a #', async () => {
    const code = (own: string, other: string) =>
      `import { ${other} } from './${other}';\nexport function ${own}() {\n  return ${other}();\n}\n`;
    const project = await suite.addProject('Sharp', {
      'C#/one.ts': code('one', 'two'),
      'C#/two.ts': code('two', 'one'),
    });
    const { page, quiet } = await suite.open(`graph?project=${project}&view=cycles`);
    const list = page.getByRole('region', { name: 'List of cycles' });
    await list.getByRole('button', { name: 'C#/one.ts', exact: true }).first().waitFor();
    await list.getByRole('button', { name: 'one', exact: true }).first().click();
    await page.getByRole('button', { name: 'Call paths' }).click();
    const ends = page.getByRole('region', { name: 'Ends of the paths' });
    await ends.getByText('in C#/one.ts', { exact: true }).waitFor();
    await ends.getByText('one', { exact: true }).waitFor();
    quiet();
  });

  it('opens a shared address of a cycle with its line', async () => {
    const { page, quiet } = await openGarden({ view: 'cycles', level: 'function', at: 'src/mail/send.ts:6' });
    await page
      .getByRole('region', { name: 'List of cycles' })
      .getByText('1 cycle', { exact: true })
      .waitFor();
    await page.locator('.line.hit', { hasText: 'retry(to, text)' }).waitFor();
    quiet();
  });

  it('lists unused code with its reason, by folder, beside its lines', async () => {
    const { page, look, quiet } = await openGarden({ view: 'unused' });
    const list = page.getByRole('region', { name: 'Unused code' });
    const unused = list.getByRole('button', { name: 'neverCalled', exact: true });
    await unused.waitFor();
    await list.getByText('No code of the project uses it.').first().waitFor();
    await list.getByRole('region', { name: 'tools/report.py' }).waitFor();
    await page.getByLabel('Folder').selectOption('src/');
    await list.getByRole('region', { name: 'tools/report.py' }).waitFor({ state: 'detached' });
    await unused.focus();
    await page.keyboard.press('k');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.locator('.line.hit', { hasText: 'return 42' }).waitFor();
    await look('graph-unused');
    const { searchParams } = new URL(page.url());
    assert.deepEqual(
      [searchParams.get('folder'), searchParams.get('at')],
      ['src/', 'src/plants/water.ts:7-9'],
    );
    await list.getByRole('button', { name: 'Neighbours of neverCalled' }).click();
    await page.getByRole('heading', { name: 'neverCalled', exact: true }).waitFor();
    quiet();
  });

  it('says where there is nothing to list, and follows an edit', async () => {
    const project = await suite.addProject('Tidy', {
      'package.json': '{ "name": "tidy", "main": "index.js" }\n',
      'index.js': 'export function one() {\n  return 1;\n}\n',
    });
    const { page, look, quiet } = await suite.open(`graph?project=${project}&view=unused`);
    await page.getByText('Nothing is unused').waitFor();
    await look('graph-unused-none');
    await page.getByRole('button', { name: 'Cycles' }).click();
    await page.getByText('There are no cycles').waitFor();
    await look('graph-cycles-none');
    const content = 'export function one() {\n  return two();\n}\nfunction two() {\n  return one();\n}\n';
    await suite.service.call('files_ingest', {
      project_id: project,
      files: [{ path: 'index.js', content }],
    });
    await page.getByText('2 functions in a circle').waitFor();
    quiet();
  });

  it('says in place that the service cannot be reached, and goes on by itself', async () => {
    const { page, context, look } = await openGarden({ view: 'unused' });
    await page.getByRole('button', { name: 'neverCalled', exact: true }).waitFor();
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Cycles' }).click();
    await page.getByRole('alert').getByText('The service does not answer').waitFor();
    await look('graph-cycles-unreachable');
    await context.setOffline(false);
    await page.getByText('2 files in a circle').waitFor();
  });
});
