import assert from 'node:assert/strict';
import { ERRORS } from '@service-mcp/core';
import { rejects, testHost, type TestHost } from '@service-mcp/core/testing';
import help from '@service-mcp/plugin-help';

describe('help', () => {
  let host: TestHost;
  before(async () => {
    host = await testHost({ plugins: [help] });
  });
  after(() => host.stop());

  it('reports the version', async () => {
    assert.deepEqual(await host.use('help', { action: 'version' }), {
      server: 'service-mcp',
      version: host.deployment.version,
    });
  });

  it('lists the tools of the request, the toolsets and the errors', async () => {
    const { tools } = (await host.use('help')) as { tools?: Array<{ name: string }> };
    assert.deepEqual(
      tools?.map((tool) => tool.name),
      ['help'],
    );
    const { toolsets } = (await host.use('help', { action: 'toolsets' })) as { toolsets?: object[] };
    assert.deepEqual(toolsets?.[0], {
      id: 'help',
      description: 'Show the version, tools, toolsets and error codes.',
      tools: ['help'],
    });
    assert.equal(toolsets?.length, 3);
    const { errors } = (await host.use('help', { action: 'errors' })) as { errors?: Array<{ code: string }> };
    assert.deepEqual(
      errors?.map((error) => error.code),
      Object.keys(ERRORS),
    );
  });

  it('names the valid actions', async () => {
    const known = /^action: must be one of version, tools, toolsets, errors$/;
    await rejects(host.use('help', { action: 'x' }), 'INVALID_ARGUMENT', known);
  });
});
