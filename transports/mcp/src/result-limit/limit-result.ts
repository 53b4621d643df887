import {
  ServiceError,
  estimateTokens,
  type CallContext,
  type Catalog,
  type Issue,
  type ToolResult,
} from '@service-mcp/core';
import { completeResult, isRecord, type WireResult } from '@service-mcp/core/wire';
import { shortenedTexts } from './shortened-texts.js';
import { firstLineOf, sliceable, type Slice, type Sliceable } from './slices.js';

/** Limit of a result over MCP, in tokens: what clients can take into a conversation. */
export const MAX_RESULT_TOKENS = 20_000;

/** The key in `_meta` of a cut result: `{shown, of, next: {name, arguments}}`. */
const CUT_META = 'service-mcp/cut';

/** Arguments that make a result smaller, the least loss for the reader first. */
const REDUCERS = [
  'content_max_chars',
  'limit',
  'per_page',
  'start_line',
  'end_line',
  'max_tokens',
  'max_paths',
  'max_depth',
  'granularity',
  'since',
  'until',
];

/** Characters of each text in what a call that changed something answers, or in a list, where the whole is too large. */
const SHORTENED = [16_000, 4000, 1000, 250];

/** The larger of the texts and the JSON of the data: clients read one or the other. */
function tokensOf({ content, structuredContent }: WireResult, { text }: Finished): number {
  let tokens = 0;
  for (const block of content) {
    if (block.type === 'text') tokens += estimateTokens(block.text);
    else if (block.type === 'resource') tokens += estimateTokens(block.resource.text ?? '');
  }
  const json = text ? estimateTokens(JSON.stringify(structuredContent)) : 0; // without a text, the JSON is among the texts
  return Math.ceil(Math.max(tokens, json));
}

/**
 * The result itself up to {@link MAX_RESULT_TOKENS}; a larger one is cut to its first elements, with the call that continues.
 * What a change answers has shorter texts, as an error would say that nothing was changed, and so has the first element of a
 * list that is alone too large. Throws INVALID_ARGUMENT for another result that cannot be cut, naming the arguments of the
 * tool that make it smaller.
 */
export async function limitResult(
  result: Finished,
  { tool, args, catalog, call }: AnsweredCall,
): Promise<WireResult> {
  const whole = completeResult(result);
  const tokens = tokensOf(whole, result);
  if (tokens <= MAX_RESULT_TOKENS) return whole;
  // A caller who may list no more tools this minute is not told that a change failed.
  const tools = await catalog.tools(call).catch(() => []);
  const info = tools.find(({ name }) => name === tool);
  if (info?.effect !== 'read') {
    // An alias is not listed, and may read.
    const done = info ? 'The call is done: do not repeat it.' : 'What the call changes is changed.';
    const shorter = shortened(result, `${done} Its answer is more than a result may hold`);
    if (shorter) return shorter;
  }
  const properties = info?.inputSchema['properties'];
  if (!isRecord(properties)) throw tooLarge(tool, tokens, []);
  const given = isRecord(args) ? args : {};
  const elements = sliceable(result.structured, given, properties);
  const line = firstLineOf(result.structured, given, properties);
  const cut = (elements && largest(elements, result, tool)) ?? (line && largest(line, result, tool));
  if (cut) return cut;
  // A first element cannot be narrowed any more, and those after it would be out of reach.
  const shorter = elements?.isList && shortenedFirst(elements, result, tool);
  if (shorter) return shorter;
  throw tooLarge(
    tool,
    tokens,
    REDUCERS.filter((name) => name in properties),
  );
}

/** The first element of a list, with shorter texts. */
function shortenedFirst(list: Sliceable, result: Finished, tool: string): WireResult | undefined {
  if (list.length === 1) return shortened(result, 'The whole is more than a result may hold');
  const slice = list.first(1);
  return (
    slice &&
    longestTexts(result, slice.structured, (structured, note) =>
      cutResult(result, { ...slice, structured }, tool, `, and ${note}`),
    )
  );
}

/** A result with shorter texts, and why. */
function shortened(result: Finished, why: string): WireResult | undefined {
  return longestTexts(result, result.structured, (structured, note) =>
    withNotice({ ...result, structured }, `${why}: ${note}.`),
  );
}

/** What `build` makes of data with shorter texts, the longest that fit, and of a note about them. */
function longestTexts(
  result: Finished,
  data: Finished['structured'],
  build: (shorter: Finished['structured'], note: string) => WireResult,
): WireResult | undefined {
  for (const most of SHORTENED) {
    const shorter = shortenedTexts(data, most) as Finished['structured']; // only its texts differ
    const built = build(shorter, `texts in it end after ${most} characters`);
    if (tokensOf(built, result) <= MAX_RESULT_TOKENS) return built;
  }
  return undefined;
}

function withNotice(result: Finished, notice: string): WireResult {
  return completeResult({ ...result, content: [{ type: 'text', text: notice }, ...(result.content ?? [])] });
}

/** A finished call. */
type Finished = Extract<ToolResult, { kind: 'complete' }>;

/** The call that a result answers. */
export interface AnsweredCall {
  readonly tool: string;
  readonly args: unknown;
  readonly catalog: Catalog;
  readonly call: CallContext;
}

/** The cut with the most elements under the limit. Sizes double first: a result may be many times too large. */
function largest(whole: Sliceable, result: Finished, tool: string): WireResult | undefined {
  let best: WireResult | undefined;
  const fits = (count: number): boolean => {
    const slice = whole.first(count);
    if (!slice) return false;
    const cut = cutResult(result, slice, tool);
    if (tokensOf(cut, result) > MAX_RESULT_TOKENS) return false;
    best = cut;
    return true;
  };
  let low = 0;
  let high = 1;
  while (high < whole.length && fits(high)) [low, high] = [high, high * 2];
  high = Math.min(high, whole.length);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return best;
}

/** `also`: what else the notice says of the elements that are shown. */
function cutResult(
  result: Finished,
  { shown, of, unit, structured, next }: Slice,
  tool: string,
  also = '',
): WireResult {
  const notice =
    `Shown ${shown} of ${of} ${unit}: the whole is more than a result may hold${also}. ` +
    `For what follows call ${tool} with ${JSON.stringify(next)}.`;
  const meta = { ...result.meta, [CUT_META]: { shown, of, next: { name: tool, arguments: next } } };
  return withNotice({ ...result, structured, meta }, notice);
}

function tooLarge(tool: string, tokens: number, reducers: readonly string[]): ServiceError {
  const advice =
    reducers.length > 0
      ? `Call ${tool} again with less: set or narrow ${reducers.join(', ')}.`
      : 'Narrow the question so that less comes back.';
  const issues = reducers.map((name): Issue => ({
    path: `/${name}`,
    message: 'narrow it: the result is too large',
  }));
  return new ServiceError(
    'INVALID_ARGUMENT',
    `The result has about ${tokens} tokens, and at most ${MAX_RESULT_TOKENS} are served over MCP. ${advice}`,
    { details: { issues, tokens, max_tokens: MAX_RESULT_TOKENS } },
  );
}
