import { loadGateway, startGateway } from '@service-mcp/transport-gateway';

type Headers = Readonly<Record<string, string>>;

/** The gateway in this process, with the requests and responses of a client. */
export interface Served {
  readonly url: string;
  get(path: string, headers?: Headers): Promise<Answer>;
  post(path: string, body: unknown, headers?: Headers): Promise<Answer>;
  /** One JSON-RPC request to an MCP endpoint. */
  ask(method: string, params?: object, headers?: Headers, path?: string): Promise<Answer>;
  stop(): Promise<void>;
}

/** An answer, with its JSON body read. */
export interface Answer {
  readonly status: number;
  readonly headers: globalThis.Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- a test says what it expects of it
  readonly body: any;
}

/** Starts a gateway on a loopback port, a free one by default. */
export async function serveGateway(env: Readonly<Record<string, string>>, port = 0): Promise<Served> {
  const quiet = { SERVICE_LOG_LEVEL: 'silent', SERVICE_HOST: '127.0.0.1', ...env };
  const gateway = await startGateway(await loadGateway(undefined, quiet, { port }));
  const { url } = gateway;
  const send = async (path: string, init: RequestInit): Promise<Answer> => {
    const response = await fetch(`${url}${path}`, init);
    const text = await response.text();
    const isJson = (response.headers.get('content-type') ?? '').includes('json');
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  };
  const post: Served['post'] = (path, body, headers = {}) =>
    send(path, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  return {
    url,
    post,
    get: (path, headers = {}) => send(path, { headers }),
    ask: (method, params = {}, headers = {}, path = '/mcp') =>
      post(path, { jsonrpc: '2.0', id: 1, method, params }, headers),
    stop: () => gateway.stop(),
  };
}
