import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { startDeployment } from '../../codegen/support/deployment.js';
import { openWorkbench, runCodegen } from '../../codegen/support/generated.js';

const EXAMPLE = new URL('../../../../docs/guides/examples/client/find.ts', import.meta.url);

interface Example {
  find(url: string, key: string, words: string): Promise<{ path: string; content: string }[]>;
}

describe('codegen: the example of the guide', () => {
  it('is typed, and finds the stored file', async () => {
    const service = await startDeployment();
    const bench = await openWorkbench();
    try {
      const args = ['--url', service.url, '--toolset', 'standard'];
      const { stdout } = await runCodegen(args, { SERVICE_API_KEY: service.key });
      const text = await readFile(EXAMPLE, 'utf8');
      const files = [await bench.write('service-client.ts', stdout), await bench.write('find.ts', text)];
      assert.equal(await bench.compile('7', {}, ...files), '');

      const workspace = await service.use<{ id: string }>('workspaces_create', { name: 'Team' });
      const project = await service.use<{ id: string }>('projects_create', {
        workspace_id: workspace.id,
        name: 'notes',
      });
      const content = '# Lamp\n\nTrim the wick at dusk.\n';
      await service.use('files_ingest', { project_id: project.id, files: [{ path: 'lamp.md', content }] });
      await bench.load(stdout, 'service-client.js');
      const example = await bench.load<Example>(text, 'find.js');
      const [first] = await example.find(service.url, service.key, 'wick');
      assert.equal(first?.path, 'lamp.md');
    } finally {
      await bench.remove();
      await service.stop();
    }
  });
});
