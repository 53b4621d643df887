import type { Static, TObject } from 'typebox';
import type { Chosen, PromptInfo, PromptMessage, ResourceTemplateInfo } from './catalog.js';
import type { AdmittedCall, Access, Tool } from './tool.js';
import type { InputRequired, ResourceContent } from './content.js';
import type { HttpMount } from './http/index.js';
import type { ChangeEvent } from './change-events.js';
import type { Sql } from './database.js';
import { token, type Provider, type Resolved, type Token, type Uses } from './token.js';
import type { View, ViewOf } from './view.js';

/** The version of the plugin contract that this core speaks; a plugin states a range in `api`. */
export const API_VERSION = '1.0.0';

/** A named group of a plugin's tools; every tool is in exactly one. */
export interface Toolset {
  readonly id: string;
  readonly description: string;
  /** Prefix that names of its tools may have, besides the ids of the plugin and its toolsets. */
  readonly prefix?: string;
  /**
   * For a model at the start of a conversation: how to work with these tools. A text is shown where the caller sees one
   * of them; a function gets the names of all tools that the caller sees, and may return nothing.
   */
  readonly instructions?: string | ((visible: ReadonlySet<string>) => string | undefined);
  /** True where its tools call others by name: what they reach is everything allowed but themselves. */
  readonly callsOthers?: boolean;
  readonly tools: readonly Tool[];
}

/** One step of a plugin's schema. It runs once, in a transaction, after those of the plugins it requires. */
export interface Migration {
  /** `001_create_files`: sorted by this, never renamed once released. */
  readonly id: string;
  up(sql: Sql, engine: 'sqlite' | 'postgresql'): Promise<void>;
}

/**
 * Work in the background. `run` does one bounded round and says whether more waits; the host calls it again
 * at once, on one of the `wakeOn` events, or after `everyMs`. A throw is logged and retried with back-off.
 */
export interface Worker {
  readonly id: string;
  readonly uses: Uses;
  /** Milliseconds between rounds, where no event ends the wait: a number, or read from its services at each wait. */
  readonly everyMs: number | ((deps: never) => number);
  /** Types of change event that end the wait early. */
  readonly wakeOn: readonly string[];
  /** True: at most one process of the deployment runs it, held by a lease in the database. */
  readonly exclusive: boolean;
  /** Of heavy work: `serve` runs it in a child process, which is started when there is work and ended when idle. */
  readonly apart?: Apart<never>;
  readonly run: (deps: never, signal: AbortSignal) => Promise<{ more: boolean }>;
}

/** How a worker runs in a process of its own. */
export interface Apart<Deps> {
  /** Whether there is work, or will be in moments: the process is started and kept for it. Asked after `everyMs`, while there is none ever more rarely, and at the events. */
  hasWork(deps: Deps): Promise<boolean>;
  /**
   * What the service does itself while the process is not running, as to start it takes a second: what is small and must
   * not wait. Called before `hasWork`.
   */
  runSmall?(deps: Deps, signal: AbortSignal): Promise<unknown>;
}

export function defineWorker<const U extends Uses>(worker: {
  id: string;
  uses: U;
  everyMs: number | ((deps: Resolved<U>) => number);
  wakeOn?: readonly string[];
  exclusive?: boolean;
  apart?: Apart<Resolved<U>>;
  run(deps: Resolved<U>, signal: AbortSignal): Promise<{ more: boolean }>;
}): Worker {
  return { wakeOn: [], exclusive: false, ...worker };
}

/** Something to read by address. A static one has a template without variables. */
export interface Resource extends ResourceTemplateInfo {
  readonly access: Access;
  readonly uses: Uses;
  /**
   * Which events change what it holds, by type: from an event the variables of the address that changed, where one that is
   * left out stands for every value; undefined for none.
   */
  readonly changedBy?: Readonly<
    Record<string, (event: ChangeEvent) => Readonly<Record<string, string>> | undefined>
  >;
  readonly read: (
    variables: Readonly<Record<string, string>>,
    deps: never,
    call: AdmittedCall,
  ) => Promise<readonly ResourceContent[]>;
  /** Candidates for a variable other than the id of a resource, which its owner completes. */
  readonly complete?: (
    variable: string,
    value: string,
    deps: never,
    call: AdmittedCall,
    others: Chosen,
  ) => Promise<readonly string[]>;
}

/** `bookmark_id` of `bookmarks://{bookmark_id}`; `path` of `files://{+path}`. */
type TemplateVariable<T extends string> = T extends `${string}{${infer Variable}}${infer Rest}`
  ? (Variable extends `+${infer Name}` ? Name : Variable) | TemplateVariable<Rest>
  : never;

/** Declares a resource. The variables of its template are its arguments for `access`. */
export function defineResource<const U extends Uses, const T extends string>(
  resource: ResourceTemplateInfo & {
    uriTemplate: T;
    access: Access<TemplateVariable<T>>;
    uses: U;
    changedBy?: NonNullable<Resource['changedBy']>;
    read(
      variables: Readonly<Record<TemplateVariable<T>, string>>,
      deps: Resolved<U>,
      call: AdmittedCall,
    ): Promise<readonly ResourceContent[]>;
    complete?(
      variable: string,
      value: string,
      deps: Resolved<U>,
      call: AdmittedCall,
      others: Chosen,
    ): Promise<readonly string[]>;
  },
): Resource {
  return resource;
}

