import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 as Ajv } from 'ajv/dist/2020.js';
import { describeParts } from '@service-mcp/core/host';
import { openApiDocument } from '@service-mcp/transport-rest';
import { defaultPlugins, defaultTools, defaultTransports } from './deployment.js';
import { ROOT } from './repository.js';

interface Operation {
  readonly operationId: string;
  readonly 'x-tool'?: string;
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: object; readonly example?: unknown }>>;
  };
}

const REDOCLY = createRequire(import.meta.url).resolve('@redocly/cli/bin/cli.js');

describe('the OpenAPI document of the default deployment', () => {
  let document: ReturnType<typeof openApiDocument>;
  before(async () => {
    const plugins = (await defaultPlugins()).map(({ plugin }) => plugin);
    const transports = await defaultTransports();
    const tools = (await defaultTools()).map(({ info }) => info);
    document = openApiDocument(tools, {
      baseUrl: 'http://127.0.0.1:8080',
      version: '0.1.0',
      authenticated: true,
      ...describeParts({ plugins, transports }),
    });
  });

  it('passes redocly lint without a warning', () => {
    const folder = mkdtempSync(join(tmpdir(), 'openapi-'));
    try {
      const file = join(folder, 'openapi.json');
      writeFileSync(file, JSON.stringify(document));
      const config = join(ROOT, 'redocly.yaml');
      const args = [REDOCLY, 'lint', file, '--config', config, '--format', 'json', '--max-problems', '1000'];
      // Nothing leaves the machine: no usage data, no look for a newer version.
      const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
      const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8', env });
      assert.equal(status, 0, stderr);
      const { problems } = JSON.parse(stdout) as {
        problems: ReadonlyArray<{ ruleId: string; message: string }>;
      };
      assert.deepEqual(
        problems.map(({ ruleId, message }) => `${ruleId}: ${message}`),
        [],
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('has a body that it accepts for each operation of a tool that takes one', () => {
    const ajv = new Ajv({ strict: false, validateFormats: false });
    ajv.addSchema({ $id: 'openapi', components: document['components'] });
    let seen = 0;
    for (const methods of Object.values(document.paths))
      for (const operation of Object.values(methods) as Operation[]) {
        const body = operation.requestBody?.content['application/json'];
        if (operation['x-tool'] === undefined || !body) continue;
        seen += 1;
        const schema = JSON.parse(
          JSON.stringify(body.schema).replaceAll('"#/components', '"openapi#/components'),
        );
        const isValid = ajv.validate(schema, body.example);
        assert.ok(isValid, `${operation.operationId}: ${ajv.errorsText()}`);
      }
    assert.ok(seen > 30);
  });

  it('has a component for each record, once', () => {
    const { schemas } = document['components'] as { schemas: Record<string, unknown> };
    for (const name of [
      'Workspace',
      'Project',
      'ProjectFile',
      'SearchHit',
      'KnowledgeNode',
      'MemoryEvent',
      'ApiKey',
    ])
      assert.ok(schemas[name], `there is no component ${name}`);
    // A title that stayed in place is that of several schemas.
    const titles: string[] = [];
    JSON.stringify(
      { ...document, components: { ...(document['components'] as object), schemas: {} } },
      (key, value) => {
        if (key === 'title' && typeof value === 'string' && /^[A-Z]\w*$/.test(value)) titles.push(value);
        return value as unknown;
      },
    );
    assert.deepEqual(titles, []);
  });
});
