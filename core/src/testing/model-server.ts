import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as it arrived. */
export interface ModelRequest {
  /** Of the address, as `/v1/embeddings`. */
  readonly path: string;
  /** Of the header `Authorization`. */
  readonly key: string | undefined;
  readonly body: {
    readonly model: string;
    /** Of embeddings. */
    readonly input?: readonly string[];
    /** Of chat completions. */
    readonly messages?: ReadonlyArray<{ readonly role: string; readonly content: string }>;
    readonly [field: string]: unknown;
  };
}

/** Answers a request in another way than a sound service. */
export type ModelFault = (response: ServerResponse, request: ModelRequest) => void;

/** Faults of services as they are; each can be used for any endpoint. */
export const modelFaults = {
  /** The text of its body must reach nobody. */
  status:
    (code: number, headers: Readonly<Record<string, string>> = {}): ModelFault =>
    (response) =>
      void response.writeHead(code, headers).end('{"error":{"message":"Incorrect key: sk-secret"}}'),
  body:
    (text: string | ((request: ModelRequest) => string)): ModelFault =>
    (response, request) =>
      void response.writeHead(200).end(typeof text === 'string' ? text : text(request)),
  silent: () => undefined,
  /** Sends a space from time to time. */
  dripping: (response: ServerResponse) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write(' '), 50);
    response.once('close', () => clearInterval(timer));
  },
  endless: (response: ServerResponse) => {
    response.writeHead(200);
    const more = () => {
      while (response.write(Buffer.alloc(1024 * 1024, 32)));
      response.once('drain', more);
    };
    more();
  },
  /** The connection ends in the middle of the reply. */
  truncated: (response: ServerResponse) => {
    response.writeHead(200, { 'content-length': '1000' });
    response.write('{"data":[', () => response.destroy());
  },
  /** The connection ends before a reply. */
  dropped: (response: ServerResponse) => void response.destroy(),
};

/**
 * A server that speaks `/v1/embeddings` and `/v1/chat/completions` of the OpenAI API, and that fails on demand. The vectors
 * of a model have as many dimensions as the number at the end of its name, else 32.
 */
export class ModelServer {
  /** Every request that arrived. */
  readonly requests: ModelRequest[] = [];
  /** Taken one by one. */
  readonly faults: ModelFault[] = [];
  /** Answers every request while it is set. */
  broken: ModelFault | undefined;
  /** Requests that get 400. */
  refuses: ((request: ModelRequest) => boolean) | undefined;
  /** More texts in one request get 413. */
  maxTexts = Infinity;
  /** What the assistant says. */
  complete: (request: ModelRequest) => string = () => 'Yes.';
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  /** Returns its address, up to `/v1`. */
  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const { port } = this.#server.address() as AddressInfo; // it listens on a port
    return `http://127.0.0.1:${port}/v1`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part as Buffer); // no encoding is set
    const request: ModelRequest = {
      path: incoming.url ?? '',
      key: incoming.headers.authorization,
      body: JSON.parse(Buffer.concat(parts).toString('utf8')) as ModelRequest['body'], // tests send nothing else
    };
    this.requests.push(request);
    const fault = this.faults.shift() ?? this.broken;
    if (fault) return fault(response, request);
    const { input = [], model } = request.body;
    if (this.refuses?.(request)) return modelFaults.status(400)(response, request);
    if (input.length > this.maxTexts) return modelFaults.status(413)(response, request);
    const reply = this.#reply(request);
    if (!reply) return modelFaults.status(404)(response, request);
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ model, ...reply }));
  }

  #reply(request: ModelRequest): object | undefined {
    const { model, input = [], messages = [] } = request.body;
    const countWords = (texts: readonly string[]) =>
      texts.reduce((count, text) => count + text.split(/\s+/u).length, 0);
    if (request.path === '/v1/embeddings') {
      const tokens = countWords(input);
      // Backwards: only `index` says which text a vector is for.
      const data = input.map((text, index) => ({ index, embedding: wordVector(text, sizeOf(model)) }));
      return { object: 'list', data: data.reverse(), usage: { prompt_tokens: tokens, total_tokens: tokens } };
    }
    if (request.path !== '/v1/chat/completions') return undefined;
    const content = this.complete(request);
    const prompt_tokens = countWords(messages.map((message) => message.content));
    const completion_tokens = countWords([content]);
    return {
      object: 'chat.completion',
      choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
      usage: { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens },
    };
  }
}

const sizeOf = (model: string) => Number(/(?<!\d)\d+$/u.exec(model)?.[0] ?? 32);

/** The vector of a text on a {@link ModelServer}: near that of texts with the same words, and never of length 1. */
export function wordVector(text: string, dimensions: number): number[] {
  const vector = Array<number>(dimensions).fill(0);
  for (const word of ['', ...(text.toLowerCase().match(/[a-z0-9]+/gu) ?? [])]) {
    let hash = 2166136261; // FNV-1a
    for (const byte of Buffer.from(word)) hash = Math.imul(hash ^ byte, 16777619) >>> 0;
    for (let touched = 0; touched < 4; touched++) {
      hash = Math.imul(hash ^ (hash >>> 15), 2246822519) >>> 0;
      vector[(hash >>> 8) % dimensions]! += hash & 1 ? 2 : -2;
    }
  }
  return vector;
}
