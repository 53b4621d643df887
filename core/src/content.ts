import type { JsonSchema } from './map-schemas.js';
import type { Effect } from './toolset.js';

/** The kinds of block that an MCP result can carry. Transports that cannot carry a kind refuse or describe it. */
export type ContentBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'audio'; readonly data: string; readonly mimeType: string }
  | {
      readonly type: 'resource_link';
      readonly uri: string;
      readonly name: string;
      readonly description?: string;
      readonly mimeType?: string;
    }
  | { readonly type: 'resource'; readonly resource: ResourceContent };

/** The content of a resource: text, or base64 in `blob`. */
export interface ResourceContent {
  readonly uri: string;
  readonly mimeType?: string;
  readonly text?: string;
  readonly blob?: string;
}

/** A finished call. */
export interface FinishedCall {
  readonly kind: 'complete';
  /** Conforms to the output schema of the tool. */
  readonly structured: Readonly<Record<string, unknown>>;
  readonly content?: readonly ContentBlock[];
  /** The text of `structured`, or of a shortened `structured`. Absent: its JSON is the text. */
  readonly text?: (structured: Readonly<Record<string, unknown>>) => string;
  /** For `_meta` of the MCP result. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** The tool that answered, whatever name it was called by. */
  readonly tool?: { readonly name: string; readonly effect: Effect; readonly inputSchema: JsonSchema };
  /** The call of another tool whose result `structured` has as `result`. */
  readonly inner?: InnerCall;
}

/** A call that a tool made for its caller. */
export interface InnerCall {
  readonly args: Readonly<Record<string, unknown>>;
  readonly finished: FinishedCall;
}

const CONTENT = Symbol.for('service-mcp:content');
const INPUT_REQUIRED = Symbol.for('service-mcp:input-required');

/** An output value that travels with content blocks of its own. */
export interface Content<T> {
  readonly [CONTENT]: true;
  readonly value: T;
  readonly blocks: readonly ContentBlock[];
  readonly text?: string;
  readonly inner?: InnerCall;
}

/**
 * Returned by a handler whose result has images, audio or links besides the data. The blocks follow the text of the value, which is
 * `text` where given, else that of the tool.
 */
export function content<T>(value: T, blocks: readonly ContentBlock[], text?: string): Content<T> {
  return { [CONTENT]: true, value, blocks, ...(text !== undefined && { text }) };
}

/** Returned by a handler that called another tool for its caller: that tool's result as `result`, with its text and blocks. */
export function passedOn(inner: InnerCall): Content<{ result: Record<string, unknown> }> {
  const { structured, content: blocks = [] } = inner.finished;
  return { [CONTENT]: true, value: { result: { ...structured } }, blocks, inner };
}

export function isContent(value: unknown): value is Content<unknown> {
  return typeof value === 'object' && value !== null && CONTENT in value;
}

/**
 * A question to the person behind the client (a message and the JSON Schema of the answer), or to the client itself:
 * a completion by its model (`sampling/createMessage`) or the folders it works in (`roots/list`), with MCP's params.
 */
export type InputRequest =
  | {
      readonly name: string;
      readonly message: string;
      readonly schema: Readonly<Record<string, unknown>>;
    }
  | {
      readonly name: string;
      readonly method: 'sampling/createMessage' | 'roots/list';
      readonly params: Readonly<Record<string, unknown>>;
    };

/** Returned by a handler that cannot go on without an answer; the client calls again with it. */
export interface InputRequired {
  readonly [INPUT_REQUIRED]: true;
  readonly requests: readonly InputRequest[];
  /** Opaque state that the client sends back with the answers. */
  readonly state: string;
  /** The argument that answers where the client cannot be asked. */
  readonly instead?: string;
}

/** What a handler gives with its questions: see {@link InputRequired}. */
export type InputRequiredOptions = Partial<Pick<InputRequired, 'state' | 'instead'>>;

/** `inputRequired([question], { instead: 'confirm' })`: a client that cannot be asked reads that `confirm` answers. */
export function inputRequired(
  requests: readonly InputRequest[],
  { state = '', instead }: InputRequiredOptions = {},
): InputRequired {
  return { [INPUT_REQUIRED]: true, requests, state, ...(instead !== undefined && { instead }) };
}

export function isInputRequired(value: unknown): value is InputRequired {
  return typeof value === 'object' && value !== null && INPUT_REQUIRED in value;
}
