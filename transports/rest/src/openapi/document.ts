import { declaredPaths, type OwnedRoute, type ToolInfo } from '@service-mcp/core';
import { pathsOf, restTools, type HttpTool, type Mounted } from '../paths.js';
import { ComponentSchemas } from './component-schemas.js';
import { FAILURE_SCHEMAS, FailureResponses, METADATA } from './failures.js';
import { operation } from './operation.js';
import { routeOperation, schemasOf } from './route-operation.js';
import { SECURITY, SECURITY_SCHEMES } from './security.js';

export interface OpenApiOptions {
  /** The address clients use, without a slash at the end. */
  readonly baseUrl: string;
  /** The version of the deployment. */
  readonly version: string;
  /** False where the deployment asks for no credential. */
  readonly authenticated: boolean;
  /** Routes that belong to no tool. */
  readonly routes?: readonly OwnedRoute[];
  /** What each plugin and transport is, by its id. */
  readonly descriptions?: ReadonlyMap<string, string>;
}

/** An OpenAPI 3.1 document: plain JSON. */
export type OpenApiDocument = Readonly<Record<string, unknown>> & {
  readonly openapi: '3.1.0';
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
};

const ABOUT = `Every operation with \`x-tool\` is one tool; its operationId is the tool's name on every other surface. Those of
other routes have a dot. \`x-surfaces\` names the surfaces that serve the tool; all of \`mcp\`, \`rpc\`, \`rest\` and
\`cli\` means those of further transports too.

Each \`/v1\` route answers under \`/api/v1\` too. Most answers are the envelope \`success\`, \`data\`, \`error\`, \`metadata\`;
paths that answer with the bare page are listed apart. In a query, an array is given by repeated keys or as one
comma-separated value, in which \`\\,\` is a comma of an item; \`page_size\` is an alias of \`per_page\`.`;

/**
 * The REST routes of `tools`, and the other `routes`, as OpenAPI 3.1. The same tools and routes give the same document,
 * in whatever order they come: paths, tags and components are sorted. Further paths of a tool are operations of their own,
 * `projects_list.2` with the same `x-tool`.
 */
export function openApiDocument(tools: readonly ToolInfo[], options: OpenApiOptions): OpenApiDocument {
  const { baseUrl, version, authenticated, routes = [], descriptions } = options;
  const listed = restTools(tools).toSorted((a, b) => compare(a.name, b.name));
  const described = routes.toSorted((a, b) => compare(a.id, b.id));
  const schemas = new ComponentSchemas([
    ...FAILURE_SCHEMAS,
    ...described.flatMap(schemasOf),
    ...listed.flatMap(({ inputSchema, outputSchema }) => [inputSchema, outputSchema]),
  ]);
  const failures = new FailureResponses(schemas.embedder('service', METADATA), authenticated);
  const operations = [
    ...listed.flatMap((tool) => operationsOf(tool, schemas, failures)),
    ...described.map((route) => ({ ...route, operation: routeOperation(route, schemas, failures) })),
  ].map(({ path, method, operation }) => ({
    path: openApiPath(path),
    method: method.toLowerCase(),
    operation,
  }));
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { path, method, operation } of operations.toSorted((a, b) => compare(a.path, b.path)))
    (paths[path] ??= {})[method] = operation;
  const tags = new Set([...listed.map(({ plugin }) => plugin), ...described.map(({ owner }) => owner)]);
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
    tags: [...tags].sort(compare).map((name) => ({ name, ...descriptionOf(name, descriptions) })),
    paths,
    components: {
      schemas: schemas.sorted(),
      responses: failures.sorted(),
      ...(authenticated && { securitySchemes: SECURITY_SCHEMES }),
    },
  };
}

function operationsOf(tool: HttpTool, schemas: ComponentSchemas, failures: FailureResponses) {
  const [first] = declaredPaths(tool.http);
  const mounted = pathsOf(tool).filter(isListed);
  return mounted.map((each, index) => {
    const id = each.path === first ? tool.name : `${tool.name}.${index + 1}`;
    const { path } = each;
    return { path, method: tool.http.method, operation: operation(each, id, schemas, failures) };
  });
}

/** The mirror of a `/v1` path under `/api` is left out, unless it answers differently there. */
function isListed({ tool, path, bare }: Mounted): boolean {
  return declaredPaths(tool.http).includes(path) || bare;
}

function descriptionOf(name: string, descriptions?: ReadonlyMap<string, string>) {
  const description = descriptions?.get(name);
  return description === undefined ? {} : { description };
}

/** `/v1/projects/:project_id` as OpenAPI writes it: `/v1/projects/{project_id}`. */
function openApiPath(path: string): string {
  return path.replaceAll(/:(\w+)/g, '{$1}');
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
