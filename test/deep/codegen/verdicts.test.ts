import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Service } from '../../start-service.js';
import { startDeployment } from '../../codegen/support/deployment.js';
import { openWorkbench, runCodegen, type Workbench } from '../../codegen/support/generated.js';
import { valuesOf } from '../../codegen/support/values.js';
import { compare, serviceValidator, type Validator } from '../../codegen/support/verdicts.js';

const RUNS = 120;

interface Tool {
  readonly name: string;
  readonly inputSchema: Record<string, unknown>;
  readonly outputSchema: Record<string, unknown>;
}

/** Each schema of the deployment's tools: the generated validator and Ajv, over the same values. */
describe("codegen: the client's verdict is the service's", () => {
  let service: Service & { readonly key: string };
  let bench: Workbench;
  let tools: readonly Tool[];
  let validators: Readonly<Record<string, Validator>>;
  before(async () => {
    service = await startDeployment();
    bench = await openWorkbench();
    const { stdout, stderr, code } = await runCodegen(['--url', service.url], {
      SERVICE_API_KEY: service.key,
    });
    assert.equal(code, 0, stderr);
    validators = await bench.load(stdout);
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
      'service-mcp/whole-schemas': true,
    };
    const reply = await fetch(`${service.url}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/list',
        'x-service-toolset': 'complete',
        'x-service-api-key': service.key,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: meta } }),
    });
    ({ tools } = ((await reply.json()) as { result: { tools: readonly Tool[] } }).result);
  });
  after(async () => {
    await bench.remove();
    await service.stop();
  });

  /** `search_hybrid` is `searchHybrid`. */
  const methodOf = (name: string) => name.replace(/_(\w)/g, (_all, letter: string) => letter.toUpperCase());

  for (const kind of ['input', 'output'] as const) {
    it(`on every ${kind} schema, for values that fit, that nearly fit, and any`, () => {
      assert.ok(tools.length > 20);
      for (const tool of tools) {
        const schema = tool[`${kind}Schema`];
        const generated = validators[`${methodOf(tool.name)}${kind === 'input' ? 'Input' : 'Output'}`];
        assert.ok(generated, tool.name);
        const validate = serviceValidator().compile(schema);
        const seen = { accepted: 0, refused: 0 };
        const check = (value: unknown) => {
          const { accepted, difference } = compare(JSON.stringify(value), generated, validate);
          seen[accepted ? 'accepted' : 'refused'] += 1;
          assert.equal(difference, undefined, `${tool.name}: ${difference}`);
          return accepted;
        };
        fc.assert(
          fc.property(valuesOf(schema, false), (value) => {
            check(value);
          }),
          { numRuns: RUNS / 3 },
        );
        fc.assert(
          fc.property(fc.oneof({ weight: 9, arbitrary: valuesOf(schema, true) }, fc.jsonValue()), (value) => {
            check(value);
          }),
          { numRuns: RUNS },
        );
        assert.ok(seen.accepted >= RUNS / 6, `${tool.name}: ${seen.accepted} accepted of ${RUNS}`);
        assert.ok(seen.refused >= 5, `${tool.name}: ${seen.refused} refused of ${RUNS}`);
      }
    });
  }
});
