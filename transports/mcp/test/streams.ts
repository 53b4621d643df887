/** One message of an event stream. */
export interface Message {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** Reads the messages of an event stream one by one; comments are left out. */
export class Events {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #decoder = new TextDecoder();
  #text = '';

  constructor(response: Response) {
    if (!response.body) throw new Error('the response has no body');
    this.#reader = response.body.getReader();
  }

  /** The next message, undefined when the stream has ended. */
  async next(): Promise<Message | undefined> {
    for (;;) {
      const end = this.#text.indexOf('\n\n');
      if (end === -1) {
        const { value, done } = await this.#reader.read();
        if (done) return undefined;
        this.#text += this.#decoder.decode(value, { stream: true });
        continue;
      }
      const event = this.#text.slice(0, end);
      this.#text = this.#text.slice(end + 2);
      const data = event.split('\n').find((line) => line.startsWith('data: '));
      if (data !== undefined) return JSON.parse(data.slice('data: '.length)) as Message;
    }
  }

  async close(): Promise<void> {
    await this.#reader.cancel();
  }

  /** Resolves when the stream has ended, for any reason. */
  async ended(): Promise<void> {
    try {
      while (await this.next());
    } catch {
      // it was cut off
    }
  }
}

const POST = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** A POST whose answer is read as it arrives. */
export function open(url: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, { method: 'POST', headers: { ...POST, ...headers }, body: JSON.stringify(body) });
}

export function bearer(name: string): { authorization: string } {
  return { authorization: `Bearer ${name}` };
}

/** The `_meta` that a client of the stateless revision sends with each request. */
export function modernMeta(
  capabilities: object = {},
  more: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  return {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': capabilities,
    ...more,
  };
}

export function modernHeaders(method: string, name?: string): Record<string, string> {
  return {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(name !== undefined && { 'mcp-name': name }),
  };
}

/** Opens a session; returns the headers that name it. */
export async function openSession(
  url: string,
  capabilities: object,
  headers: Record<string, string> = {},
): Promise<Record<string, string>> {
  const params = { protocolVersion: '2025-11-25', capabilities, clientInfo: { name: 't', version: '1' } };
  const response = await open(url, { jsonrpc: '2.0', id: 0, method: 'initialize', params }, headers);
  await response.text();
  return { ...headers, 'mcp-session-id': response.headers.get('mcp-session-id') ?? '' };
}

/** Resolves when a gauge of the service shows the value; otherwise the test times out. */
export async function untilGauge(base: string, name: string, value: number): Promise<void> {
  for (;;) {
    const metrics = await (await fetch(`${base}/metrics`)).text();
    if (metrics.includes(`\n${name} ${value}\n`)) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
