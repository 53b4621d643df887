import type { JsonSchema } from '@service-mcp/core';
import { isRecord } from '@service-mcp/core/wire';

/** Keywords whose values are data, and those whose keys are names rather than keywords. */
const DATA = new Set(['const', 'default', 'enum', 'examples']);
const NAMED = new Set(['properties', 'patternProperties', 'dependentSchemas', '$defs']);
const OWN = new Set(['description', 'default']);
/** Other titles are texts for people. */
const TITLE = /^[A-Z][A-Za-z0-9]*$/;

/**
 * The schemas of a document's components. The schema of an object with a title in PascalCase (`Workspace`) is one of them,
 * under its title, wherever it occurs; different schemas with one title stay where they are.
 * A tool's schema is a JSON Schema of its own; inside the document its local references would point elsewhere, so
 * their targets become components too, and the references are rewritten.
 */
export class ComponentSchemas {
  readonly #schemas = new Map<string, unknown>();
  /** The text of each schema with a title; undefined where several share the title. */
  readonly #textOf = new Map<string, string | undefined>();

  /** `all`: every schema that will be embedded, so that names do not depend on their order. */
  constructor(all: Iterable<JsonSchema>) {
    const note = (schema: JsonSchema): void => {
      const title = titleOf(schema);
      if (title !== undefined) {
        const text = JSON.stringify(sharedOf(schema));
        const isSame = !this.#textOf.has(title) || this.#textOf.get(title) === text;
        this.#textOf.set(title, isSame ? text : undefined);
      }
      mapParts(schema, note);
    };
    for (const schema of all) note(schema);
  }

  /**
   * A function that makes a part of `root` fit to stand inside the document. `owner` names what only it has: the tool and
   * the side, `files_list_output`.
   */
  embedder(owner: string, root: JsonSchema): (part: JsonSchema) => JsonSchema {
    const embed = (part: JsonSchema): JsonSchema => {
      const name = titleOf(part);
      if (name === undefined || this.#textOf.get(name) === undefined) return inside(part);
      if (!this.#schemas.has(name)) this.#schemas.set(name, inside(sharedOf(part)));
      return { $ref: `#/components/schemas/${name}`, ...ownOf(part) };
    };
    const inside = (part: JsonSchema): JsonSchema => {
      const { $defs: _defs, $schema: _schema, $id: _id, ...rest } = mapParts(part, embed);
      const { $ref } = rest;
      return typeof $ref === 'string' ? { ...rest, $ref: referenceIn(owner, $ref) } : rest;
    };
    for (const [name, definition] of Object.entries((root['$defs'] ?? {}) as Record<string, JsonSchema>))
      this.#schemas.set(componentName(owner, name), inside(definition));
    if (JSON.stringify(root).includes('"$ref":"#"')) this.#schemas.set(componentName(owner), inside(root));
    return embed;
  }

  /** By name, sorted. */
  sorted(): Record<string, unknown> {
    return Object.fromEntries([...this.#schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}

/** The name under which an object's schema is a component. One with local references belongs to its owner. */
function titleOf(schema: JsonSchema): string | undefined {
  const { title, type } = schema;
  if (type !== 'object' || typeof title !== 'string' || !TITLE.test(title)) return undefined;
  return JSON.stringify(schema).includes('"$ref":"#') ? undefined : title;
}

/** Of a schema, what may differ where it stands. */
function ownOf(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => OWN.has(key)));
}

/** Of a schema, what makes it the same wherever it stands. */
function sharedOf(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !OWN.has(key)));
}

/** A schema with each schema directly inside it replaced. */
function mapParts(schema: JsonSchema, replace: (part: JsonSchema) => unknown): JsonSchema {
  const part = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(part);
    return isRecord(value) ? replace(value) : value;
  };
  const entries = Object.entries(schema).map(([key, value]) => {
    if (DATA.has(key) || key.startsWith('x-')) return [key, value];
    if (!NAMED.has(key) || !isRecord(value)) return [key, part(value)];
    return [key, Object.fromEntries(Object.entries(value).map(([name, each]) => [name, part(each)]))];
  });
  return Object.fromEntries(entries);
}

function referenceIn(owner: string, target: string): string {
  if (target === '#') return `#/components/schemas/${componentName(owner)}`;
  const [, name, rest = ''] = /^#\/\$defs\/([^/]+)(\/.*)?$/.exec(target) ?? [];
  return name === undefined ? target : `#/components/schemas/${componentName(owner, name)}${rest}`;
}

/** Names of components are `[A-Za-z0-9._-]+`. */
function componentName(...parts: string[]): string {
  return parts.join('.').replaceAll(/[^A-Za-z0-9._-]/g, '_');
}
