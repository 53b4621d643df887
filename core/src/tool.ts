import type { Static, TObject } from 'typebox';
import type { Admission, CallContext, Role, Surface } from './caller.js';
import { suggest } from './boot/boot-error.js';
import { SURFACES } from './caller.js';
import type { Content, InputRequired } from './content.js';
import { mapSchemas, type JsonSchema } from './map-schemas.js';
import type { Effect, ListedFrom } from './toolset.js';
import type { Resolved, Uses } from './token.js';

export type { JsonSchema } from './map-schemas.js';

/** Where `access.in` is one of these words rather than a resource. */
export const PLACES = ['workspace', 'visible', 'deployment', 'self', 'administration'] as const;

/**
 * The access rule of a tool, checked before the handler runs. `Argument` are the names of the arguments.
 * - `'workspace'`: on the workspace in `workspace_id`, which may be left out by a caller who has exactly one
 * - `{ resource, id }`: on the workspace of the resource whose id is in argument `id`
 * - `'visible'`: over every workspace the caller may see, or the one in `workspace_id` where given
 * - `'deployment'`: on no workspace; the scope alone decides. A credential confined to a workspace may only read.
 * - `'self'`: on the caller's own account; the scope alone decides
 * - `'administration'`: on the deployment, by an administrator whose credential holds `admin:read` (or `admin:write`
 *   for more than reading); or on the workspace in `workspace_id` where given, by the role
 */
export interface Access<Argument extends string = string> {
  /** `memory:write`. `'public'`: open without a credential. `'authenticated'`: any credential will do. */
  readonly scope: string;
  /** Least role in the admitted workspace; default `viewer` for `read`, `member` otherwise. */
  readonly role?: Role;
  readonly in: (typeof PLACES)[number] | { readonly resource: string; readonly id: Argument };
  /** The name of an argument: where it holds the caller's own user id, being a member is enough. */
  readonly unlessSelf?: Argument;
}

export const METHODS = ['GET', 'POST', 'PATCH', 'DELETE'] as const;

export interface HttpRoute {
  readonly method: (typeof METHODS)[number];
  /** `/v1/projects/:project_id`: a `/v1` path is served under `/api/v1` too. Parameters are named as arguments. */
  readonly path: string;
  /** More paths of the same tool: `/v1/memory/events` beside `/v1/memory/events/workspace/:workspace_id`. */
  readonly also?: readonly string[];
  /** 200 unless the tool creates a record: then 201. */
  readonly status?: 200 | 201;
  /** Paths on which a success is the bare page, without the envelope (interface.md 2). */
  readonly bareAt?: readonly string[];
  /**
   * Lines of JSON objects (NDJSON) of any number, beside the arguments, which are those of the query then. `in`: the body of
   * a POST, as `call.lines`. `out`: the answer of a GET, through `call.send`; the result is its last line, without an
   * envelope. On the surface `rest` alone.
   */
  readonly streams?: Streams;
  /** Largest body in bytes; default 1 MiB. It binds the other transports over HTTP too. */
  readonly bodyLimit?: number;
}

export const STREAMS = ['in', 'out'] as const;
export type Streams = (typeof STREAMS)[number];

/** Every path that a tool declares. */
export function declaredPaths({ path, also = [] }: HttpRoute): readonly string[] {
  return [path, ...also];
}

/** A call inside a handler: it has been admitted. */
export type AdmittedCall = CallContext & { readonly admission: Admission };

/** What a handler of a streaming tool finds in its call. */
type StreamOf<S extends Streams | undefined> = S extends 'in'
  ? Required<Pick<CallContext, 'lines'>>
  : S extends 'out'
    ? Required<Pick<CallContext, 'send'>>
    : unknown;

