import type { Server } from '@modelcontextprotocol/server';
import type { CallContext, Catalog, ServiceError } from '@service-mcp/core';
import type { ClientRequester } from './elicitation.js';

export interface ServerSettings {
  readonly catalog: Catalog;
  readonly version: string;
  /** How requests reach the client, and its session. */
  readonly requester: ClientRequester;
  /** True when messages can be sent to the client before the result. */
  readonly streams: boolean;
  readonly instructions?: string;
  /** The one method to serve, for a server that is made for one request. */
  readonly only?: string;
  /** The call context of one request, before its own signal and progress are added. */
  readonly call: () => CallContext | Promise<CallContext>;
  /** Called with a failure that has an HTTP status of its own (the table's kind `http`). */
  readonly onHttpFailure?: (error: ServiceError) => void;
}

/** Registers the handler of one method on a server. */
export type Register = (server: Server, settings: ServerSettings) => void;
