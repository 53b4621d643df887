import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { Role } from '../shell/workspace.js';
import type { Route } from './call.js';
import { ROOT } from './deployment.js';
import { Failure } from './failure.js';
import { request } from './request.js';

/** The keywords of JSON Schema that forms and lists are drawn from. References are resolved: a schema may hold itself. */
export interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  /** The tool that lists such ids. */
  readonly 'x-listed-by'?: string;
}

export type Effect = 'read' | 'create' | 'update' | 'delete' | 'write';

/** A tool of any plugin, as the OpenAPI document of the deployment describes it. */
export interface DescribedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly plugin: string;
  readonly toolset: string;
  readonly effect: Effect;
  readonly scope: string;
  /** Least role in the workspace; undefined where no workspace is asked for. */
  readonly role?: Role;
  /** The name of an argument: where it holds the own user id, the role does not matter. */
  readonly unlessSelf?: string;
  readonly route: Route;
  /** Where it is served: `mcp`, `rpc`, `rest`, `cli`. */
  readonly surfaces: readonly string[];
  /** Lines of JSON instead of one body: those that it takes (`in`) or answers (`out`). */
  readonly streams?: 'in' | 'out';
  readonly input: Schema;
  readonly output: Schema;
}

export type ToolTable = ReadonlyMap<string, DescribedTool>;

/** Every tool with a REST route, by its name. Asked for by the pages that need it: the document has some 300 KB. */
export function useToolTable(): UseQueryResult<ToolTable, Failure> {
  return useQuery<ToolTable, Failure>({
    queryKey: ['', 'openapi'], // a name that no tool has
    queryFn: readToolTable,
    staleTime: Infinity,
    structuralSharing: false, // schemas may hold themselves
  });
}

interface Operation {
  readonly operationId: string;
  readonly tags: readonly [string];
  readonly summary: string;
  readonly description: string;
  readonly parameters?: ReadonlyArray<{
    readonly name: string;
    readonly required: boolean;
    readonly description?: string;
    readonly schema: Schema;
  }>;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
  >;
  readonly 'x-tool'?: string;
  readonly 'x-effect': Effect;
  readonly 'x-scope': string;
  readonly 'x-role'?: Role;
  readonly 'x-unless-self'?: string;
  readonly 'x-surfaces': readonly string[];
  readonly 'x-toolset': string;
}

const JSON_TYPE = 'application/json';

async function readToolTable(): Promise<ToolTable> {
  const { response, body } = await request(new URL('openapi.json', ROOT));
  if (!response.ok) throw new Failure(response.status, {});
  const document = body as {
    paths: Record<string, Record<string, Operation>>; // transports/rest/src/openapi writes it
  };
  resolve(document, document, new Set());
  const tools = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      operation['x-tool'] === operation.operationId ? [describe(path, method, operation)] : [],
    ),
  );
  return new Map(tools.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map((tool) => [tool.name, tool]));
}

/** Puts in the place of each reference what it names. */
function resolve(part: unknown, document: object, seen: Set<unknown>): void {
  if (typeof part !== 'object' || part === null || seen.has(part)) return;
  seen.add(part);
  const fields = part as Record<string, unknown>; // an array too: its indexes are keys
  for (const [key, value] of Object.entries(fields)) {
    const reference = (value as { readonly $ref?: unknown } | null)?.$ref;
    if (typeof reference === 'string') fields[key] = at(document, reference);
    resolve(fields[key], document, seen);
  }
}

/** What a reference such as `#/components/schemas/Node` names. */
function at(document: object, reference: string): unknown {
  let found: unknown = document;
  for (const name of reference.split('/').slice(1))
    found = (found as Record<string, unknown>)[name.replaceAll('~1', '/').replaceAll('~0', '~')];
  return found;
}

function describe(path: string, method: string, operation: Operation): DescribedTool {
  const { parameters = [], requestBody, responses, tags } = operation;
  const body = requestBody?.content[JSON_TYPE]?.schema;
  const answer = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1].content ?? {};
  const answered = answer[JSON_TYPE]?.schema;
  const streams = requestBody && !body ? 'in' : answered ? undefined : 'out';
  const { 'x-role': role, 'x-unless-self': unlessSelf } = operation;
  return {
    name: operation.operationId,
    title: operation.summary,
    description: operation.description,
    plugin: tags[0],
    toolset: operation['x-toolset'],
    surfaces: operation['x-surfaces'],
    effect: operation['x-effect'],
    scope: operation['x-scope'],
    ...(role && { role }),
    ...(unlessSelf !== undefined && { unlessSelf }),
    route: [method.toUpperCase(), path],
    ...(streams && { streams }),
    input: {
      type: 'object',
      properties: {
        ...Object.fromEntries(
          parameters.map(({ name, description, schema }) => [
            name,
            { ...schema, ...(description !== undefined && { description }) },
          ]),
        ),
        ...body?.properties,
      },
      required: [
        ...parameters.filter(({ required }) => required).map(({ name }) => name),
        ...(body?.required ?? []),
      ],
    },
    output: answered?.properties?.['data'] ?? answered ?? {},
  };
}
