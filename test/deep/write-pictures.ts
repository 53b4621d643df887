// Writes the pictures of docs/guides/dashboard.md from those that the tests of the dashboard take:
//   PAGES_PICTURES=FOLDER npm run test:deep -- --grep dashboard && node test/dist/deep/write-pictures.js FOLDER
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../checks/repository.js';
import { startBrowser } from './support/browser.js';

/** Names in the guide by those that the tests give. */
const PICTURES = {
  'home-light-wide': 'home',
  'search-file-light-wide': 'search',
  'files-failed-light-wide': 'files',
  'graph-neighbours-light-wide': 'graph',
  'graph-map-large-dark-wide': 'graph-map',
  'graph-impact-light-wide': 'graph-impact',
  'graph-cycles-light-wide': 'graph-cycles',
  'graph-unused-light-wide': 'graph-unused',
  'memory-record-light-wide': 'memory',
  'decisions-superseded-light-wide': 'decisions',
  'timeline-chosen-light-wide': 'timeline',
  'clean-up-duplicates-light-wide': 'clean-up',
  'activity-light-wide': 'activity',
  'health-usage-light-wide': 'health',
  'explorer-result-light-wide': 'explorer',
  'toolsets-light-wide': 'toolsets',
  'keys-light-wide': 'keys',
  'members-light-wide': 'members',
};
const QUALITY = 0.85;
const folder = process.argv[2];
if (folder === undefined) {
  process.stderr.write('pictures: name the folder in PAGES_PICTURES\n');
  process.exit(2);
}
const target = join(ROOT, 'docs/guides/images');
const browser = await startBrowser();
const page = await browser.newPage();
for (const [taken, name] of Object.entries(PICTURES)) {
  const png = readFileSync(join(folder, `${taken}.png`)).toString('base64');
  const webp = await page.evaluate(encode, { png, quality: QUALITY });
  writeFileSync(join(target, `${name}.webp`), Buffer.from(webp, 'base64'));
}
await browser.close();

/** In the browser: a PNG as WebP, both in base64. */
async function encode({ png, quality }: { readonly png: string; readonly quality: number }): Promise<string> {
  const image = new Image();
  image.src = `data:image/png;base64,${png}`;
  await image.decode();
  const canvas = new OffscreenCanvas(image.width, image.height);
  canvas.getContext('2d')?.drawImage(image, 0, 0);
  const blob = await canvas.convertToBlob({ type: 'image/webp', quality });
  const bytes = new Uint8Array(await blob.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
