import assert from 'node:assert/strict';
import { functionsOfPackage, withVersions } from '@service-mcp/plugin-graph/internals';

const SCRIPTS = '[project.scripts]\n';
const versionsIn = (manifest: string, text: string, ...modules: string[]) =>
  withVersions(modules, 'src/a', async () => new Map([[manifest, text]]));

describe('manifests of a project', () => {
  it('name the functions of commands, with comments and either line end', () => {
    for (const end of ['\n', '\r\n'])
      assert.deepEqual(
        functionsOfPackage(
          'pyproject.toml',
          `${SCRIPTS}a = "shop.cli:run" # x${end}b = shop.other ; y${end}`,
        ),
        [
          { module: 'shop.cli', name: 'run' },
          { module: 'shop.other', name: undefined },
        ],
      );
  });

  it('state versions of modules', async () => {
    const text =
      'module example.org/shop\nrequire golang.org/x/text v0.3.0\n\tgopkg.in/yaml.v3 v3.0.1 // indirect\n';
    assert.deepEqual(await versionsIn('go.mod', text, 'golang.org/x/text/language', 'gopkg.in/yaml.v3'), [
      { name: 'golang.org/x/text/language', version: 'v0.3.0' },
      { name: 'gopkg.in/yaml.v3', version: 'v3.0.1' },
    ]);
  });

  it('state the version of a package for the longest of its modules', async () => {
    const text = 'require golang.org/x/text v0.3.0\n';
    const deep = `golang.org/x/text/${'a/'.repeat(100_000)}`;
    assert.deepEqual(await versionsIn('go.mod', text, deep), [{ name: deep, version: 'v0.3.0' }]);
  });

  // Queries read them in the event loop of the service.
  it('are read in a time that grows with their length alone', async () => {
    const startedAt = performance.now();
    await versionsIn('go.mod', `${'./'.repeat(490)}\n`.repeat(1000), 'example.org/x');
    functionsOfPackage('pyproject.toml', `${SCRIPTS}${'=A#'.repeat(100_000)}\r\n`);
    functionsOfPackage('pyproject.toml', `${SCRIPTS}${'=A '.repeat(100_000)}!\n`);
    assert.ok(performance.now() - startedAt < 3000);
  });
});
