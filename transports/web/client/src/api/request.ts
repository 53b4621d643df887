import { unreachable } from './failure.js';

interface Reply {
  readonly response: Response;
  /** Undefined where the status is a failure, and its body not JSON: that of a proxy, say. */
  readonly body: unknown;
}

/** Sends a request, and reads the JSON that answers it. Rejects with a Failure where that did not come whole. */
export async function request(url: URL, init: RequestInit = {}): Promise<Reply> {
  const broken = (error: unknown): never => {
    throw init.signal?.aborted === true ? error : unreachable();
  };
  const response = await fetch(url, init).catch(broken);
  const body: unknown = await response
    .json()
    .catch((error: unknown) => (response.ok ? broken(error) : undefined));
  return { response, body };
}
