import { invalidArgument, type SchemaChecks } from '@service-mcp/core';
import { Type, type Static } from 'typebox';
import { idAt } from '../map-id.js';
import type { Format } from './index.js';
import { nodeTypeOf, relationOf, titleOf } from './words.js';

const Name = Type.String({ minLength: 1, maxLength: 100_000 });
const Entity = Type.Object({
  name: Name,
  entityType: Type.String({ maxLength: 1000 }),
  observations: Type.Array(Type.String()),
});
const Relation = Type.Object({
  from: Name,
  to: Name,
  relationType: Type.String({ minLength: 1, maxLength: 2000 }),
});

/**
 * The file of the official memory server (`@modelcontextprotocol/server-memory`), one JSON object a line: an entity
 * becomes a node with its observations as content, a relation an edge of the closest type with its own word as context.
 */
export const mcpMemory = (checks: SchemaChecks): Format => ({
  read(value) {
    if (value['type'] === 'entity') {
      checks.check(Entity, value);
      return [nodeOf(value as Static<typeof Entity>)]; // as just checked
    }
    if (value['type'] === 'relation') {
      checks.check(Relation, value);
      return [edgeOf(value as Static<typeof Relation>)];
    }
    throw invalidArgument('/type', 'must be entity or relation');
  },
  ends(value) {
    const { from, to, relationType } = value as Static<typeof Relation>; // as `read` has checked
    return relationOf(relationType).reversed ? { source: to, target: from } : { source: from, target: to };
  },
});

const idOf = (name: string) => idAt(undefined, `mcp-memory entity ${name}`);

function nodeOf({ name, entityType, observations }: Static<typeof Entity>) {
  const title = titleOf(name);
  const said = observations.map((observation) => `- ${observation}`).join('\n');
  return {
    record: 'node',
    id: idOf(name),
    node_type: nodeTypeOf(entityType),
    title,
    content: [...(title === name && said !== '' ? [] : [name]), said].filter(Boolean).join('\n'),
    metadata: { mcp_memory: { entity_type: entityType } },
  };
}

function edgeOf({ from, to, relationType }: Static<typeof Relation>) {
  const { type, reversed } = relationOf(relationType);
  const [source, target] = reversed ? [to, from] : [from, to];
  return {
    record: 'edge',
    id: idAt(undefined, `mcp-memory relation ${JSON.stringify([from, to, relationType])}`),
    source_node_id: idOf(source),
    target_node_id: idOf(target),
    relation_type: type,
    context: relationType,
  };
}
