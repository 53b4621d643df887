import type { SchemaChecks } from '@service-mcp/core';
import { Type, type Static } from 'typebox';
import { idAt } from '../map-id.js';
import type { Format } from './index.js';
import { tagsOf, timeOf, titleOf } from './words.js';

const Memory = Type.Object({
  id: Type.Union([Type.String({ minLength: 1, maxLength: 200 }), Type.Integer()]),
  memory: Type.String({ minLength: 1, pattern: '\\S' }),
});

/** A memory of a mem0 export, one object of its array a line: a fact, with all its other fields as metadata. */
export const mem0 = (checks: SchemaChecks): Format => ({
  read(value) {
    checks.check(Memory, value);
    const { id, memory } = value as Static<typeof Memory>; // as just checked
    const { memory: _memory, metadata, categories, created_at, updated_at, ...others } = value;
    const [created, updated] = [timeOf(created_at), timeOf(updated_at)];
    const own = typeof metadata === 'object' && metadata !== null ? metadata : {};
    return [
      {
        record: 'node',
        id: idAt(created, `mem0 ${id}`),
        node_type: 'fact',
        title: titleOf(memory),
        content: memory,
        tags: tagsOf(Array.isArray(categories) ? categories : []),
        metadata: { ...own, mem0: others },
        ...(created !== undefined && { created_at: created, valid_from: created }),
        ...(updated !== undefined && { updated_at: updated }),
      },
    ];
  },
});
