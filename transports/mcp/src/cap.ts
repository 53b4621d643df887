import { ServiceError, type CallContext, type Catalog, type Issue } from '@service-mcp/core';
import type { WireResult } from '@service-mcp/core/wire';

/** The most tokens of a result over MCP: what clients can take into a conversation. */
export const MAX_RESULT_TOKENS = 20_000;
/** The estimate's ratio; English prose and code run between 3 and 5. */
const CHARACTERS_PER_TOKEN = 4;

/** Arguments that make a result smaller, the ones that cost the reader least first. */
const REDUCERS = [
  'content_max_chars',
  'limit',
  'per_page',
  'start_line',
  'end_line',
  'max_tokens',
  'max_depth',
];

export function estimateTokens(result: WireResult): number {
  let characters = 0;
  for (const block of result.content) {
    if (block.type === 'text') characters += block.text.length;
    else if (block.type === 'resource') characters += block.resource.text?.length ?? 0;
  }
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}

/** Throws INVALID_ARGUMENT for a result over the cap, naming the arguments of the tool that make it smaller. */
export async function assertUnderCap(
  result: WireResult,
  tool: string,
  catalog: Catalog,
  call: CallContext,
): Promise<void> {
  const tokens = estimateTokens(result);
  if (tokens <= MAX_RESULT_TOKENS) return;
  const info = (await catalog.tools(call)).find(({ name }) => name === tool);
  const properties = (info?.inputSchema['properties'] ?? {}) as Readonly<Record<string, unknown>>;
  const reducers = REDUCERS.filter((name) => name in properties);
  const advice =
    reducers.length > 0
      ? `Call ${tool} again with less: set or narrow ${reducers.join(', ')}.`
      : 'Narrow the question so that less comes back.';
  const issues = reducers.map((name): Issue => ({
    path: `/${name}`,
    message: 'narrow it: the result is too large',
  }));
  throw new ServiceError(
    'INVALID_ARGUMENT',
    `The result has about ${tokens} tokens, and at most ${MAX_RESULT_TOKENS} are served over MCP. ${advice}`,
    { details: { issues, tokens, max_tokens: MAX_RESULT_TOKENS } },
  );
}
