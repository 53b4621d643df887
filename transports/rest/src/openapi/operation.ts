import type { JsonSchema } from '@service-mcp/core';
import { LINES_TYPE } from '@service-mcp/core/http';
import { pathParametersOf } from '../arguments.js';
import type { HttpTool, Mounted } from '../paths.js';
import type { SchemaBook } from './schemas.js';

/** One operation object: a tool under one of its paths. */
export function operation({ tool, path, bare }: Mounted, book: SchemaBook): Record<string, unknown> {
  const { name, http } = tool;
  const { parameters, requestBody } = splitInput(tool, path, book);
  const output = book.embed(`${name}_output`, tool.outputSchema);
  return {
    ...(path === http.path && { operationId: name }),
    tags: [tool.plugin],
    summary: bare && path !== http.path ? `${tool.title} (bare page)` : tool.title,
    description: tool.description,
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: {
      [http.status]: http.streams === 'out' ? answerOfLines(output) : answerOf(output, bare),
      default: { $ref: '#/components/responses/Failure' },
    },
    ...(tool.access.scope === 'public' && { security: [] }),
    'x-effect': tool.effect,
    'x-scope': tool.access.scope,
    'x-tool': name,
    'x-toolset': tool.toolset,
  };
}

function answerOf(output: JsonSchema, bare: boolean) {
  return {
    description: bare ? 'The page itself, without the envelope.' : 'The result, in the envelope.',
    content: { 'application/json': { schema: bare ? output : envelopeOf(output) } },
  };
}

function answerOfLines(last: JsonSchema) {
  return {
    description:
      'JSON objects, one a line. The last line has the schema x-last-line; without it, the answer was cut off.',
    content: { [LINES_TYPE]: { schema: { type: 'string' }, 'x-last-line': last } },
  };
}

function envelopeOf(data: JsonSchema) {
  return {
    type: 'object',
    required: ['success', 'data', 'error', 'metadata'],
    properties: {
      success: { type: 'boolean', const: true },
      data,
      error: { type: 'null' },
      metadata: { $ref: '#/components/schemas/Metadata' },
    },
  };
}

/** The input schema, split into what travels in the path, the query and the body. */
function splitInput(tool: HttpTool, path: string, book: SchemaBook) {
  const schema = book.embed(`${tool.name}_input`, tool.inputSchema);
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>;
  const required = new Set((schema['required'] ?? []) as readonly string[]);
  const inPath = pathParametersOf(path);
  const rest = Object.entries(properties).filter(([name]) => !inPath.includes(name));
  const parameters = inPath.map((name) =>
    parameter('path', name, properties[name] ?? { type: 'string' }, true),
  );
  const { method, streams } = tool.http;
  if (method === 'GET' || method === 'DELETE' || streams) {
    const query = rest.map(([name, property]) => parameter('query', name, property, required.has(name)));
    return { parameters: [...parameters, ...query], ...(streams === 'in' && { requestBody: BODY_OF_LINES }) };
  }
  if (rest.length === 0) return { parameters };
  const wanted = rest.map(([name]) => name).filter((name) => required.has(name));
  const { properties: _all, required: _required, ...others } = schema;
  const body = {
    ...others,
    properties: Object.fromEntries(rest),
    ...(wanted.length > 0 && { required: wanted }),
  };
  return {
    parameters,
    requestBody: { required: wanted.length > 0, content: { 'application/json': { schema: body } } },
  };
}

const BODY_OF_LINES = {
  description: 'JSON objects, one a line of at most 1 MiB; any number of lines.',
  required: true,
  content: { [LINES_TYPE]: { schema: { type: 'string' } } },
};

function parameter(place: 'path' | 'query', name: string, property: JsonSchema, required: boolean) {
  const { description, ...schema } = property;
  return { name, in: place, ...(typeof description === 'string' && { description }), required, schema };
}
