import type { JsonSchema } from '@service-mcp/core';

/** `/v1/projects/:project_id` as OpenAPI writes it: `/v1/projects/{project_id}`. */
export function openApiPath(path: string): string {
  return path.replaceAll(/:(\w+)/g, '{$1}');
}

/**
 * The schemas of a document's components. A tool's schema is a JSON Schema of its own; inside the document its
 * local references would point elsewhere, so their targets move here and the references are rewritten.
 */
export class SchemaBook {
  readonly #schemas = new Map<string, unknown>();

  /** `schema` fit to stand inside the document. `owner` names the moved schemas: the tool and the side, `files_list_output`. */
  embed(owner: string, schema: JsonSchema): JsonSchema {
    const rewrite = (node: unknown): unknown => {
      if (Array.isArray(node)) return node.map(rewrite);
      if (typeof node !== 'object' || node === null) return node;
      const out: Record<string, unknown> = {};
      for (const [key, value] of Object.entries(node)) {
        if (key === '$defs' || key === '$schema' || key === '$id') {
          if (typeof value === 'string' || key === '$defs') continue;
        }
        out[key] =
          key === '$ref' && typeof value === 'string' ? this.#reference(owner, value) : rewrite(value);
      }
      return out;
    };
    const defs = (schema['$defs'] ?? {}) as Readonly<Record<string, unknown>>;
    for (const [name, definition] of Object.entries(defs)) {
      this.#schemas.set(componentName(owner, name), rewrite(definition));
    }
    const embedded = rewrite(schema) as JsonSchema;
    if (JSON.stringify(schema).includes('"$ref":"#"')) this.#schemas.set(componentName(owner), embedded);
    return embedded;
  }

  /** By name, sorted. */
  sorted(): Record<string, unknown> {
    return Object.fromEntries([...this.#schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #reference(owner: string, target: string): string {
    if (target === '#') return `#/components/schemas/${componentName(owner)}`;
    const [, name, rest = ''] = /^#\/\$defs\/([^/]+)(\/.*)?$/.exec(target) ?? [];
    return name === undefined ? target : `#/components/schemas/${componentName(owner, name)}${rest}`;
  }
}

/** Names of components are `[A-Za-z0-9._-]+`. */
function componentName(...parts: string[]): string {
  return parts.join('.').replaceAll(/[^A-Za-z0-9._-]/g, '_');
}
