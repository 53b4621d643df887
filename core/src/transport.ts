import type { Static, TObject } from 'typebox';
import type { Catalog, ToolInfo } from './catalog.js';
import type { HttpMount } from './http/index.js';
import type { ConfigToken } from './plugin.js';
import type { Deployment, Log, Metrics } from './services.js';
import type { Seal, Sessions } from './wire/index.js';

/** What a transport gets to expose. */
export interface TransportContext<C> {
  readonly catalog: Catalog;
  /** Every tool under the deployment's ceiling, for transports whose routes are fixed at start. Empty for an upstream catalog. */
  readonly declared: readonly ToolInfo[];
  readonly config: C;
  readonly deployment: Deployment;
  readonly log: Log;
  /** The sessions that `initialize` opens: one store for every transport, good on every replica. */
  readonly sessions: Sessions;
  /** For state that a client keeps for us and gives back. */
  readonly seal: Seal;
  /** For gauges of the transport's own; label values must be bounded. */
  readonly metrics: NonNullable<(typeof Metrics)['type']>;
  /** The HTTP server to hang routes on. */
  readonly http: HttpMount;
}

export interface Transport {
  readonly id: string;
  readonly description: string;
  readonly api: string;
  readonly config?: ConfigToken<TObject>;
  /** Hangs its routes; may return what to run at stop. */
  readonly mount: (context: TransportContext<never>) => void | (() => void | Promise<void>);
}

/** Declares a transport: the default export of its package. */
export function defineTransport<S extends TObject>(transport: {
  id: string;
  description: string;
  api: string;
  config?: ConfigToken<S>;
  mount(context: TransportContext<Static<S>>): void | (() => void | Promise<void>);
}): Transport {
  return transport;
}
