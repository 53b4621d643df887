import type { CallContext } from './caller.js';
import type { ContentBlock, InputRequest, ResourceContent } from './content.js';
import type { Access, Effect, HttpRoute, JsonSchema, Level } from './tool.js';

/** What a transport may know of a tool: its declaration without its handler. */
export interface ToolInfo {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema;
  readonly effect: Effect;
  readonly openWorld: boolean;
  readonly access: Access;
  readonly level: Level;
  /** The plugin and the toolset that the tool comes from. */
  readonly plugin: string;
  readonly toolset: string;
  readonly surfaces: readonly string[];
  readonly http?: HttpRoute & { readonly status: 200 | 201; readonly bodyLimit: number };
}

/** A finished call (`structured` conforms to the output schema), or one that asks the client first. */
export type ToolResult =
  | {
      readonly kind: 'complete';
      readonly structured: Readonly<Record<string, unknown>>;
      readonly content?: readonly ContentBlock[];
    }
  | { readonly kind: 'input_required'; readonly requests: readonly InputRequest[]; readonly state: string };

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

/**
 * What can be called and read. The local catalog is filled by the enabled plugins; an upstream one by a
 * hosted service. Every transport takes a catalog, so each serves both. All methods throw ServiceError alone.
 */
export interface Catalog {
  /** The tools this call may see, sorted by name. */
  tools(call: CallContext): Promise<readonly ToolInfo[]>;
  /** Throws UNKNOWN_TOOL for a name that `tools` would not show. `args` is checked here, not by the transport. */
  call(name: string, args: unknown, call: CallContext): Promise<ToolResult>;
  resources(call: CallContext): Promise<readonly ResourceInfo[]>;
  resourceTemplates(call: CallContext): Promise<readonly ResourceTemplateInfo[]>;
  readResource(uri: string, call: CallContext): Promise<readonly ResourceContent[]>;
  prompts(call: CallContext): Promise<readonly PromptInfo[]>;
  prompt(
    name: string,
    args: Readonly<Record<string, string>>,
    call: CallContext,
  ): Promise<readonly PromptMessage[]>;
  /** Candidate values for an argument of a prompt or a resource template. */
  complete(
    reference: { readonly prompt: string } | { readonly template: string },
    argument: { readonly name: string; readonly value: string },
    call: CallContext,
  ): Promise<readonly string[]>;
  /** Calls back when what is listed may have changed. Returns how to stop. */
  onListChanged(listener: () => void): () => void;
}
