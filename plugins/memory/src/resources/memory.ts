import { Database, defineResource, type ChangeEvent } from '@service-mcp/core';
import { MemoryEvents } from '../events.js';
import { KnowledgeNodes } from '../nodes.js';
import { eventText, nodeText } from '../result-text.js';
import { References, type Referring } from '../services/code-refs.js';

const changed = ({ data }: ChangeEvent) => ({ memory_id: String(data['id']) });

export const memoryResource = defineResource({
  uriTemplate: 'service://memory/{memory_id}',
  name: 'memory',
  title: 'A memory',
  description: 'One event or knowledge node with its content.',
  mimeType: 'text/markdown',
  access: { scope: 'memory:read', in: { resource: 'memory', id: 'memory_id' } },
  uses: { events: MemoryEvents, nodes: KnowledgeNodes, references: References, database: Database },
  changedBy: {
    'memory.node.updated': changed,
    'memory.node.superseded': changed,
    'memory.node.deleted': changed,
    'memory.node.restored': changed,
    'memory.event.updated': changed,
    'memory.event.deleted': changed,
    'memory.event.restored': changed,
  },
  async read({ memory_id: id }, { events, nodes, references, database }) {
    const isEvent = (await database.sql('memory_events').where({ id }).first('id')) !== undefined;
    const textOf = async <T extends Referring>(record: T, text: (record: T) => string) => {
      const [now = record] = await references.current([record]);
      return text(now);
    };
    const text = isEvent
      ? await textOf(await events.get(id), eventText)
      : await textOf(await nodes.get(id), nodeText);
    return [{ uri: `service://memory/${id}`, mimeType: 'text/markdown', text }];
  },
});
