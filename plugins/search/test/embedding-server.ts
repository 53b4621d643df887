import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { analyse, countTerms, hashedEmbedding } from '@service-mcp/plugin-search/internals';

/** Answers one request in another way, once. */
export type Fault = (response: ServerResponse, texts: readonly string[]) => void;

interface Asked {
  readonly texts: readonly string[];
  readonly model: string;
  readonly key: string | undefined;
}

export const status =
  (code: number, headers: Readonly<Record<string, string>> = {}): Fault =>
  (response) =>
    void response.writeHead(code, headers).end('{"error":{"message":"Incorrect key: sk-secret"}}');

export const body =
  (text: string | ((texts: readonly string[]) => string)): Fault =>
  (response, texts) =>
    void response.writeHead(200).end(typeof text === 'string' ? text : text(texts));

/** A server that speaks `/v1/embeddings`, with the same vector for the same text, and that fails on demand. */
export class EmbeddingServer {
  /** Every request that arrived. */
  readonly asked: Asked[] = [];
  /** Taken one by one. */
  readonly faults: Fault[] = [];
  /** Answers every request while it is set. */
  broken: Fault | undefined;
  /** Requests that get 400. */
  refuses: ((texts: readonly string[], model: string) => boolean) | undefined;
  /** More texts in a request get 413. */
  maxTexts = Infinity;
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${String((this.#server.address() as AddressInfo).port)}/v1`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Texts that were asked for, without the one that asks for the dimensions. */
  get texts(): readonly string[] {
    return this.asked.flatMap(({ texts }) => texts).filter((text) => text !== 'dimensions');
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const sent = JSON.parse(Buffer.concat(parts).toString('utf8')) as { input: string[]; model: string };
    this.asked.push({ texts: sent.input, model: sent.model, key: request.headers.authorization });
    const fault = this.faults.shift() ?? this.broken;
    if (fault) return fault(response, sent.input);
    if (this.refuses?.(sent.input, sent.model)) return status(400)(response, []);
    if (request.url !== '/v1/embeddings') return status(404)(response, []);
    if (sent.input.length > this.maxTexts) return status(413)(response, []);
    const dimensions = Number(/\d+$/u.exec(sent.model)?.[0] ?? 32);
    // Backwards: only `index` says which text a vector is for.
    const data = vectors(sent.input, dimensions).reverse();
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data }));
  }
}

/** Of twice the length: the client brings it to 1. */
export function vectors(texts: readonly string[], dimensions: number) {
  return texts.map((text, index) => {
    const vector = hashedEmbedding(countTerms(analyse(text)), dimensions) ?? new Float32Array(dimensions);
    return { index, embedding: Array.from(vector, (value) => value * 2) };
  });
}
