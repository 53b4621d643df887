import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { dashboardSuite } from '../support/dashboard-suite.js';
import { GARDEN_CODE } from '../support/garden-code.js';

const AREAS = 40;
const FILES = 50;
const GRID = 14;
/** Height of a name on the map. */
const LINE_PX = 15;

describe('dashboard: map of a project', () => {
  const suite = dashboardSuite();

  it('shows areas on a map and in a list in step, then files, then symbols', async () => {
    const project = await suite.addProject('Garden shop', GARDEN_CODE);
    const { page, look, quiet } = await suite.open(`graph?project=${project}`);
    const areas = page.getByRole('region', { name: 'Areas' });
    await areas.getByRole('button', { name: 'src' }).waitFor();
    await page.locator('canvas[data-spots="19"]').waitFor(); // 4 areas and 15 files
    await look('graph-map');
    await pointAt(page, 'src');
    await page.mouse.down({ button: 'right' });
    await page.mouse.up({ button: 'right' });
    assert.equal(new URL(page.url()).searchParams.get('area'), null);
    await page.mouse.down();
    await page.mouse.up();
    const files = page.getByRole('region', { name: 'Files of the area' });
    await files.getByText('11 files').waitFor();
    assert.equal(new URL(page.url()).searchParams.get('area'), 'src');
    await page.getByRole('region', { name: 'Used by' }).getByRole('button', { name: /test/ }).waitFor();
    await look('graph-map-area');
    await page.keyboard.press('j');
    await page.locator('.neighbour.active').waitFor();
    await files.getByRole('button', { name: 'store.ts' }).click();
    await page.getByRole('heading', { name: 'src/stock/store.ts' }).waitFor();
    await page.goBack();
    await files.getByRole('button', { name: 'All areas' }).click();
    await areas.waitFor();
    quiet();
  });

  it('cuts a long name on the map, so that it does not lie across the others', async () => {
    const name = `${'a_name_that_goes_on_'.repeat(9)}end.ts`;
    const project = await suite.addProject('Long names', { [name]: 'export const one = 1;\n' });
    const { page, quiet } = await suite.open('');
    await page.addInitScript(`
      globalThis.drawn = [];
      const { fillText } = CanvasRenderingContext2D.prototype;
      CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
        drawn.push(text);
        return fillText.call(this, text, ...place);
      };
    `);
    await page.goto(`${suite.service.url}/app/graph?project=${project}`);
    const isDrawn = () => (globalThis as { drawn?: string[] }).drawn?.some((text) => text.endsWith('end.ts'));
    await page.waitForFunction(isDrawn);
    const drawn = await page.evaluate<string[]>('drawn');
    assert.ok(Math.max(...drawn.map(({ length }) => length)) <= 40, drawn.join(', '));
    quiet();
  });

  it('draws names whole that begin or end beyond the edges of the map', async () => {
    const folders = Array.from({ length: 9 }, (_, index) => `package-${index}/folder-with-a-long-name`);
    const project = await suite.addProject(
      'Long folders',
      Object.fromEntries(folders.map((folder) => [`${folder}/one.ts`, 'export const one = 1;\n'])),
    );
    const { page, quiet } = await suite.open('');
    await page.setViewportSize({ width: 390, height: 844 });
    await page.addInitScript(`
      globalThis.edges = [];
      const { fillText } = CanvasRenderingContext2D.prototype;
      CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
        const half = this.measureText(text).width / 2;
        edges.push(Math.min(x - half, this.canvas.clientWidth - x - half));
        return fillText.call(this, text, x, y);
      };
    `);
    await page.goto(`${suite.service.url}/app/graph?project=${project}`);
    await page.waitForFunction(() => (globalThis as { edges?: number[] }).edges?.length);
    for (let times = 0; times < 4; times++) await page.getByRole('button', { name: 'Closer' }).click();
    const edges = await page.evaluate<number[]>('edges');
    assert.ok(Math.min(...edges) >= 0, edges.join(', '));
    quiet();
  });

  it('leaves space between the names of many areas, and draws one whole that is pointed out', async () => {
    const folders = Array.from({ length: 60 }, (_, at) => `package-${at % 9}/source/folder-of-part-${at}`);
    const project = await suite.addProject(
      'Many areas',
      Object.fromEntries(
        folders.flatMap((folder, at) =>
          Array.from({ length: at % 20 === 0 ? 4 : 1 }, (__, file) => [
            `${folder}/${file}.ts`,
            'export const one = 1;\n',
          ]),
        ),
      ),
    );
    const { page, quiet } = await suite.open('');
    await page.addInitScript(`
      globalThis.boxes = [];
      const { clearRect, fillText } = CanvasRenderingContext2D.prototype;
      CanvasRenderingContext2D.prototype.clearRect = function (...place) {
        boxes = [];
        return clearRect.apply(this, place);
      };
      CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
        boxes.push({ text, x, y, width: this.measureText(text).width });
        return fillText.call(this, text, x, y);
      };
    `);
    await page.goto(`${suite.service.url}/app/graph?project=${project}`);
    await page.waitForFunction(() => (globalThis as { boxes?: unknown[] }).boxes?.length);
    const drawn = () =>
      page.evaluate<{ text: string; x: number; y: number; width: number }[]>('globalThis.boxes');
    const names = await drawn();
    assert.ok(names.length > 5, `${names.length} names`);
    for (const [at, one] of names.entries()) {
      assert.match(one.text, /^(?:…\/)?[\w-]+(?:\/[\w-]+)*$/); // cut where a folder begins
      for (const other of names.slice(at + 1)) {
        const [beside, above] = [Math.abs(one.x - other.x), Math.abs(one.y - other.y)];
        const isApart = beside >= (one.width + other.width) / 2 + 8 || above >= LINE_PX + 3;
        assert.ok(isApart, `${one.text} and ${other.text}`);
      }
    }
    const area = page.getByRole('region', { name: 'Areas' }).getByRole('button').first();
    await area.focus();
    const whole = await area.textContent();
    await page.waitForFunction(
      (name) => (globalThis as { boxes?: { text: string }[] }).boxes?.some(({ text }) => text === name),
      whole,
    );
    quiet();
  });

  it('zooms by the wheel and by buttons, and moves with the pointer', async () => {
    const { page, quiet } = await suite.open('graph');
    const canvas = page.locator('canvas[data-spots="19"]');
    await canvas.waitFor();
    const picture = () => canvas.evaluate((element: HTMLCanvasElement) => element.toDataURL());
    const whole = await picture();
    const changes = async (act: () => Promise<void>) => {
      const before = await picture();
      await act();
      await page.waitForFunction((old) => document.querySelector('canvas')?.toDataURL() !== old, before);
    };
    await changes(() => page.getByRole('button', { name: 'Closer' }).click());
    await canvas.hover();
    await changes(() => page.mouse.wheel(0, -300));
    await changes(async () => {
      await page.mouse.down();
      await page.mouse.move(500, 500);
      await page.mouse.up();
    });
    await page.getByRole('button', { name: 'Fit' }).click();
    await canvas.hover();
    await page.mouse.down();
    await canvas.dispatchEvent('pointercancel'); // the system takes the pointer
    await page.mouse.move(300, 300);
    await page.mouse.up();
    await page.mouse.move(5, 5);
    await page.waitForFunction((old) => document.querySelector('canvas')?.toDataURL() === old, whole);
    assert.equal(await page.evaluate(() => scrollY), 0);
    quiet();
  });

  it('draws 2,000 files', async () => {
    const { id: project_id } = await suite.service.call<{ id: string }>('projects_create', {
      workspace_id: suite.workspaceId,
      name: 'Large',
    });
    const files = largeProject();
    for (let at = 0; at < files.length; at += 500)
      await suite.service.call('files_ingest', { project_id, files: files.slice(at, at + 500) });
    // The graph is whole long before all files can be searched.
    for (let known = 0; known < files.length;) {
      const { totals } = await suite.service.call<{ totals: { files: number } }>('graph_overview', {
        project_id,
        limit: 1,
      });
      known = totals.files;
      if (known < files.length) await new Promise((resolve) => setTimeout(resolve, 200));
    }
    const { page, look, quiet } = await suite.open(`graph?project=${project_id}`);
    await page.getByRole('region', { name: 'Areas' }).getByText('40 areas').waitFor();
    await page.locator(`canvas[data-spots="${AREAS + AREAS * FILES}"]`).waitFor();
    await look('graph-map-large');
    await page.getByRole('button', { name: 'src/area7', exact: true }).click();
    await page.getByText('50 files', { exact: true }).waitFor();
    await look('graph-map-large-area');
    quiet();
  });
});

