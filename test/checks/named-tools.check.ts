import assert from 'node:assert/strict';
import { SURFACES, type JsonSchema, type Surface, type ToolInfo } from '@service-mcp/core';
import { defaultTools } from './deployment.js';

const tools = (await defaultTools()).map(({ info }) => info);
const named = new Map(tools.map((info) => [info.name, info]));

/** The tools that the texts of a tool name: of its description, and of its arguments. */
function toolsNamedBy({ description, inputSchema }: ToolInfo): ToolInfo[] {
  const words = `${description} ${textsOf(inputSchema)}`.match(/\b[a-z]+_[a-z_]+\b/g) ?? [];
  return [...new Set(words)].flatMap((word) => named.get(word) ?? []);
}

/** Without what programs alone read: the tool that lists ids may be another one than their description names. */
const UNREAD: ReadonlySet<string> = new Set(['enum', 'x-listed-by']);

function textsOf(schema: JsonSchema): string {
  return JSON.stringify(schema, (key, value: unknown) => (UNREAD.has(key) ? undefined : value));
}

function absentOn(surface: Surface, info: ToolInfo): string[] {
  if (!info.surfaces.includes(surface)) return [];
  return toolsNamedBy(info)
    .filter(({ surfaces }) => !surfaces.includes(surface))
    .map(({ name }) => `${info.name} on ${surface} names ${name}`);
}

describe('named tools: a text names only tools of the surface that shows it', () => {
  for (const surface of SURFACES)
    it(surface, () =>
      assert.deepEqual(
        tools.flatMap((info) => absentOn(surface, info)),
        [],
      ),
    );

  it('the list that MCP has by default', () => {
    const listed = tools.filter(({ level, surfaces }) => level !== 'complete' && surfaces.includes('mcp'));
    const absent = listed.flatMap((info) =>
      toolsNamedBy(info).flatMap((other) =>
        listed.includes(other) ? [] : [`${info.name} names ${other.name}`],
      ),
    );
    assert.deepEqual(absent, []);
  });
});
