import { invalidArgument, type JsonSchema, type ToolInfo } from '@service-mcp/core';
import { isDeeperThan, isRecord, MAX_DEPTH } from '@service-mcp/core/wire';
import { AS_TEXT, coerce, coercionOf, type Coercion } from './coercion.js';
import { parseQuery } from './query.js';

type Arguments = Record<string, unknown>;

/** The rules by which the arguments of one tool are gathered from a request; made once a route, at start. */
export interface ArgumentPlan {
  readonly pathParameters: readonly string[];
  readonly coercions: ReadonlyMap<string, Coercion>;
  /** True where `page_size` stands for `per_page` (contract.md 1). */
  readonly pageSizeAlias: boolean;
}

/** The names of the parameters of a route's path, in order. */
export function pathParametersOf(path: string): string[] {
  return [...path.matchAll(/:([A-Za-z0-9_]+)/g)].map(([, name]) => name as string);
}

export function planArguments(tool: ToolInfo, path: string): ArgumentPlan {
  const properties = (tool.inputSchema['properties'] ?? {}) as Record<string, JsonSchema>;
  const coercions = new Map(Object.entries(properties).map(([name, schema]) => [name, coercionOf(schema)]));
  return {
    pathParameters: pathParametersOf(path),
    coercions,
    pageSizeAlias: coercions.has('per_page') && !coercions.has('page_size'),
  };
}

/**
 * One argument object from path, query and body. The catalog validates the values;
 * this function refuses only ambiguous input: a body that is not an object, a name with two values.
 */
export function gather(
  plan: ArgumentPlan,
  pathValues: Readonly<Record<string, string>>,
  queryText: string,
  body: unknown,
): Arguments {
  const args = body === undefined ? empty() : objectBody(body);
  if (plan.pageSizeAlias && Object.hasOwn(args, 'page_size')) {
    const size = args['page_size'];
    delete args['page_size'];
    assign(args, 'per_page', size);
  }
  for (const name of plan.pathParameters) {
    assign(args, name, (plan.coercions.get(name) ?? AS_TEXT).one(pathValues[name] ?? ''));
  }
  if (queryText !== '') {
    const query = parseQuery(queryText);
    for (const given in query) {
      const name = plan.pageSizeAlias && given === 'page_size' ? 'per_page' : given;
      assign(
        args,
        name,
        coerce(given, query[given] as string | string[], plan.coercions.get(name) ?? AS_TEXT),
      );
    }
  }
  return args;
}

/** No prototype to pollute, so an argument named `__proto__` is refused by name instead of vanishing. */
function empty(): Arguments {
  return Object.create(null) as Arguments;
}

function objectBody(body: unknown): Arguments {
  if (!isRecord(body)) throw invalidArgument('', 'the body must be a JSON object that holds the arguments');
  if (isDeeperThan(body, MAX_DEPTH)) {
    throw invalidArgument('', `the body nests deeper than ${MAX_DEPTH} levels; send a flatter object`);
  }
  return body;
}

function assign(args: Arguments, name: string, value: unknown): void {
  if (Object.hasOwn(args, name)) {
    if (same(args[name], value)) return;
    throw invalidArgument(
      `/${name}`,
      'is given twice with different values (path, query, body or alias); give it once',
    );
  }
  // A body keeps the prototype of JSON.parse, where plain assignment to `__proto__` would be lost.
  if (name === '__proto__') Object.defineProperty(args, name, { value, enumerable: true });
  else args[name] = value;
}

function same(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === 'object' && JSON.stringify(a) === JSON.stringify(b));
}
