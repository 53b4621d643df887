import type { ToolEntry } from '@service-mcp/core/wire';
import type { Tools } from '../generated/tools.js';
import type { DownloadTool, UploadTool } from './lines.js';

/** Arguments and result of a tool: typed for the tools of the default deployment, any object for others. */
export type Arguments<Name extends string> = Name extends keyof Tools ? Tools[Name]['input'] : object;
export type Result<Name extends string> = Name extends keyof Tools
  ? Tools[Name]['output']
  : Record<string, unknown>;

/** Tools that answer in pages, and the items of a page. */
type PagedTool = {
  [Name in keyof Tools]: Tools[Name]['output'] extends { items: unknown[]; has_next: boolean } ? Name : never;
}[keyof Tools];
export type Item<Name extends PagedTool> = Result<Name>['items'][number];

export interface CallOptions {
  /** Replaces the connection's own, which ends with the command. */
  readonly signal?: AbortSignal;
  /** True where doing it twice is as good as once: a lost connection, 429 and 503 are then retried. */
  readonly repeatable?: boolean;
  /** For a caller who repeats the call by itself: how often it failed before. It is tried once. */
  readonly attempt?: number;
  /** Called before each new attempt. */
  readonly onRetry?: (reason: string, waitMs: number) => void;
}

/** Access to the tools, over HTTP or in this process. It throws Failures only. */
export interface Connection extends AsyncDisposable {
  /** For people: `http://127.0.0.1:8080` or `this process`. */
  readonly where: string;
  /** The address; undefined in this process. */
  readonly url: string | undefined;
  /** Flags by which another command reaches the same tools: ` --url ADDRESS`, or those of the deployment. */
  readonly target: string;
  /** In this process: where the service that was started last over the same database is bound. */
  readonly servedAt?: string | undefined;
  /** Tools under the deployment's ceiling, or those of a toolset, sorted by name. Tried again unless told not to. */
  tools(toolset: string, options?: Pick<CallOptions, 'repeatable'>): Promise<readonly ToolEntry[]>;
  /** Calls a tool; resolves to its structured result. Undefined arguments are left out. */
  call<Name extends string>(name: Name, args: Arguments<Name>, options?: CallOptions): Promise<Result<Name>>;
  /** Calls a tool; resolves to the text that a model reads of its result. */
  read(name: string, args: object): Promise<string>;
  /** Calls a tool that reads NDJSON, which is read at the pace at which it is taken. */
  upload(name: UploadTool, args: object, lines: AsyncIterable<Uint8Array>): Promise<Result<UploadTool>>;
  /**
   * Calls a tool that answers with NDJSON; resolves to the last line, which `write` gets too. Fails where that is not the end
   * of the answer.
   */
  download(
    name: DownloadTool,
    args: object,
    write: (piece: Uint8Array) => Promise<void>,
  ): Promise<Result<DownloadTool>>;
}

/** Every item of a paged tool, 100 at a time. */
export async function* pages<Name extends PagedTool>(
  connection: Connection,
  tool: Name,
  args: Arguments<Name>,
): AsyncGenerator<Item<Name>> {
  for (let page = 1; ; page += 1) {
    const request = { ...args, page, per_page: 100 };
    const { items, has_next } = await connection.call(tool, request, { repeatable: true });
    yield* items;
    if (!has_next) return;
  }
}

/** Every item of a paged tool as a list. */
export async function listAll<Name extends PagedTool>(
  ...request: Parameters<typeof pages<Name>>
): Promise<Item<Name>[]> {
  const items: Item<Name>[] = [];
  for await (const item of pages(...request)) items.push(item);
  return items;
}
