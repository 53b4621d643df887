import type { JSONRPCMessage, JSONRPCRequest, RequestId } from '@modelcontextprotocol/server';
import { toServiceError, type CallContext, type Catalog, type ResourceListener } from '@service-mcp/core';
import { rpcError } from '@service-mcp/core/wire';
import { subscribeToNamed, urisIn } from './subscribe.js';

interface OpenRequest {
  readonly uris: readonly string[];
  readonly ending: AbortController;
}

/** The `subscriptions/listen` requests of one connection, each open until its client cancels it. */
export class SubscriptionGate {
  readonly #catalog: Catalog;
  readonly #makeCall: () => CallContext | Promise<CallContext>;
  readonly #listener: ResourceListener;
  readonly #open = new Map<RequestId, OpenRequest>();

  /** `listener` hears of each change once: the SDK sends it to every request of the connection that names the resource. */
  constructor(
    catalog: Catalog,
    makeCall: () => CallContext | Promise<CallContext>,
    listener: ResourceListener,
  ) {
    this.#catalog = catalog;
    this.#makeCall = makeCall;
    this.#listener = listener;
  }

  /**
   * The error response to a request that names an unreadable resource, whose changes the SDK would send; else undefined.
   * An open request of the same id ends now.
   */
  async open({ id, params }: JSONRPCRequest): Promise<JSONRPCMessage | undefined> {
    this.close(id);
    const ending = new AbortController();
    const request: OpenRequest = { uris: urisIn(params), ending };
    this.#open.set(id, request);
    const call = await this.#makeCall();
    const listener: ResourceListener = {
      changed: (uri) => {
        const first = [...this.#open.values()].find(({ uris }) => uris.includes(uri));
        if (first === request) this.#listener.changed(uri);
      },
      failed: (error) => this.#listener.failed(error),
    };
    const subscription = await subscribeToNamed(this.#catalog, params, call, listener).catch(
      (thrown: unknown) => ({ refused: rpcError(toServiceError(thrown, call.requestId)) }),
    );
    if ('refused' in subscription) {
      this.close(id);
      return { jsonrpc: '2.0', id, error: subscription.refused };
    }
    if (ending.signal.aborted) subscription.stop();
    else ending.signal.addEventListener('abort', subscription.stop, { once: true });
    return undefined;
  }

  close(id: RequestId): void {
    this.#open.get(id)?.ending.abort();
    this.#open.delete(id);
  }

  closeAll(): void {
    for (const id of this.#open.keys()) this.close(id);
  }
}
