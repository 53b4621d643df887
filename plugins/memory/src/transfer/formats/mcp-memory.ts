import { invalidArgument, type SchemaChecks } from '@service-mcp/core';
import { Type, type Static } from 'typebox';
import type { Ends } from '../import-entries.js';
import { idAt } from '../map-id.js';
import type { Format } from './index.js';
import { detached, nodeTypeOf, relationOf, titleOf } from './words.js';

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

/** Relations that wait for entities of later lines. */
const MAX_HELD = 200_000;
/** Of their words and names together. */
const MAX_HELD_CHARACTERS = 32 * 1024 * 1024;
/** Of a name that is held for a message. */
const MAX_NAME = 200;

/**
 * The file of the official memory server (`@modelcontextprotocol/server-memory`), one JSON object a line: an entity
 * becomes a node with its observations as content, a relation an edge of the closest type with its own word as context.
 * An entity that comes again adds its new observations. Holds up to 200,000 relations and 32 MiB of them, which may precede their entities.
 */
export function mcpMemory(checks: SchemaChecks): Format {
  const held: Array<{ readonly line: number; readonly record: object; readonly ends: Ends }> = [];
  let characters = 0;
  return {
    grows: true,
    read(value, line) {
      if (value['type'] === 'entity') {
        checks.check(Entity, value);
        return [nodeOf(value as Static<typeof Entity>)]; // as just checked
      }
      if (value['type'] !== 'relation') throw invalidArgument('/type', 'must be entity or relation');
      checks.check(Relation, value);
      const record = edgeOf(value as Static<typeof Relation>);
      if (held.length === MAX_HELD || characters > MAX_HELD_CHARACTERS) return [record];
      const ends = endsOf(value);
      characters += record.context.length + ends.source.length + ends.target.length;
      held.push({ line, record, ends });
      return [];
    },
    ends: endsOf,
    finish: () => held,
  };
}

function endsOf(value: Readonly<Record<string, unknown>>): Ends {
  const { from, to, relationType } = value as Static<typeof Relation>; // as `read` has checked
  const [source, target] = relationOf(relationType).reversed ? [to, from] : [from, to];
  return { source: detached(source.slice(0, MAX_NAME)), target: detached(target.slice(0, MAX_NAME)) };
}

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
