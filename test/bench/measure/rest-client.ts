import { Agent, request } from 'node:http';

/** Headers with the credential of a caller; none in a deployment without accounts. */
type Credential = Readonly<Record<string, string>>;

/** Calls a tool over its compatibility route; throws the error that the service returns. */
export async function callTool<T>(
  port: number,
  tool: string,
  args: object,
  credential: Credential = {},
): Promise<T> {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/tools/${tool}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-service-toolset': 'complete', ...credential },
    body: JSON.stringify(args),
  });
  const body = (await response.json()) as { structuredContent: T; error?: { code: string; message: string } };
  if (body.error) throw new Error(`${tool}: ${body.error.code}: ${body.error.message}`);
  return body.structuredContent;
}

export interface IndexStatus {
  readonly state: string;
  readonly pending: number;
  readonly indexed: number;
  readonly failed: number;
}

/** Waits until nothing of the project is pending; throws after `limitMs`. */
export async function untilIndexed(
  port: number,
  projectId: string,
  limitMs: number,
  credential?: Credential,
): Promise<IndexStatus> {
  const until = Date.now() + limitMs;
  for (;;) {
    const args = { project_id: projectId };
    const status = await callTool<IndexStatus>(port, 'projects_index_status', args, credential);
    if (status.pending === 0 && status.indexed + status.failed > 0) return status;
    if (Date.now() > until) throw new Error(`indexing did not end: ${JSON.stringify(status)}`);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

/** Sends a search over kept connections and throws where the answer is not 200. */
export class SearchClient {
  readonly #agent = new Agent({ keepAlive: true });
  readonly #port: number;
  readonly #credential: Credential;

  constructor(port: number, credential: Credential = {}) {
    this.#port = port;
    this.#credential = credential;
  }

  search(mode: string, input: object): Promise<void> {
    const body = JSON.stringify(input);
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      ...this.#credential,
    };
    const path = `/v1/search/${mode}`;
    const options = {
      port: this.#port,
      host: '127.0.0.1',
      path,
      method: 'POST',
      agent: this.#agent,
      headers,
    };
    return new Promise((resolve, reject) => {
      const sent = request(options, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.once('end', () => {
          if (response.statusCode === 200) resolve();
          else reject(new Error(`${mode} answered ${String(response.statusCode)}: ${text.slice(0, 300)}`));
        });
      });
      sent.once('error', reject).end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
