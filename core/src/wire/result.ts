import type { ToolResult } from '../catalog.js';
import type { ContentBlock, InputRequest } from '../content.js';
import { ServiceError, type ErrorBody, type Issue } from '../errors.js';

/** A finished tool call: the data as `structuredContent` and as text (clients read one or the other): the tool's, else compact JSON. */
export interface WireResult {
  readonly content: readonly ContentBlock[];
  readonly structuredContent: Readonly<Record<string, unknown>>;
  readonly isError: false;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** Throws UNAVAILABLE where the tool asks the client a question, which these transports cannot pass on. */
export function completeResult(result: ToolResult): WireResult {
  if (result.kind === 'input_required') throw unanswerable(result);
  const { structured } = result;
  const text: ContentBlock = { type: 'text', text: result.text?.(structured) ?? JSON.stringify(structured) };
  return {
    content: result.content ? [text, ...result.content] : [text],
    structuredContent: structured,
    isError: false,
    ...(result.meta && { _meta: result.meta }),
  };
}

/** UNAVAILABLE for questions that the client at the other end cannot be asked; it names the argument that answers them. */
export function unanswerable({
  requests,
  instead,
}: {
  readonly requests: readonly InputRequest[];
  readonly instead?: string | undefined;
}): ServiceError {
  const questions = requests.map((request) => ('message' in request ? request.message : request.method));
  const remedy =
    instead === undefined
      ? 'Call it from an MCP client that supports elicitation.'
      : `Ask the person, and call again with the argument ${instead}.`;
  return new ServiceError(
    'UNAVAILABLE',
    `This needs an answer that cannot be asked for over this connection: ${questions.join(' ')} ${remedy}`,
    { details: { questions, ...(instead !== undefined && { argument: instead }) } },
  );
}

/** The key of an MCP result's `_meta` that carries the error, so that a gateway can give the same code on. */
export const ERROR_META = 'service-mcp/error';

export interface WireErrorResult {
  readonly content: readonly ContentBlock[];
  readonly isError: true;
  readonly _meta: { readonly [ERROR_META]: ErrorBody };
}

/** A failure as a tool result with `isError`; no `structuredContent`, which clients would validate even here. */
export function errorResult(error: ServiceError): WireErrorResult {
  const lines = [`${error.code}: ${error.message}`];
  const issues = issuesOf(error);
  if (issues.length > 1) lines.push(...issues.map(({ path, message }) => `- ${path || '/'}: ${message}`));
  return {
    content: [{ type: 'text', text: lines.join('\n') }],
    isError: true,
    _meta: { [ERROR_META]: error.body },
  };
}

function issuesOf(error: ServiceError): readonly Issue[] {
  const issues = error.details?.['issues'];
  return Array.isArray(issues) ? (issues as readonly Issue[]) : [];
}
