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
import { isRecord, serviceError } from '../connection/error-response.js';

/**
 * Converts a result of `tools/call`. The service's first block is the text of the result; where that is the JSON of the
 * data, the gateway generates it itself. Throws the error of a result with `isError`.
 */
export function toolResult(result: CallToolResult): ToolResult {
  const { structuredContent, _meta: all = {} } = result;
  const content = result.content as ContentBlock[]; // the same kinds, readonly here
  if (result.isError) throw errorOf(all, content);
  const structured = isRecord(structuredContent) ? structuredContent : {};
  const [first] = content;
  const text = first?.type === 'text' ? first.text : undefined;
  const extra = text === undefined ? content : content.slice(1);
  const meta = Object.fromEntries(Object.entries(all).filter(([key]) => !OF_PROTOCOL.test(key)));
  return {
    kind: 'complete',
    structured,
    ...(text !== undefined && text !== JSON.stringify(structured) && { text: () => text }),
    ...(extra.length > 0 && { content: extra }),
    ...(Object.keys(meta).length > 0 && { meta }),
  };
}

/** Protocol keys in `_meta` belong to one hop and are not forwarded. */
const OF_PROTOCOL = /^io\.modelcontextprotocol\//;

function errorOf(meta: Readonly<Record<string, unknown>>, content: readonly ContentBlock[]): ServiceError {
  const error = meta[ERROR_META];
  const known = isRecord(error) ? serviceError(error['code'], error['message'], error['details']) : undefined;
  if (known) return known;
  const text = content.map((block) => (block.type === 'text' ? block.text : '')).join(' ');
  return new ServiceError(
    'INTERNAL',
    `The tool failed: ${text.slice(0, 1000) || 'the service gives no reason.'}`,
  );
}

/** The service's input requests, for the gateway's client. Throws UNAVAILABLE for an unknown kind. */
export function inputRequests(result: InputRequiredResult): InputRequired {
  const requests = Object.entries(result.inputRequests ?? {}).map(
    ([name, { method, params }]): InputRequest => {
      const fields: Readonly<Record<string, unknown>> = isRecord(params) ? params : {};
      if (method === 'sampling/createMessage' || method === 'roots/list')
        return { name, method, params: fields };
      const { message, requestedSchema } = fields;
      if (typeof message === 'string' && isRecord(requestedSchema))
        return { name, message, schema: requestedSchema };
      throw new ServiceError(
        'UNAVAILABLE',
        'The service requests input that this gateway cannot forward. Call the service directly, without the gateway.',
      );
    },
  );
  return inputRequired(requests, result.requestState);
}
