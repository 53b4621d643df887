import assert from 'node:assert/strict';
import fc from 'fast-check';
import { startForeign } from '../../codegen/support/foreign-server.js';
import { openWorkbench, runCodegen, type Workbench } from '../../codegen/support/generated.js';
import { ODD_DEFINITIONS, ODD_SCHEMAS } from '../../codegen/support/odd-schemas.js';
import { NUMBERS, TEXTS, valuesOf } from '../../codegen/support/values.js';
import { compare, serviceValidator, type Validator } from '../../codegen/support/verdicts.js';

const RUNS = 200;

/** Tools of other people's plugins: JSON Schema that ours do not use. */
describe('codegen: schemas that ours do not use', () => {
  let bench: Workbench;
  let source: string;
  let printed: string;
  const schemas = new Map(
    Object.entries(ODD_SCHEMAS).map(([name, schema]) => [
      name,
      {
        type: 'object',
        properties: { it: schema },
        required: ['it'],
        additionalProperties: false,
        $defs: ODD_DEFINITIONS,
      },
    ]),
  );
  before(async () => {
    bench = await openWorkbench();
    const tools = [...schemas].map(([name, inputSchema]) => ({
      name: name.replaceAll('-', '_'),
      inputSchema,
    }));
    const foreign = await startForeign(() => ({ tools }));
    try {
      const { stdout, stderr, code } = await runCodegen(['--url', foreign.url]);
      assert.equal(code, 0, stderr);
      [source, printed] = [stdout, stderr];
    } finally {
      await foreign.stop();
    }
  });
  after(() => bench.remove());

  it('get the verdict of the service', async () => {
    assert.equal(printed, '', 'nothing is left unchecked');
    const validators = await bench.load<Readonly<Record<string, Validator>>>(source);
    for (const [name, schema] of schemas) {
      const method = name.replace(/[_-](\w)/g, (_all, letter: string) => letter.toUpperCase());
      const generated = validators[`${method}Input`];
      assert.ok(generated, name);
      const validate = serviceValidator({ strict: false }).compile(schema);
      let accepted = 0;
      const check = (value: unknown) => {
        const verdict = compare(JSON.stringify(value), generated, validate);
        accepted += Number(verdict.accepted);
        assert.equal(verdict.difference, undefined, `${name}: ${verdict.difference}`);
      };
      for (const it of [...TEXTS, ...NUMBERS]) check({ it });
      fc.assert(fc.property(valuesOf(schema, false), check), { numRuns: RUNS / 2 });
      fc.assert(fc.property(valuesOf(schema, true), check), { numRuns: RUNS });
      assert.ok(accepted > 0, `${name}: none was accepted`);
    }
  });

  it('are typed', async () => {
    const file = await bench.write('odd.ts', source);
    assert.equal(await bench.compile('7', {}, file), '');
  });
});