/** A worded way of working that a person picks in a client. */
export interface Prompt extends PromptInfo {
  readonly access: Access;
  readonly uses: Uses;
  readonly render: (
    args: Readonly<Record<string, string>>,
    deps: never,
    call: AdmittedCall,
  ) => Promise<readonly PromptMessage[] | InputRequired>;
  /** Candidates for an argument other than the id of a resource, which its owner completes. */
  readonly complete?: (
    argument: string,
    value: string,
    deps: never,
    call: AdmittedCall,
    others: Chosen,
  ) => Promise<readonly string[]>;
}

export function definePrompt<const U extends Uses>(
  prompt: PromptInfo & {
    access: Access;
    uses: U;
    render(
      args: Readonly<Record<string, string>>,
      deps: Resolved<U>,
      call: AdmittedCall,
    ): Promise<readonly PromptMessage[] | InputRequired>;
    complete?(
      argument: string,
      value: string,
      deps: Resolved<U>,
      call: AdmittedCall,
      others: Chosen,
    ): Promise<readonly string[]>;
  },
): Prompt {
  return prompt;
}

/** Addresses that belong to no tool: OAuth and well-known documents, and the pages of a login. */
export interface Routes {
  readonly uses: Uses;
  readonly mount: (http: HttpMount, deps: never) => void | (() => void | Promise<void>);
}

/** Declares routes that a plugin hangs on the HTTP server itself; `mount` may return what to run at stop. */
export function defineRoutes<const U extends Uses>(routes: {
  uses: U;
  mount(http: HttpMount, deps: Resolved<U>): void | (() => void | Promise<void>);
}): Routes {
  return routes;
}

/** The settings of one plugin or transport: a schema, and the token under which its services find the values. */
export interface Config {
  readonly schema: TObject;
  readonly token: Token<unknown>;
}

export type ConfigToken<S extends TObject> = Config & { readonly token: Token<Static<S>> };

/**
 * Declares the section of a plugin in the deployment file. Every property has a `description` and a `default`
 * (or is `Type.Optional`), may name an environment variable in `x-env` and is secret with `x-secret: true`:
 * its value may then be in a file that the variable with the suffix `_FILE` names.
 */
export function defineConfig<S extends TObject>(id: string, schema: S): ConfigToken<S> {
  return { schema, token: token<Static<S>>(`${id}.Config`) };
}

/** A kind of change event. Readers of `GET /api/v1/stream` get it if they hold the scope and may see the workspace. */
export interface EventType {
  /** `<noun>.<past participle>`: `file.indexed`. */
  readonly type: string;
  readonly description: string;
  /** `workspaces:read` */
  readonly scope: string;
  /** JSON Schema of `data`. */
  readonly data: TObject;
  /**
   * True where it changes who may see a workspace, for the person in `user_id` of its data alone where there is one: what
   * readers may see is looked up again, and who could see the workspace before sees this as the last of it.
   */
  readonly changesAccess?: boolean;
  /** True where other plugins record it too, in a change of their own: `member.added`, through `Memberships.join`. */
  readonly shared?: boolean;
}

export interface Plugin {
  readonly id: string;
  readonly description: string;
  /** The range of the contract that the plugin speaks: `^1`. */
  readonly api: string;
  /** Ids of plugins that must be enabled too; their migrations run first. */
  readonly requires: readonly string[];
  readonly config?: Config;
  readonly migrations: readonly Migration[];
  readonly services: readonly Provider[];
  readonly workers: readonly Worker[];
  /** The kinds of change event that the plugin records. */
  readonly events: readonly EventType[];
  readonly resources: readonly Resource[];
  readonly prompts: readonly Prompt[];
  readonly routes: readonly Routes[];
  readonly toolsets: readonly Toolset[];
  /** Pages of the dashboard over its own tools. */
  readonly views: readonly View[];
}

/** Its fields, for plugins that no compiler has read. */
export const PLUGIN_FIELDS = Object.keys({
  id: true,
  description: true,
  api: true,
  requires: true,
  config: true,
  migrations: true,
  services: true,
  workers: true,
  events: true,
  resources: true,
  prompts: true,
  routes: true,
  toolsets: true,
  views: true,
} satisfies Record<keyof Plugin, true>);

/** Declares a plugin: the default export of its package. Only `id`, `description` and `api` are needed. */
export function definePlugin<const S extends readonly Toolset[]>(
  plugin: Partial<Omit<Plugin, 'toolsets' | 'views'>> &
    Pick<Plugin, 'id' | 'description' | 'api'> & {
      readonly toolsets?: S;
      readonly views?: ReadonlyArray<ViewOf<NoInfer<S>[number]['tools'][number]>>;
    },
): Plugin {
  return {
    requires: [],
    migrations: [],
    services: [],
    workers: [],
    events: [],
    resources: [],
    prompts: [],
    routes: [],
    toolsets: [],
    views: [],
    ...plugin,
  };
}
