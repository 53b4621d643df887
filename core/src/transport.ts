import type { Static, TObject } from 'typebox';
import type { CallContext, Surface } from './caller.js';
import type { Catalog, ToolInfo } from './catalog.js';
import type { HttpMount } from './http/index.js';
import type { ConfigToken } from './plugin.js';
import type { Metrics } from './metrics.js';
import type { OwnedRoute, RouteDescription } from './route-description.js';
import type { Log } from './log.js';
import type { Deployment, Headers } from './services.js';
import type { Seal } from './seal.js';
import type { Sessions } from './sessions.js';

/** A request that reached a transport by a way of its own. */
export interface AcceptRequest {
  /** By lower-cased name: credentials, `x-service-toolset`, `idempotency-key`, `x-request-id`. Empty where there are none. */
  readonly headers: Headers;
  /** Default: the id of the transport. A built-in surface (`mcp`, `rpc`, `rest`) if it speaks the same protocol. */
  readonly surface?: Surface;
  /** The IP address of the client; absent where it has none (a Unix socket). */
  readonly peer?: string;
  /** Aborts when the client goes away. */
  readonly signal?: AbortSignal;
  /** True: everything under the ceiling is selected where the request selects nothing; else the default toolset is. */
  readonly ceiling?: boolean;
  /** True: a request without a good credential is let through, as the anonymous caller. */
  readonly anonymous?: boolean;
  /** True: no deadline, for a stream. */
  readonly endless?: boolean;
}

/** The context of a call, for one use of the catalog. */
export interface AcceptedCall extends CallContext {
  /** Frees the timers and listeners of the call. Call it when the answer is sent; else the deadline frees them. */
  readonly finish: () => void;
}

/** The parts of the service that a transport gets. */
export interface TransportContext<C> {
  readonly catalog: Catalog;
  /** Every tool under the deployment's ceiling, for transports whose routes are fixed at start. */
  readonly declared: readonly ToolInfo[];
  /** The routes that every transport of the deployment describes, this one included, and those of the service itself. */
  readonly routes: readonly OwnedRoute[];
  /** What each plugin and transport is, by its id; `core` is the service itself. */
  readonly descriptions: ReadonlyMap<string, string>;
  readonly config: C;
  readonly deployment: Deployment;
  readonly log: Log;
  /** The sessions that `initialize` opens: one store for every transport, good on every replica. */
  readonly sessions: Sessions;
  /** For state that a client keeps for us and gives back. */
  readonly seal: Seal;
  /** For gauges of the transport's own; label values must be bounded. */
  readonly metrics: Metrics;
  /** The HTTP server to hang routes on. */
  readonly http: HttpMount;
  /**
   * Authenticates a request that did not come over `http` and makes the context of its call: caller, selection, deadline,
   * request id, idempotency key, and a signal that aborts when the client goes away, when time is up, or 3 s after the
   * service began to stop; from then on it throws UNAVAILABLE.
   * Without an auth plugin the caller is the local owner. Throws UNAUTHENTICATED, INVALID_ARGUMENT, and PERMISSION_DENIED
   * where there is no auth plugin and the peer is another machine.
   */
  readonly accept: (request: AcceptRequest) => Promise<AcceptedCall>;
}

/** A started transport. */
type Unmount = () => void | Promise<void>;
type Mounted = void | Unmount;

export interface Transport {
  readonly id: string;
  readonly description: string;
  readonly api: string;
  readonly config?: ConfigToken<TObject>;
  /** Its routes that belong to no tool, for the OpenAPI document. */
  readonly routes?: readonly RouteDescription[];
  /** True where `/` leads people to its pages; others link to them then. */
  readonly hasPages?: boolean;
  /** Hangs its routes or opens its own socket; may return what to run at stop. A throw refuses to boot. */
  readonly mount: (context: TransportContext<never>) => Mounted | Promise<Mounted>;
}

/** Declares a transport: the default export of its package. */
export function defineTransport<S extends TObject>(transport: {
  id: string;
  description: string;
  api: string;
  config?: ConfigToken<S>;
  routes?: readonly RouteDescription[];
  hasPages?: boolean;
  mount(context: TransportContext<Static<S>>): Mounted | Promise<Mounted>;
}): Transport {
  return transport;
}