/** Moves the pointer over the map until it is on an area, which the list then points out. */
async function pointAt(page: Page, area: string): Promise<void> {
  const box = await page.locator('canvas').boundingBox();
  assert.ok(box);
  for (let step = 0; step < GRID * GRID; step++) {
    const x = box.x + (box.width * ((step % GRID) + 0.5)) / GRID;
    const y = box.y + (box.height * (Math.floor(step / GRID) + 0.5)) / GRID;
    await page.mouse.move(x, y);
    const active = page.locator('.neighbour.active .neighbour-name');
    if ((await active.count()) > 0 && (await active.textContent()) === area) return;
  }
  assert.fail(`${area} is not on the map`);
}

/** Files in 40 folders, each of which calls into another folder. */
function largeProject(): { readonly path: string; readonly content: string }[] {
  return Array.from({ length: AREAS * FILES }, (_, index) => {
    const [area, file] = [Math.floor(index / FILES), index % FILES];
    const [otherArea, otherFile] = [(area * 7 + file) % AREAS, (file * 3 + 1) % FILES];
    const called = `run${otherArea}x${otherFile}`;
    return {
      path: `src/area${area}/file${file}.ts`,
      content: `import { ${called} } from '../area${otherArea}/file${otherFile}';\nexport function run${area}x${file}(): number {\n  return ${called}() + help();\n}\nfunction help(): number {\n  return ${file};\n}\n`,
    };
  });
}
