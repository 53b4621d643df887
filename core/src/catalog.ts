import type { CallContext } from './caller.js';
import type { ContentBlock, FinishedCall, InputRequest, InputRequired, ResourceContent } from './content.js';
import type { ChangeEvent } from './change-events.js';
import type { ServiceError } from './errors.js';
import type { Access, HttpRoute, JsonSchema } from './tool.js';
import type { Effect, ListedFrom } from './toolset.js';

/** A tool as transports see it: its declaration without its handler. */
export interface ToolInfo {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema;
  readonly effect: Effect;
  /** Hints of MCP, where they differ from those of `effect`. */
  readonly idempotent?: boolean;
  readonly destructive?: boolean;
  /** True of a read that may answer CONFLICT. */
  readonly conflicts?: boolean;
  readonly openWorld: boolean;
  readonly access: Access;
  readonly level: ListedFrom;
  /** The plugin and the toolset that the tool comes from. */
  readonly plugin: string;
  readonly toolset: string;
  readonly surfaces: readonly string[];
  readonly http?: HttpRoute & { readonly status: 200 | 201; readonly bodyLimit: number };
}

/** A finished call, or one that asks the client first. */
export type ToolResult =
  | FinishedCall
  | {
      readonly kind: 'input_required';
      readonly requests: readonly InputRequest[];
      readonly state: string;
      readonly instead?: string;
    };

export interface ResourceInfo {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
}

export interface ResourceTemplateInfo {
  /** RFC 6570. */
  readonly uriTemplate: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
}

export interface PromptInfo {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly {
    readonly name: string;
    readonly description: string;
    readonly required: boolean;
  }[];
}

export interface PromptMessage {
  readonly role: 'user' | 'assistant';
  readonly content: ContentBlock;
}

/** Arguments of a prompt or a resource template that are chosen already, by name. */
export type Chosen = Readonly<Record<string, string>>;

/** A change of a catalog: one of its lists, or the content of a resource. */
export type CatalogChange =
  | { readonly kind: 'tools' | 'resources' | 'prompts' }
  | { readonly kind: 'resource'; readonly uri: string };

/** Hears of the resources that its subscription names. */
export interface ResourceListener {
  /** What the resource holds may have changed. */
  changed(uri: string): void;
  /** Nothing more is told: the reader was too slow, or the service stops. Subscribing again helps. */
  failed(error: ServiceError): void;
}

/** Which change events a reader follows. */
export interface EventStreamRequest {
  /** The id of the last event that the reader has; later events are replayed, unless they have expired. */
  readonly after?: string;
  /** Types of event; all where empty. */
  readonly types: readonly string[];
  /** Events of this workspace alone. */
  readonly workspaceId?: string;
}

/**
 * An item for a reader of change events. First `opened` (events follow from the position `id`), or `reset`: events after
 * the reader's last one have expired, so the reader reloads its copies; events follow from the position `id`. An `id` is
 * sealed for its reader; any other text as `after` begins with `reset`.
 */
export type StreamedEvent =
  | { readonly kind: 'opened' | 'reset'; readonly id: string }
  | { readonly kind: 'event'; readonly event: ChangeEvent };

/**
 * The tools, resources and prompts of a service, which its plugins fill and its transports serve. All methods throw
 * ServiceError alone.
 */
export interface Catalog {
  /** For a model at the start of a conversation: the purpose of the service, and the order of work. */
  instructions(call: CallContext): Promise<string>;
  /** The tools this call may see, sorted by name. */
  tools(call: CallContext): Promise<readonly ToolInfo[]>;
  /** Throws UNKNOWN_TOOL for a name that `tools` would not show. `args` is checked here, not by the transport. */
  call(name: string, args: unknown, call: CallContext): Promise<ToolResult>;
  resources(call: CallContext): Promise<readonly ResourceInfo[]>;
  resourceTemplates(call: CallContext): Promise<readonly ResourceTemplateInfo[]>;
  readResource(uri: string, call: CallContext): Promise<readonly ResourceContent[]>;
  prompts(call: CallContext): Promise<readonly PromptInfo[]>;
  /** The messages, or the questions that the client must answer first. */
  prompt(
    name: string,
    args: Readonly<Record<string, string>>,
    call: CallContext,
  ): Promise<readonly PromptMessage[] | InputRequired>;
  /** Candidate values for an argument of a prompt or a resource template; `others` are the arguments chosen so far. */
  complete(
    reference: { readonly prompt: string } | { readonly template: string },
    argument: { readonly name: string; readonly value: string; readonly others?: Chosen },
    call: CallContext,
  ): Promise<readonly string[]>;
  /**
   * Calls back when a list or a resource may have changed, of any workspace: a client hears of resources by `subscribe`.
   * Returns how to stop.
   */
  onChanged(listener: (change: CatalogChange) => void): () => void;
  /**
   * Tells of changes of these resources, while the caller may see them, until the returned function is called: it
   * outlasts the call. Throws NOT_FOUND for one that the caller may not read. `added`: those that this subscription tells of
   * and the one that it replaces did not; only these are read.
   */
  subscribe(
    uris: readonly string[],
    call: CallContext,
    listener: ResourceListener,
    added?: readonly string[],
  ): Promise<() => void>;
  /**
   * The change events that the caller may see, as they happen, until the signal of the call aborts: then it ends. Throws INVALID_ARGUMENT for an
   * unknown type and NOT_FOUND for an invisible workspace before the first event; ends with UNAVAILABLE for
   * a reader that is too slow, who comes back with the id of the last event.
   */
  streamEvents(request: EventStreamRequest, call: CallContext): AsyncIterable<StreamedEvent>;
}
