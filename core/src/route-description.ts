import type { ErrorCode } from './errors.js';
import type { JsonSchema, METHODS } from './tool.js';

/** One body, of a request or of an answer. */
export interface BodyDescription {
  /** Media type; default `application/json`. */
  readonly type?: string;
  readonly schema: JsonSchema;
}

/** An answer that is not a failure of the error table. */
export interface AnswerDescription {
  readonly description: string;
  /** Its forms, where a client may choose; none where the answer has no body. */
  readonly bodies?: readonly BodyDescription[];
}

export interface RouteParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly description: string;
  /** Default: true in the path, else false. */
  readonly required?: boolean;
  readonly schema: JsonSchema;
}

/** How a failure is written: in the envelope, as `{error}`, or as a JSON-RPC response. */
export type FailureForm = 'envelope' | 'plain' | 'rpc';

/**
 * A route that belongs to no tool, as the OpenAPI document shows it. Schemas are JSON Schema; one of an object with a
 * `title` in PascalCase becomes a component of that name.
 */
export interface RouteDescription {
  /** Unique, with a dot, which no name of a tool has: `jsonrpc.call`. The `operationId`. */
  readonly id: string;
  readonly method: (typeof METHODS)[number];
  /** As it is mounted: `/api/v1/tools/:name`. */
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  /** True where no credential is needed. */
  readonly open?: boolean;
  readonly parameters?: readonly RouteParameter[];
  /** The body of the request, which may be left out where it is not `required`. */
  readonly body?: BodyDescription & { readonly required: boolean };
  /** By HTTP status. */
  readonly answers: Readonly<Record<number, AnswerDescription>>;
  /** Codes that the route itself gives, besides those that any request may get. */
  readonly failures?: readonly ErrorCode[];
  /** Default: `envelope`. */
  readonly failureForm?: FailureForm;
}

/** A described route, with the transport that serves it; `core` for the routes of the service itself. */
export interface OwnedRoute extends RouteDescription {
  readonly owner: string;
}
