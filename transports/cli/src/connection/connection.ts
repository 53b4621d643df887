/** A tool as `tools/list` tells it. */
export interface ToolEntry {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** `change` updates or deletes what is there. */
  readonly effect: 'read' | 'create' | 'change';
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

export interface CallOptions {
  readonly signal: AbortSignal;
  /** True where doing it twice is as good as once: then a lost connection, 429 and 503 are tried again. */
  readonly repeatable?: boolean;
  /** Told before each new attempt. */
  readonly onRetry?: (reason: string, waitMs: number) => void;
  readonly progress?: (progress: { progress: number; total?: number; message?: string }) => void;
}

/** The way to the tools, over HTTP or in this process. Everything it throws is a Failure. */
export interface Connection {
  /** How it reaches them, for people: `http://127.0.0.1:8080` or `this process`. */
  readonly where: string;
  /** The address; undefined in this process. */
  readonly url: string | undefined;
  /** Tools under the deployment's ceiling, or those of a toolset, sorted by name. */
  tools(toolset: string, signal: AbortSignal): Promise<readonly ToolEntry[]>;
  /** Calls a tool; resolves to its structured result. */
  call(name: string, args: object, options: CallOptions): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

/** A tool from its MCP form, which is what every surface sends. */
export function toolEntry(tool: WireTool): ToolEntry {
  const { name, title = name, description = '', annotations: hints, inputSchema = {} } = tool;
  const effect = hints?.readOnlyHint ? 'read' : hints?.destructiveHint === false ? 'create' : 'change';
  return { name, title, description, effect, inputSchema };
}

/** The parts of a tool's MCP form that the command line reads. */
export interface WireTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema?: Readonly<Record<string, unknown>>;
  readonly annotations?: { readonly readOnlyHint?: boolean; readonly destructiveHint?: boolean };
}
