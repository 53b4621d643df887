import { ROUTES, type Tools } from '../generated/tools.js';
import { ROOT } from './deployment.js';
import { Failure, type ErrorBody } from './failure.js';
import { request } from './request.js';

export type ToolName = keyof typeof ROUTES;
export type Input<N extends ToolName> = Tools[N]['input'];
export type Output<N extends ToolName> = Tools[N]['output'];

/** A method and a path such as `/v1/projects/{project_id}`. */
export type Route = readonly [method: string, path: string];

/** Calls a tool by its REST route with the session of the browser. Rejects with a Failure. */
export async function call<N extends ToolName>(
  name: N,
  input: Input<N>,
  signal?: AbortSignal,
): Promise<Output<N>> {
  const answer = await send(ROUTES[name], input, signal);
  return answer.result as Output<N>; // its type is made from the schema that the service keeps to
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
  /** `data` of the envelope, or the whole body where there is none. */
  readonly result: unknown;
}

/** Sends arguments by a route: those that the path names in the path, the others in the query or body. */
export async function send(route: Route, input: object, signal?: AbortSignal): Promise<Answer> {
  const folded = foldedArgument(route, input);
  if (folded !== undefined) {
    const issue = { path: `/${folded}`, message: 'must not be "." or ".."' };
    throw new Failure(400, {
      code: 'INVALID_ARGUMENT',
      message: `${folded}: ${issue.message}`,
      details: { issues: [issue] },
    });
  }
  const { method, url, body } = requestOf(route, input);
  const { response, body: answered } = await request(
    new URL(url.startsWith('v1/') ? `api/${url}` : url, ROOT),
    {
      method,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      body: body ?? null,
      signal: signal ?? null,
    },
  );
  const answer = (answered ?? {}) as Envelope; // fields are checked below
  if (!response.ok || answer.success === false) {
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
    throw new Failure(response.status, answer.error ?? {}, Number.isNaN(seconds) ? undefined : seconds);
  }
  const result = typeof answer.success === 'boolean' ? answer.data : answer;
  return { status: response.status, body: answer, result };
}

interface Envelope {
  readonly success?: boolean;
  readonly data?: unknown;
  readonly error?: ErrorBody | null;
}

/**
 * The name of an argument in the path that programs take for a step in it: `DELETE /v1/a/1/b/..` would delete `/v1/a/1`.
 * Escapes of the dots do not help: a browser reads `%2e%2e` as `..`.
 */
export function foldedArgument([, path]: Route, input: object): string | undefined {
  const values = new Map<string, unknown>(Object.entries(input));
  return [...path.matchAll(/\{(\w+)\}/g)]
    .map(([, name = '']) => name)
    .find((name) => ['.', '..'].includes(String(values.get(name))));
}

/** The request of a call by the path of its route; its address is relative to the service. */
export function requestOf([method, path]: Route, input: object) {
  const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
  const filled = path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => {
    const value = String(rest.get(name) ?? '');
    rest.delete(name);
    return encodeURIComponent(value);
  });
  const url = filled.slice(1);
  if (method === 'POST' || method === 'PATCH')
    return { method, url, body: JSON.stringify(Object.fromEntries(rest)) };
  const query = new URLSearchParams();
  for (const [name, value] of rest) {
    // One item alone would be split at its commas.
    const items =
      Array.isArray(value) && value.length === 1 ? [String(value[0]).replaceAll(',', '\\,')] : [value].flat();
    for (const each of items) query.append(name, String(each));
  }
  return { method, url: query.size > 0 ? `${url}?${query.toString()}` : url, body: undefined };
}
