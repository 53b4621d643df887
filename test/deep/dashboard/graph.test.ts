import assert from 'node:assert/strict';
import { dashboardSuite } from '../support/dashboard-suite.js';
import { GARDEN_CODE } from '../support/garden-code.js';

const CHECKOUT = 'src/orders/checkout.ts#checkout';

describe('dashboard: graph', () => {
  const suite = dashboardSuite();
  let adding: Promise<string> | undefined;
  const garden = () => (adding ??= suite.addProject('Garden shop', GARDEN_CODE));
  const openGarden = async (values: Readonly<Record<string, string>>) =>
    suite.open(`graph?${new URLSearchParams({ project: await garden(), ...values }).toString()}`);

  it('says what is missing: a project, files, a language that has a graph', async () => {
    const first = await suite.open('graph');
    await first.page.getByText('There is no project in this workspace yet').waitFor();
    await first.look('graph-no-project');
    first.quiet();
    await suite.addProject('Notes', { 'notes.kdl': 'node "water" at="dawn"\n' });
    const second = await suite.open('graph');
    await second.page.getByText('This project has no graph').waitFor();
    await second.look('graph-none');
    second.quiet();
  });

  it('says why a file is read in part, and which of several of a name is shown', async () => {
    const project = await suite.addProject('Overloads', {
      'broken.py': 'def a():\n  return 1\n\ndef b(:\n  return (((\n',
      'Bed.java': 'class Bed {\n  int add(int a) { return a; }\n  int add(String s) { return add(1); }\n}\n',
    });
    const query = new URLSearchParams({ project, symbol: 'Bed.java#Bed.add~2' }).toString();
    const { page, quiet } = await suite.open(`graph?${query}`);
    await page.getByText('broken.py. Where no reason is named, the syntax has errors').waitFor();
    await page.getByText('line 3, number 2 of this name there').waitFor();
    quiet();
  });

  it('finds a symbol as one types, by keys alone', async () => {
    const { page, look, quiet } = await openGarden({});
    await page.getByRole('region', { name: 'Areas' }).waitFor();
    await page.keyboard.type('check');
    await page.locator('.suggestions [role=option]').nth(1).waitFor();
    await look('graph-suggestions');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'checkout', exact: true }).waitFor();
    assert.equal(new URL(page.url()).searchParams.get('symbol'), CHECKOUT);
    quiet();
  });

  it('shows what uses a symbol and what it uses, in a drawing and a list in step', async () => {
    const { page, look, quiet } = await openGarden({ symbol: CHECKOUT });
    const list = page.getByRole('region', { name: 'Neighbours' });
    await list.getByRole('button', { name: 'priceOf' }).waitFor();
    await page.locator('.drawing .node').nth(4).waitFor();
    await page.getByRole('complementary', { name: 'File' }).getByText('reserve').first().waitFor();
    await look('graph-neighbours');
    await list.getByRole('button', { name: 'reserve', exact: true }).focus();
    await page.locator('.node.active[data-node="src/stock/reserve.ts#reserve"]').waitFor();
    await page.locator('[data-node="src/log.ts#log"]').hover();
    await list.locator('.active[data-symbol="src/log.ts#log"]').waitFor();
    quiet();
  });

  it('moves on to a neighbour and back, and shows the line that proves a relation', async () => {
    const { page, quiet } = await openGarden({ symbol: CHECKOUT });
    const title = (name: string) => page.getByRole('heading', { name, exact: true, level: 2 });
    await page.locator('[data-node="src/orders/price.ts#priceOf"]').click();
    await title('priceOf').waitFor();
    assert.equal(await title('priceOf').evaluate((heading) => heading === document.activeElement), true);
    const list = page.getByRole('region', { name: 'Neighbours' });
    await list.getByRole('button', { name: 'unitPrice' }).waitFor();
    await page.keyboard.press('j'); // to the first of the list: what uses it
    await page.keyboard.press('Enter');
    await title('checkout').waitFor();
    await page.goBack();
    await title('priceOf').waitFor();
    await page.goBack();
    await title('checkout').waitFor();
    await list.getByRole('button', { name: 'line 9' }).click();
    await page.locator('.line.hit', { hasText: 'reserve(line.plant' }).waitFor();
    assert.equal(new URL(page.url()).searchParams.get('at'), 'src/orders/checkout.ts:9');
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => document.querySelectorAll('.line.hit').length > 1);
    quiet();
  });

  it('shows a class with what it holds, a cycle, and a file', async () => {
    const { page, look, quiet } = await openGarden({ symbol: 'src/mail/send.ts#send' });
    await page.getByText('It is part of 1 cycle').waitFor();
    await page.getByRole('button', { name: 'src/mail/send.ts' }).first().click();
    await page.getByRole('list', { name: 'Holds' }).getByRole('button', { name: 'send' }).waitFor();
    await look('graph-file');
    quiet();
  });

  it('lists some of many with the true total, and more on demand', async () => {
    const callers = Array.from(
      { length: 70 },
      (_, i) => `export function caller${i}() {\n  return hub();\n}\n`,
    );
    const project = await suite.addProject('Hub', {
      'hub.js': `export function hub() {\n  return 1;\n}\n${callers.join('')}`,
    });
    const { page, look, quiet } = await suite.open(`graph?project=${project}&symbol=hub.js%23hub`);
    await page.getByText('50 of 70 shown').waitFor();
    await page.locator('.drawing-title', { hasText: 'Used by 9 of 70' }).waitFor();
    await look('graph-many');
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByRole('button', { name: 'caller69' }).waitFor();
    quiet();
  });

  it('says in place that a symbol is gone, and follows an edit of a file', async () => {
    const { page, look, quiet } = await openGarden({ symbol: 'src/log.ts#write' });
    await page.getByText('There is no function src/log.ts#write').waitFor();
    await look('graph-gone');
    const files = [
      { path: 'src/log.ts', content: `${GARDEN_CODE['src/log.ts']}export function write() {}\n` },
    ];
    await suite.service.call('files_ingest', { project_id: await garden(), files });
    await page.getByRole('heading', { name: 'write', exact: true }).waitFor();
    quiet(404);
  });

  it('shows what a change affects: its risk, tests, decisions, and where it is felt', async () => {
    await suite.service.call('memory_create_node', {
      workspace_id: suite.workspaceId,
      project_id: await garden(),
      node_type: 'decision',
      title: 'One log for all',
      content: 'Every part writes to the same log.',
      code_refs: [{ path: 'src/log.ts', symbol: 'log' }],
    });
    const { page, look, quiet } = await openGarden({ symbol: 'src/log.ts#log' });
    await page.getByRole('button', { name: 'Impact' }).click();
    const decision = page.getByRole('link', { name: 'One log for all' });
    await decision.waitFor();
    await page.getByRole('region', { name: 'Tests to run' }).getByText('test/checkout.test.ts').waitFor();
    await page.getByText('9 symbols affected in 9 files').waitFor();
    await look('graph-impact');
    await page.getByLabel('What changes').selectOption('modify_body');
    await page.getByText('Only the body changes: code that uses it compiles').waitFor();
    const affected = page.getByRole('region', { name: 'Affected', exact: true });
    await page.getByRole('button', { name: '1 symbol of test, 2 steps away' }).click();
    await affected.getByText('1 of 9 shown').waitFor();
    assert.equal(await affected.locator('.neighbour').count(), 1);
    await affected.getByRole('button', { name: 'Show all' }).click();
    await affected.getByRole('button', { name: 'checkout', exact: true }).click();
    await page.getByRole('heading', { name: 'checkout', exact: true }).waitFor();
    assert.equal(new URL(page.url()).searchParams.get('view'), null);
    await page.goBack();
    await decision.click();
    const record = page.getByRole('complementary', { name: 'Record' });
    await record.getByRole('heading', { name: 'One log for all' }).waitFor();
    quiet();
  });

  it('lists what the small areas hold that its table has in one row', async () => {
    const folders = Array.from({ length: 35 }, (_, at) => `bed${at}`);
    const project = await suite.addProject('Beds', {
      'hub.js': 'export function hub() {\n  return 1;\n}\n',
      ...Object.fromEntries(
        folders.map((folder) => [
          `${folder}/use.js`,
          "import { hub } from '../hub.js';\nexport function use() {\n  return hub();\n}\n",
        ]),
      ),
    });
    const { page, quiet } = await suite.open(`graph?project=${project}&symbol=hub.js%23hub&view=impact`);
    await page.getByRole('button', { name: '(other)', exact: true }).click();
    const affected = page.getByRole('region', { name: 'Affected', exact: true });
    await affected.getByText('Only (other)').waitFor();
    assert.ok((await affected.locator('.neighbour').count()) > 0);
    await page.getByRole('button', { name: /of \(other\), 1 step away/ }).click();
    await affected.getByText('Only (other), 1 step away').waitFor();
    assert.ok((await affected.locator('.neighbour').count()) > 0);
    quiet();
  });

  it('suggests what a name that is not there may stand for', async () => {
    const { page, look, quiet } = await openGarden({ symbol: 'src/log.ts#logg' });
    await page.getByText('Open one of these').waitFor();
    await look('graph-suggested');
    await page.getByRole('button', { name: 'src/log.ts#log', exact: true }).click();
    await page.getByRole('heading', { name: 'log', exact: true }).waitFor();
    quiet(404);
  });

  it('suggests an end of call paths in the place of the end that is not there', async () => {
    const { page, quiet } = await openGarden({ symbol: CHECKOUT, view: 'paths', to: 'src/log.ts#logg' });
    await page.getByText('Open one of these').waitFor();
    await page.getByRole('button', { name: 'src/log.ts#log', exact: true }).click();
    await page.getByRole('region', { name: 'Ends of the paths' }).getByText('log', { exact: true }).waitFor();
    await page.getByText('1 call', { exact: true }).first().waitFor();
    const { searchParams } = new URL(page.url());
    assert.deepEqual([searchParams.get('symbol'), searchParams.get('to')], [CHECKOUT, 'src/log.ts#log']);
    quiet(404);
  });

  it('finds chains of calls between two functions, either way, and all of one', async () => {
    const { page, look, quiet } = await openGarden({ symbol: 'src/main.ts#main', view: 'paths' });
    await page.getByText('Shelf.get').first().waitFor(); // one of its last callees
    await look('graph-chains');
    const end = page.getByRole('combobox', { name: 'To: name of a function' });
    await end.fill('Shelf.set');
    await page.locator('.suggestions [role=option]', { hasText: 'Shelf.set' }).waitFor();
    await end.press('Enter');
    await page.getByText('4 calls').first().waitFor();
    await page.getByText('store.take(plant, count)').first().waitFor();
    await look('graph-paths');
    await page.getByRole('button', { name: 'Swap' }).click();
    await page.getByText('No chain of calls leads there').waitFor();
    await look('graph-no-path');
    await page.getByRole('button', { name: 'Look the other way' }).click();
    await page.getByText('4 calls').first().waitFor();
    quiet();
  });
});
