/** A server as a person would write it into the configuration of a client. */
export type Server =
  | {
      readonly kind: 'http';
      readonly name: string;
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: 'stdio';
      readonly name: string;
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
    };

/** How a call ended, as the client itself sees it. */
export type Ending =
  /** A result; `data` where the client shows structured content or its text is JSON. */
  | { readonly kind: 'result'; readonly data: unknown }
  /** A result that the client takes for a failure of the tool. */
  | { readonly kind: 'failure'; readonly text: string }
  /** No result: the request itself was refused. */
  | { readonly kind: 'refusal'; readonly text: string };

export interface Listed {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: { readonly type?: unknown };
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Called with each progress report, by a client that shows progress. */
  readonly onProgress?: (report: object) => void;
}

/** One client, connected to one server or ready to. */
export interface Client {
  tools(): Promise<readonly Listed[]>;
  call(tool: string, args: Readonly<Record<string, unknown>>, options?: CallOptions): Promise<Ending>;
  /** Its reports besides answers: warnings, uncaught errors, output of a started server. */
  complaints(): readonly string[];
  close(): Promise<void>;
}

/** A client that others make, driven as they document it. */
export interface ClientDriver {
  readonly name: string;
  /** Whether it forwards progress reports. */
  readonly showsProgress: boolean;
  /** Kinds of server that learn when this client cancels a call. */
  readonly cancels: readonly Server['kind'][];
  open(server: Server): Promise<Client>;
}

/** The fields of an SDK result that these tests read. */
export interface ToolAnswer {
  readonly content?: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean | undefined;
}

export function endingOf({ content = [], structuredContent, isError }: ToolAnswer): Ending {
  const text = content.map((block) => block.text ?? '').join('\n');
  return isError ? { kind: 'failure', text } : { kind: 'result', data: structuredContent };
}
