import { testHost, type TestHost } from '@service-mcp/core/testing';
import rest from '@service-mcp/transport-rest';
import { plugin } from './plugin.js';

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  // Tests say what they expect of each field.
  readonly body: any; // oxlint-disable-line typescript/no-explicit-any
}

export interface Service {
  readonly url: string;
  readonly host: TestHost;
  ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  /** The arguments that reached the handler. */
  seen(method: string, path: string, body?: unknown): Promise<unknown>;
}

/** Starts the tools of ./plugin.ts behind the transport, on a real host. */
export async function startService(): Promise<Service> {
  const host = await testHost({ plugins: [plugin], transports: [rest], workers: false });
  const url = host.url as string;
  const ask: Service['ask'] = async (method, path, body, headers = {}) => {
    const reply = await fetch(url + path, {
      method,
      redirect: 'manual',
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await reply.text();
    const json = reply.headers.get('content-type')?.startsWith('application/json') && text !== '';
    return { status: reply.status, headers: reply.headers, body: json ? JSON.parse(text) : text };
  };
  return {
    url,
    host,
    ask,
    async seen(method, path, body) {
      const { status, body: envelope } = await ask(method, path, body);
      if (!envelope.success)
        throw new Error(`${method} ${path} answered ${status}: ${JSON.stringify(envelope)}`);
      return JSON.parse(envelope.data.seen ?? envelope.data.items[0].seen);
    },
  };
}
