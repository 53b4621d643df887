import type { JSONRPCMessage, JSONRPCRequest, RequestId } from '@modelcontextprotocol/server';
import { toServiceError, type CallContext, type Catalog } from '@service-mcp/core';
import { rpcError } from '@service-mcp/core/wire';
import { subscribeToNamed } from './subscribe.js';

/** The `subscriptions/listen` requests of one connection, each open until its client cancels it. */
export class SubscriptionGate {
  readonly #catalog: Catalog;
  readonly #makeCall: () => CallContext | Promise<CallContext>;
  readonly #open = new Map<RequestId, AbortController>();

  constructor(catalog: Catalog, makeCall: () => CallContext | Promise<CallContext>) {
    this.#catalog = catalog;
    this.#makeCall = makeCall;
  }

  /**
   * The error response to a request that names an unreadable resource, whose changes the SDK would send; else undefined.
   * An open request of the same id ends now.
   */
  async open({ id, params }: JSONRPCRequest): Promise<JSONRPCMessage | undefined> {
    this.close(id);
    const ending = new AbortController();
    this.#open.set(id, ending);
    const call = await this.#makeCall();
    const subscription = await subscribeToNamed(this.#catalog, params, call).catch((thrown: unknown) => ({
      refused: rpcError(toServiceError(thrown, call.requestId)),
    }));
    if ('refused' in subscription) {
      this.close(id);
      return { jsonrpc: '2.0', id, error: subscription.refused };
    }
    if (ending.signal.aborted) subscription.stop();
    else ending.signal.addEventListener('abort', subscription.stop, { once: true });
    return undefined;
  }

  close(id: RequestId): void {
    this.#open.get(id)?.abort();
    this.#open.delete(id);
  }

  closeAll(): void {
    for (const id of this.#open.keys()) this.close(id);
  }
}
