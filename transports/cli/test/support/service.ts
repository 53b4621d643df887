import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Replaces the service's answer to one request. */
export type Fault =
  | 'reset'
  | 'hang'
  | {
      readonly status: number;
      readonly code: string;
      readonly message?: string;
      readonly retryAfter?: string;
    };

interface Stored {
  readonly sha256: string;
  readonly bytes: number;
}

/**
 * A small HTTP server that speaks the compatibility routes and keeps files in memory, and that fails on demand:
 * failures that a real service cannot produce on demand. The end-to-end tests use the real one.
 */
export class FaultyService {
  readonly files = new Map<string, Stored>();
  /** Sizes of the batches that arrived. */
  readonly batches: { readonly files: number; readonly bytes: number }[] = [];
  /** Taken one by one by calls of `files_ingest`, before anything is stored, and of `workspaces_export`. */
  readonly faults: (Fault | undefined)[] = [];
  /** The pages of `workspaces_export`. */
  readonly exported: object[][] = [];
  /** Replaces the answer to a call, of whatever tool. */
  faultOf: (name: string, args: Readonly<Record<string, unknown>>) => Fault | undefined = () => undefined;
  /** Answers wait for it, with what they have found. */
  waitOf: (name: string) => Promise<void> | undefined = () => undefined;
  /** Files on a page of `files_list`. */
  pageSize = 100;
  readonly headers: IncomingMessage['headers'][] = [];
  readonly calls: { readonly name: string; readonly args: Record<string, unknown> }[] = [];
  largestBody = 16 * 1024 * 1024;
  rejects: (path: string) => string | undefined = () => undefined;
  #project = false;
  #port = 0;
  #onCall: () => void = () => undefined;
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  /** Resolves when as many calls that take faults have arrived from now on. */
  called(times: number): Promise<void> {
    let count = 0;
    return new Promise((resolve) => {
      this.#onCall = () => {
        count += 1;
        if (count === times) resolve();
      };
    });
  }

  /** Starts it; after `stop`, on the port that it had. */
  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (this.#server.address() as AddressInfo).port;
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Makes its project, as `projects_create` does. */
  create(): void {
    this.#project = true;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = Buffer.concat(parts);
    this.headers.push(request.headers);
    const send = (status: number, value: unknown, headers = {}) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(value));
    };
    const refuse = (status: number, code: string, message: string, headers = {}) =>
      send(status, { error: { code, message } }, headers);
    const name = (request.url ?? '').split('/').at(-1) ?? '';
    if (name === 'health') return send(200, { status: 'ok', server: 'service-mcp', version: '0.1.0' });
    const takesFaults = name === 'files_ingest' || name === 'workspaces_export';
    if (takesFaults) this.#onCall();
    const args = body.length > 0 ? (JSON.parse(body.toString('utf8')) as Record<string, unknown>) : {};
    const fault = (takesFaults ? this.faults.shift() : undefined) ?? this.faultOf(name, args);
    if (fault === 'hang') return;
    if (fault === 'reset') return void request.socket.destroy();
    if (fault) {
      const headers = fault.retryAfter === undefined ? {} : { 'retry-after': fault.retryAfter };
      return refuse(fault.status, fault.code, fault.message ?? 'Not now.', headers);
    }
    if (takesFaults && body.length > this.largestBody) return refuse(413, 'PAYLOAD_TOO_LARGE', 'Too large.');
    this.calls.push({ name, args });
    const result = this.#call(name, args, body.length);
    await this.waitOf(name);
    if (!result) return refuse(404, 'NOT_FOUND', `There is no such thing for ${name}.`);
    send(200, { content: [], structuredContent: result, isError: false });
  }

  #call(name: string, args: Record<string, unknown>, bytes: number): object | undefined {
    const page = (items: object[]) => ({
      items,
      total: items.length,
      page: 1,
      per_page: 100,
      has_next: false,
      has_prev: false,
    });
    switch (name) {
      case 'search_hybrid':
        return {
          results: [],
          total: 0,
          index: { state: 'ready', pending: 0 },
          warnings: [],
          has_more: false,
          took_ms: 1,
        };
      case 'workspaces_list':
        return page([{ id: 'w1', name: 'default' }]);
      case 'workspaces_export': {
        const at = Number(args['cursor'] ?? 0);
        return { records: this.exported[at], next: at + 1 < this.exported.length ? String(at + 1) : null };
      }
      case 'projects_create':
        this.#project = true;
        return { id: 'p1', workspace_id: 'w1', name: args['name'] };
      case 'projects_get':
        return this.#project
          ? { id: 'p1', workspace_id: 'w1', name: 'tree', file_count: this.files.size }
          : undefined;
      case 'projects_delete':
        this.#project = false;
        return { deleted: true };
      case 'projects_index_status':
        return {
          state: 'ready',
          pending: 0,
          indexed: this.files.size,
          failed: 0,
          generation: 1,
          indexed_at: null,
        };
      case 'files_list':
        return this.#list(Number(args['page']));
      case 'files_delete':
        return { removed: (args['paths'] as string[]).filter((path) => this.files.delete(path)).length };
      case 'files_ingest':
        return this.#ingest(args['files'] as { path: string; content: string }[], bytes);
      default:
        return undefined;
    }
  }

  #list(page: number): object {
    const [from, to] = [(page - 1) * this.pageSize, page * this.pageSize];
    const items = [...this.files].slice(from, to).map(([path, file]) => ({ path, ...file }));
    return { items, total: this.files.size, page, has_next: to < this.files.size, has_prev: page > 1 };
  }

  #ingest(files: { path: string; content: string }[], bytes: number): object {
    this.batches.push({ files: files.length, bytes });
    const rejected: { path: string; reason: string }[] = [];
    let changed = 0;
    for (const { path, content } of files) {
      const reason = this.rejects(path);
      if (reason !== undefined) {
        rejected.push({ path, reason });
        continue;
      }
      const sha256 = createHash('sha256').update(content).digest('hex');
      if (this.files.get(path)?.sha256 !== sha256) changed += 1;
      this.files.set(path, { sha256, bytes: Buffer.byteLength(content) });
    }
    return {
      received: files.length,
      changed,
      unchanged: files.length - changed - rejected.length,
      removed: 0,
      rejected,
    };
  }
}