/** `project_id` of `/v1/projects/:project_id/files`. */
type PathParameter<P extends string> = P extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer Tail}`
    ? Name | PathParameter<Tail>
    : Rest
  : never;

type Argument<I extends TObject> = keyof I['properties'] & string;

export interface ToolDefinition<
  I extends TObject,
  O extends TObject,
  U extends Uses,
  P extends string = string,
  S extends Streams | undefined = Streams | undefined,
> {
  /** `<prefix>_<verb>[_<noun>]`, where the prefix is the id of the plugin or its toolset; at most 64 characters of `[a-z0-9_]`. */
  name: string;
  title: string;
  /** Helps a model to choose the tool, in two or three sentences. */
  description: string;
  input: I;
  output: O;
  effect: Effect;
  access: Access<Argument<I>>;
  /** Default `complete`. */
  level?: ListedFrom;
  /** The parameters of its path are arguments. */
  http?: HttpRoute & {
    readonly path: PathParameter<P> extends Argument<I> ? P : never;
    readonly streams?: S;
  };
  /** The surfaces that show the tool. Default: everywhere, on surfaces of other transports too. */
  surfaces?: readonly Surface[];
  /** Hints of MCP, where `effect` says too little: a `create` that can be repeated, an `update` that loses nothing. */
  idempotent?: boolean;
  destructive?: boolean;
  /** True of a `read` that may answer CONFLICT, where its arguments fit several things say. What writes may anyway. */
  conflicts?: boolean;
  /** True where the tool reaches beyond the deployment (the fourth MCP hint). Default false. */
  openWorld?: boolean;
  /** Former names that still call this tool. */
  aliases?: readonly string[];
  /** Names of arguments that may hold NUL or ill-formed Unicode, refused elsewhere; the handler checks them. */
  rawText?: readonly Argument<I>[];
  /** True where the result holds a secret that is shown once: it is never kept to answer a repeated call. */
  secretResult?: boolean;
  /**
   * The output as text for a model: short, complete, with what to call next. It is the text content of results over MCP, JSON-RPC
   * and the compatibility routes, in place of the JSON; `structuredContent` keeps every field. Must be pure: it also gets the
   * shortened output of a result that is too large. `input` holds the defaults.
   */
  text?: (output: Static<O>, input: Static<I>) => string;
  uses: U;
  handler: (
    input: Static<I>,
    deps: Resolved<U>,
    call: AdmittedCall & StreamOf<S>,
  ) => Promise<Static<O> | Content<Static<O>> | InputRequired>;
}

/** Fields of the rows of a tool that answers a page; `never` of another. */
type ColumnOf<Output> = Output extends { readonly items: ReadonlyArray<infer Row> }
  ? keyof Row & string
  : never;

/** A tool as a value: it can be listed, documented and bound to every transport without starting anything. */
export interface Tool<Name extends string = string, Column extends string = string> {
  readonly name: Name;
  /** For types alone, never set: the fields of its rows, which a view may show. */
  readonly column?: Column;
  readonly title: string;
  readonly description: string;
  /** The client's view: properties with a default, and a workspace_id to admit by, are optional here, not in the handler. */
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema;
  readonly effect: Effect;
  readonly access: Access & { readonly role: Role };
  readonly level: ListedFrom;
  readonly http?: HttpRoute & { readonly status: 200 | 201; readonly bodyLimit: number };
  readonly surfaces: readonly Surface[];
  readonly idempotent?: boolean;
  readonly destructive?: boolean;
  readonly conflicts?: boolean;
  readonly openWorld: boolean;
  readonly aliases: readonly string[];
  readonly rawText: readonly string[];
  readonly secretResult: boolean;
  readonly text?: (output: never, input: never) => string;
  readonly uses: Uses;
  readonly handler: (input: never, deps: never, call: never) => Promise<unknown>;
}

/** The least role in the workspace that a call works in; undefined where the tool works in none. */
export function roleInWorkspace({ access }: { readonly access: Access }): Role | undefined {
  return access.in === 'self' || access.in === 'deployment' ? undefined : access.role;
}

/** The default of `http.bodyLimit`: 1 MiB. */
export const BODY_LIMIT = 1024 * 1024;

/** The fields of a definition, for tools that no compiler has read. */
const TOOL_FIELDS = Object.keys({
  name: true,
  title: true,
  description: true,
  input: true,
  output: true,
  effect: true,
  access: true,
  level: true,
  http: true,
  surfaces: true,
  idempotent: true,
  destructive: true,
  conflicts: true,
  openWorld: true,
  aliases: true,
  rawText: true,
  secretResult: true,
  text: true,
  uses: true,
  handler: true,
} satisfies Record<keyof ToolDefinition<TObject, TObject, Uses>, true>);

/**
 * Declares a tool. Everything any surface shows of it derives from this one value.
 * Give an optional argument a `default` in its schema rather than `Type.Optional` wherever there is one:
 * clients may leave it out, and the handler always finds it.
 */
export function defineTool<
  I extends TObject,
  O extends TObject,
  const U extends Uses,
  const P extends string = string,
  const S extends Streams | undefined = undefined,
  const N extends string = string,
>(definition: ToolDefinition<I, O, U, P, S> & { name: N }): Tool<N, ColumnOf<Static<O>>> {
  const unknown = Object.keys(definition).find((field) => !TOOL_FIELDS.includes(field));
  if (unknown !== undefined)
    throw new Error(
      `tool "${definition.name}": "${unknown}" is not a field of defineTool. ${suggest(unknown, TOOL_FIELDS)}`,
    );
  const { input, output, http, access, effect } = definition;
  return {
    name: definition.name,
    title: definition.title,
    description: definition.description,
    inputSchema: asClientsSeeIt(input, access),
    outputSchema: typeEnums(output as unknown as JsonSchema), // erasure: TypeBox types are JSON Schema at run time
    effect,
    access: { ...access, role: access.role ?? (effect === 'read' ? 'viewer' : 'member') },
    level: definition.level ?? 'complete',
    ...(http && {
      http: { status: effect === 'create' ? 201 : 200, bodyLimit: BODY_LIMIT, ...http },
    }),
    surfaces: definition.surfaces ?? SURFACES,
    ...(definition.idempotent !== undefined && { idempotent: definition.idempotent }),
    ...(definition.destructive !== undefined && { destructive: definition.destructive }),
    ...(definition.conflicts && { conflicts: true }),
    openWorld: definition.openWorld ?? false,
    aliases: definition.aliases ?? [],
    rawText: definition.rawText ?? [],
    secretResult: definition.secretResult ?? false,
    ...(definition.text && { text: definition.text }),
    uses: definition.uses,
    handler: definition.handler,
  };
}

/** Optional on the wire: properties with a default, and the workspace_id that admission may fill in. */
function asClientsSeeIt(schema: TObject, access: Access): JsonSchema {
  const { required: all = [], ...rest } = schema as unknown as ObjectSchema; // erasure, as above
  const properties = { ...rest.properties };
  const { workspace_id: workspace } = properties;
  if (access.in === 'workspace' && workspace) {
    const record = Object.keys(properties).find(
      (name) => !PERSON_OR_PLACE.has(name) && name.endsWith('_id') && properties[name]?.['x-listed-by'],
    );
    const without = record === undefined ? '' : ` and give no ${record}`;
    const description = `${String(workspace['description'])}, if you have several${without}`;
    properties['workspace_id'] = { ...workspace, description };
  }
  const required = all.filter(
    (name) =>
      properties[name]?.['default'] === undefined && !(access.in === 'workspace' && name === 'workspace_id'),
  );
  return typeEnums({ ...rest, properties, ...(required.length > 0 && { required }) });
}

/** Arguments with ids of what is in no workspace, or in several. */
const PERSON_OR_PLACE: ReadonlySet<string> = new Set(['workspace_id', 'user_id']);

interface ObjectSchema extends JsonSchema {
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

/** The schema with `type` beside each `enum` of texts: some model providers refuse one without. */
function typeEnums(schema: JsonSchema): JsonSchema {
  return mapSchemas(schema, (part) => {
    const { enum: values, type } = part;
    const isText =
      type === undefined && Array.isArray(values) && values.every((one) => typeof one === 'string');
    return isText ? { type: 'string', ...part } : part;
  });
}
