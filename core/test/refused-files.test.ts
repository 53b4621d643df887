import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadDeployment } from '@service-mcp/core/host';
import { refuses } from './fixtures.js';

describe('boot refuses from a file', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'service-mcp-load-'));
  });
  after(() => rm(folder, { recursive: true }));
  const load = async (text: string) => {
    const file = join(folder, 'deployment.json');
    await writeFile(file, text);
    return loadDeployment({ file, env: {} });
  };
  it('a file that is absent, no JSON, or names no lists', async () => {
    await refuses(
      () => loadDeployment({ file: join(folder, 'none.json'), env: {} }),
      /none\.json/,
      /--config/,
    );
    await refuses(() => load('{'), /deployment\.json/, /Fix/);
    await refuses(() => load('[]'), /deployment\.json/, /plugins/);
    await refuses(() => load('{"plugins": "a", "transports": []}'), /"plugins"/, /\["…"\]/);
  });
  it('a package that is absent, broken, or no plugin', async () => {
    await refuses(
      () => load('{"plugins": ["no-such-package"], "transports": []}'),
      /no-such-package/,
      /npm install/,
    );
    await writeFile(join(folder, 'broken.mjs'), 'throw new Error("oh")');
    await refuses(
      () => load('{"plugins": ["./broken.mjs"], "transports": []}'),
      /broken/,
      /reinstall/,
      /: oh \(.*:1:7/,
    );
    await writeFile(join(folder, 'half.mjs'), 'export default {');
    await refuses(
      () => load('{"plugins": ["./half.mjs"], "transports": []}'),
      /half/,
      /^Find the line with: node \/\S+half\.mjs\./,
    );
    for (const [name, value] of Object.entries({ plain: '{}', raw: "{ id: 'a', api: '^1' }" })) {
      await writeFile(join(folder, `${name}.mjs`), `export default ${value}`);
      const loads = () => load(`{"plugins": ["./${name}.mjs"], "transports": []}`);
      await refuses(loads, new RegExp(name), /^Write there: export default definePlugin\(/);
    }
  });
});
