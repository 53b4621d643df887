import { declaredPaths, type ToolInfo } from '@service-mcp/core';
import { pathsOf, restTools, type Mounted } from '../paths.js';
import {
  FAILURE_RESPONSE,
  FAILURE_SCHEMA,
  METADATA_SCHEMA,
  SECURITY,
  SECURITY_SCHEMES,
} from './components.js';
import { operation } from './operation.js';
import { openApiPath, SchemaBook } from './schemas.js';

export interface OpenApiOptions {
  /** The address clients use, without a slash at the end. */
  readonly baseUrl: string;
  /** The version of the deployment. */
  readonly version: string;
  /** False where the deployment asks for no credential. */
  readonly authenticated: boolean;
}

/** An OpenAPI 3.1 document: plain JSON. */
export type OpenApiDocument = Readonly<Record<string, unknown>> & {
  readonly openapi: '3.1.0';
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
};

const ABOUT = `Every route below is one tool; its operationId is the tool's name on every other surface.

Each \`/v1\` route answers under \`/api/v1\` too. Most answers are the envelope \`success\`, \`data\`, \`error\`, \`metadata\`;
paths that answer with the bare page are listed apart. In a query, an array is given by repeated keys or as one
comma-separated value, and \`page_size\` is an alias of \`per_page\`.`;

/**
 * The REST routes of `tools` as OpenAPI 3.1. The same tools give the same document, in whatever order they come:
 * paths, tags and components are sorted. A tool that has its bare page elsewhere has a second operation, without
 * an operationId (those are unique) but with the same `x-tool`.
 */
export function openApiDocument(
  tools: readonly ToolInfo[],
  { baseUrl, version, authenticated }: OpenApiOptions,
): OpenApiDocument {
  const book = new SchemaBook();
  const listed = restTools(tools)
    .toSorted((a, b) => compare(a.name, b.name))
    .flatMap((tool) => pathsOf(tool).filter(isListed));
  const paths: Record<string, Record<string, unknown>> = {};
  for (const mounted of listed.toSorted((a, b) => compare(openApiPath(a.path), openApiPath(b.path)))) {
    const item = (paths[openApiPath(mounted.path)] ??= {});
    item[mounted.tool.http.method.toLowerCase()] = operation(mounted, book);
  }
  const plugins = [...new Set(listed.map(({ tool }) => tool.plugin))].sort(compare);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Context Memory and Search Service',
      version,
      description: ABOUT,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: baseUrl }],
    ...(authenticated && { security: SECURITY }),
    tags: plugins.map((name) => ({ name })),
    paths,
    components: {
      schemas: { ...book.sorted(), Failure: FAILURE_SCHEMA, Metadata: METADATA_SCHEMA },
      responses: { Failure: FAILURE_RESPONSE },
      ...(authenticated && { securitySchemes: SECURITY_SCHEMES }),
    },
  };
}

/** The mirror of a `/v1` path under `/api` is left out, unless it answers differently there. */
function isListed({ tool, path, bare }: Mounted): boolean {
  return declaredPaths(tool.http).includes(path) || bare;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
