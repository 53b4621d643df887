export interface PostedJson<Body> {
  readonly status: number;
  readonly header: (name: string) => string | null;
  readonly raw: string;
  /** An empty object for a response that is not JSON. */
  readonly body: Body;
}

/** One POST: `undefined` sends no body, a string is sent as it is, anything else as JSON. */
export async function postJson<Body>(
  url: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<PostedJson<Body>> {
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...(text !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(text !== undefined && { body: text }),
  });
  const raw = await response.text();
  const header = (name: string) => response.headers.get(name);
  return { status: response.status, header, raw, body: parsed(raw) as Body }; // the test says what it expects
}

function parsed(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    return {};
  }
}

/** A JSON-RPC request. */
export function rpc(method: string, params: object = {}, id: unknown = 1): object {
  return { jsonrpc: '2.0', id, method, params };
}
