import assert from 'node:assert/strict';
import type { JsonSchema } from '@service-mcp/core';
import { briefEntry, toolEntry } from '@service-mcp/core/wire';
import { defaultTools } from './deployment.js';

/** Longer repetitions are refused by grammars that constrain what a model writes (llama.cpp). */
const MAX_REPETITION = 2000;

const tools = await defaultTools();

/** What model providers refuse in the schema of a function, each with its place. */
function providerFaults(schema: JsonSchema, path = ''): string[] {
  const { type, enum: values, anyOf, maxLength, pattern, properties, items } = schema;
  const faults = Object.keys(schema)
    .filter((key) => key.startsWith('x-'))
    .map((key) => `${path} has ${key}`);
  if (type === undefined && !Array.isArray(anyOf))
    faults.push(`${path} has no type${values === undefined ? '' : ' beside its enum'}`);
  if (Number(maxLength) > MAX_REPETITION) faults.push(`${path} has a maxLength of ${String(maxLength)}`);
  if (typeof pattern === 'string' && !/^\^.*\$$/.test(pattern)) faults.push(`${path} has an open pattern`);
  const parts = [
    ...Object.entries((properties ?? {}) as Record<string, JsonSchema>),
    ...((anyOf ?? []) as JsonSchema[]).map((branch, i) => [`|${i}`, branch] as const),
    ...(items === undefined ? [] : [['*', items as JsonSchema] as const]),
  ];
  return [...faults, ...parts.flatMap(([name, part]) => providerFaults(part, `${path}/${name}`))];
}

describe('listed schemas: what model providers take', () => {
  for (const { info } of tools)
    it(info.name, () => assert.deepEqual(providerFaults(briefEntry(info).inputSchema), []));

  it('lists of MCP and JSON-RPC have no keyword of our own', () => {
    for (const { info } of tools)
      assert.doesNotMatch(JSON.stringify([briefEntry(info), toolEntry(info)]), /"x-/, info.name);
    assert.match(
      JSON.stringify(tools.map(({ info }) => info.inputSchema)),
      /"x-listed-by"/,
      'OpenAPI keeps them',
    );
  });

  it('the rule finds what it looks for', () => {
    const schema = {
      type: 'object',
      properties: {
        a: { enum: ['x'] },
        b: { type: 'string', maxLength: 2001, 'x-of-ours': 1 },
        c: { type: 'array', items: { type: 'string', pattern: 'x' } },
        d: { anyOf: [{ type: 'string' }, {}] },
      },
    };
    assert.deepEqual(providerFaults(schema), [
      '/a has no type beside its enum',
      '/b has x-of-ours',
      '/b has a maxLength of 2001',
      '/c/* has an open pattern',
      '/d/|1 has no type',
    ]);
  });
});
