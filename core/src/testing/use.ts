import type { CallContext, Caller } from '../caller.js';
import type { Catalog } from '../catalog.js';
import type { InputRequest } from '../content.js';

/** Options of a test's call: parts of the call context, and short forms of two of them. */
export interface UseOptions extends Partial<Omit<CallContext, 'answers' | 'answersTo'>> {
  /** The caller. Default: the local owner. */
  readonly as?: Caller;
  /**
   * Answers by the name of the question, as they come up: what a form is filled with, or `'decline'` or `'cancel'`;
   * for a request to the client itself its whole result.
   */
  readonly answers?: Readonly<Record<string, unknown>>;
}

/** What {@link use} needs of a host. */
export interface UsableHost {
  readonly catalog: Pick<Catalog, 'call'>;
  call(init?: Partial<CallContext>): CallContext;
}

/**
 * Calls a tool in this process and returns its structured result. Answers what it asks for from `answers`, and throws
 * where one is missing.
 */
export async function use<T = Record<string, unknown>>(
  host: UsableHost,
  tool: string,
  args: object = {},
  { as, answers = {}, ...init }: UseOptions = {},
): Promise<T> {
  const call = host.call({ ...init, ...(as && { caller: as }) });
  const asked = new Set<string>();
  let result = await host.catalog.call(tool, args, call);
  while (result.kind === 'input_required') {
    const { requests, state } = result;
    for (const request of requests) {
      const { name } = request;
      if (asked.has(name) || !(name in answers))
        throw new Error(
          `${tool} asks for "${name}"${asked.has(name) ? ' again' : ''}: ${questionOf(request)}`,
        );
      asked.add(name);
    }
    const given = Object.fromEntries(requests.map((request) => [request.name, answerTo(request, answers)]));
    const answered = { ...call, answers: given, answersTo: state };
    result = await host.catalog.call(tool, args, answered);
  }
  return result.structured as T; // the test says what it expects
}

const questionOf = (request: InputRequest) => ('message' in request ? request.message : request.method);

function answerTo(request: InputRequest, answers: Readonly<Record<string, unknown>>): unknown {
  const answer = answers[request.name];
  if ('method' in request) return answer;
  return answer === 'decline' || answer === 'cancel'
    ? { action: answer }
    : { action: 'accept', content: answer };
}
