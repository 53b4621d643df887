import type { CallToolResult, InputRequiredResult } from '@modelcontextprotocol/client';
import {
  ServiceError,
  inputRequired,
  type ContentBlock,
  type InputRequest,
  type InputRequired,
  type ToolResult,
} from '@service-mcp/core';
import { ERROR_META } from '@service-mcp/core/wire';
import { isRecord, serviceError } from '../connection/refusals.js';

/** A result of `tools/call` as the catalog gives it on. Throws the failure that an `isError` tells of. */
export function toolResult(result: CallToolResult): ToolResult {
  const { structuredContent, _meta: all = {} } = result;
  const content = result.content as ContentBlock[]; // the kinds are the same, read-only on our side
  if (result.isError) throw failureIn(all, content);
  const structured = isRecord(structuredContent) ? structuredContent : {};
  const extra = isRepeated(content[0], structured) ? content.slice(1) : content;
  const meta = Object.fromEntries(Object.entries(all).filter(([key]) => !OF_PROTOCOL.test(key)));
  return {
    kind: 'complete',
    structured,
    ...(extra.length > 0 && { content: extra }),
    ...(Object.keys(meta).length > 0 && { meta }),
  };
}

/** What the protocol itself says in `_meta` is said anew by whoever answers. */
const OF_PROTOCOL = /^io\.modelcontextprotocol\//;

/** The data as text, with which every result of the service begins; the gateway writes it again. */
function isRepeated(block: ContentBlock | undefined, structured: object): boolean {
  return block?.type === 'text' && block.text === JSON.stringify(structured);
}

function failureIn(meta: Readonly<Record<string, unknown>>, content: readonly ContentBlock[]): ServiceError {
  const told = meta[ERROR_META];
  const known = isRecord(told) ? serviceError(told['code'], told['message'], told['details']) : undefined;
  if (known) return known;
  const text = content.map((block) => (block.type === 'text' ? block.text : '')).join(' ');
  return new ServiceError(
    'INTERNAL',
    `The tool failed: ${text.slice(0, 1000) || 'the service does not say why.'}`,
  );
}

/** The questions of the service, for the gateway's own client. Throws UNAVAILABLE for a kind that cannot be passed on. */
export function questions(result: InputRequiredResult): InputRequired {
  const requests = Object.entries(result.inputRequests ?? {}).map(
    ([name, { method, params }]): InputRequest => {
      const given: Readonly<Record<string, unknown>> = isRecord(params) ? params : {};
      if (method === 'sampling/createMessage' || method === 'roots/list')
        return { name, method, params: given };
      const { message, requestedSchema } = given;
      if (typeof message === 'string' && isRecord(requestedSchema))
        return { name, message, schema: requestedSchema };
      throw new ServiceError(
        'UNAVAILABLE',
        'The service asks something that this gateway cannot pass on. Call the service itself, without the gateway.',
      );
    },
  );
  return inputRequired(requests, result.requestState);
}
