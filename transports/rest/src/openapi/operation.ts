import { roleInWorkspace, type JsonSchema } from '@service-mcp/core';
import { LINES_TYPE } from '@service-mcp/core/http';
import { pathParametersOf } from '../arguments.js';
import type { HttpTool, Mounted } from '../paths.js';
import { bodyExample } from './body-example.js';
import type { ComponentSchemas } from './component-schemas.js';
import { METADATA, failuresOf, type FailureResponses } from './failures.js';

type Embed = (part: JsonSchema) => JsonSchema;

/**
 * One operation object: a tool under one of its paths. `id`: the name of the tool on the first of its paths.
 */
export function operation(
  { tool, path, bare }: Mounted,
  id: string,
  schemas: ComponentSchemas,
  failures: FailureResponses,
): Record<string, unknown> {
  const { name, http } = tool;
  const role = roleInWorkspace(tool);
  const embedInput = schemas.embedder(`${name}_input`, tool.inputSchema);
  const { parameters, requestBody } = splitInput(tool, path, embedInput);
  const embed = schemas.embedder(`${name}_output`, tool.outputSchema);
  const output = embed(tool.outputSchema);
  return {
    operationId: id,
    tags: [tool.plugin],
    summary: bare && path !== http.path ? `${tool.title} (bare page)` : tool.title,
    description: tool.description,
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: {
      [http.status]: http.streams === 'out' ? answerOfLines(output) : answerOf(output, bare, embed(METADATA)),
      ...failures.of(failuresOf(tool)),
    },
    ...(tool.access.scope === 'public' && { security: [] }),
    'x-effect': tool.effect,
    'x-scope': tool.access.scope,
    ...(role && { 'x-role': role }),
    ...(tool.access.unlessSelf !== undefined && { 'x-unless-self': tool.access.unlessSelf }),
    'x-surfaces': tool.surfaces,
    'x-tool': name,
    'x-toolset': tool.toolset,
  };
}

function answerOf(output: JsonSchema, bare: boolean, metadata: JsonSchema) {
  return {
    description: bare ? 'The page itself, without the envelope.' : 'The result, in the envelope.',
    content: { 'application/json': { schema: bare ? output : envelopeOf(output, metadata) } },
  };
}

function answerOfLines(last: JsonSchema) {
  return {
    description:
      'JSON objects, one a line. The last line has the schema x-last-line; without it, the answer was cut off.',
    content: { [LINES_TYPE]: { schema: { type: 'string' }, 'x-last-line': last } },
  };
}

function envelopeOf(data: JsonSchema, metadata: JsonSchema) {
  return {
    type: 'object',
    required: ['success', 'data', 'error', 'metadata'],
    properties: { success: { type: 'boolean', const: true }, data, error: { type: 'null' }, metadata },
  };
}

/** The input schema, split into what travels in the path, the query and the body. */
function splitInput(tool: HttpTool, path: string, embed: Embed) {
  const schema = tool.inputSchema;
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>;
  const required = new Set((schema['required'] ?? []) as readonly string[]);
  const inPath = pathParametersOf(path);
  const rest = Object.entries(properties).filter(([name]) => !inPath.includes(name));
  const parameter = (place: 'path' | 'query', name: string, isRequired: boolean) =>
    parameterOf(place, name, embed(properties[name] ?? { type: 'string' }), isRequired);
  const parameters = inPath.map((name) => parameter('path', name, true));
  const { method, streams } = tool.http;
  if (method === 'GET' || method === 'DELETE' || streams) {
    const query = rest.map(([name]) => parameter('query', name, required.has(name)));
    return { parameters: [...parameters, ...query], ...(streams === 'in' && { requestBody: BODY_OF_LINES }) };
  }
  if (rest.length === 0) return { parameters };
  const wanted = rest.map(([name]) => name).filter((name) => required.has(name));
  const body = without(schema, inPath);
  const example = bodyExample(body);
  const content = { 'application/json': { schema: embed(body), ...(example !== undefined && { example }) } };
  return { parameters, requestBody: { required: wanted.length > 0, content } };
}

/** The schema of the arguments but for those in the path; it is another one, and has no title. */
function without(schema: JsonSchema, names: readonly string[]): JsonSchema {
  if (names.length === 0) return schema;
  const { properties, required = [], title: _title, ...others } = schema;
  const left = Object.entries(properties as object).filter(([name]) => !names.includes(name));
  const wanted = (required as readonly string[]).filter((name) => !names.includes(name));
  return {
    ...others,
    properties: Object.fromEntries(left),
    ...(wanted.length > 0 && { required: wanted }),
  };
}

const BODY_OF_LINES = {
  description: 'JSON objects, one a line of at most 1 MiB; any number of lines.',
  required: true,
  content: { [LINES_TYPE]: { schema: { type: 'string' } } },
};

function parameterOf(place: 'path' | 'query', name: string, property: JsonSchema, required: boolean) {
  const { description, ...schema } = property;
  return { name, in: place, ...(typeof description === 'string' && { description }), required, schema };
}
