import assert from 'node:assert/strict';
import { declaredPaths } from '@service-mcp/core';
import { defaultTools } from './deployment.js';
import { routeFaults } from './route-rules.js';
import { inputFaults } from './schema-rules.js';

const tools = await defaultTools();

describe('declarations: required of every tool', () => {
  it('there are tools', () => assert.ok(tools.length > 0));

  for (const { tool } of tools) {
    it(tool.name, () => {
      const faults: string[] = [];
      const { name, title, description } = tool;
      if (!/^[a-z][a-z0-9_]{0,63}$/.test(name)) faults.push('the name is not 1 to 64 of a-z, 0-9 and _');
      if (title.length < 3 || title.length > 60) faults.push('the title must have 3 to 60 characters');
      if (description.length < 20 || description.length > 400) {
        faults.push(`the description has ${description.length} characters, not 20 to 400`);
      }
      if (tool.outputSchema['type'] !== 'object') faults.push('the output is not an object');
      faults.push(...inputFaults(tool.inputSchema), ...routeFaults(tool));
      assert.deepEqual(faults, []);
    });
  }

  it('routes are those of one tool each', () => {
    const routes = tools.flatMap(({ tool: { http } }) =>
      (http ? declaredPaths(http) : []).map((path) => `${http?.method} ${path.replaceAll(/:\w+/g, ':')}`),
    );
    assert.deepEqual(routes, [...new Set(routes)]);
  });
});

describe('declarations: the rules themselves', () => {
  const fault = (schema: object) => inputFaults({ type: 'object', additionalProperties: false, ...schema });
  const property = (schema: object) => fault({ properties: { a: { description: 'An a', ...schema } } });

  it('find open, undescribed and unbounded schemas, at any depth', () => {
    assert.deepEqual(inputFaults({ type: 'object', properties: {} }), ['the input is an open object']);
    assert.deepEqual(fault({ anyOf: [] }), ['has anyOf at the top']);
    assert.deepEqual(fault({ properties: { a: { type: 'boolean' } } }), ['/a has no description']);
    assert.equal(property({ type: 'string' }).length, 1);
    assert.equal(property({ type: 'integer', minimum: 0 }).length, 1);
    assert.equal(property({ type: 'array', items: { type: 'string' } }).length, 2);
    assert.equal(property({ type: 'object', properties: {} }).length, 1);
    assert.equal(property({ type: 'object', additionalProperties: true }).length, 1);
    assert.deepEqual(property({ type: 'object', additionalProperties: true, maxProperties: 9 }), []);
    assert.equal(property({ anyOf: [{ type: 'string' }, { type: 'null' }] }).length, 1);
    assert.deepEqual(property({ enum: ['x'] }), []);
  });
});
