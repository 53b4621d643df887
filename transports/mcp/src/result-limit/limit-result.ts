import { ServiceError, estimateTokens, type FinishedCall, type Issue } from '@service-mcp/core';
import { completeResult, isRecord, type WireResult } from '@service-mcp/core/wire';
import { shortenedTexts } from './shortened-texts.js';
import { firstLineOf, sliceable, type Slice, type Sliceable } from './slices.js';

/** Limit of a result over MCP, in tokens: what clients can take into a conversation. */
export const MAX_RESULT_TOKENS = 20_000;

/** The key in `_meta` of a cut result: `{shown, of, next: {name, arguments}}`. */
const CUT_META = 'service-mcp/cut';

type Data = FinishedCall['structured'];

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
function tokensOf({ content, structuredContent }: WireResult, { text }: FinishedCall): number {
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
export function limitResult(result: FinishedCall, args: unknown): WireResult {
  const whole = completeResult(result);
  const tokens = tokensOf(whole, result);
  if (tokens <= MAX_RESULT_TOKENS) return whole;
  if (result.tool?.effect !== 'read') {
    const shorter = shortened(
      result,
      'The call is done: do not repeat it. Its answer is more than a result may hold',
    );
    if (shorter) return shorter;
  }
  const { elements, line, reducers } = piecesOf(result, isRecord(args) ? args : {});
  const cut = (elements && largest(elements, result)) ?? (line && largest(line, result));
  if (cut) return cut;
  // A first element cannot be narrowed any more, and those after it would be out of reach.
  const shorter = elements?.isList && shortenedFirst(elements, result);
  if (shorter) return shorter;
  throw tooLarge(nameOf(result), tokens, reducers);
}

/** The ways to cut a result, and the paths of the arguments of its tool that make it smaller. */
interface Pieces {
  readonly elements: Sliceable | undefined;
  readonly line: Sliceable | undefined;
  readonly reducers: readonly string[];
}

function piecesOf({ structured, tool, inner }: FinishedCall, args: Data): Pieces {
  if (inner) {
    const { elements, line, reducers } = piecesOf(inner.finished, inner.args);
    const within = (sliced: Sliceable | undefined) => sliced && nested(sliced, args);
    return {
      elements: within(elements),
      line: within(line),
      reducers: reducers.map((path) => `arguments/${path}`),
    };
  }
  const properties = tool?.inputSchema['properties'];
  if (!isRecord(properties)) return { elements: undefined, line: undefined, reducers: [] };
  return {
    elements: sliceable(structured, args, properties),
    line: firstLineOf(structured, args, properties),
    reducers: REDUCERS.filter((name) => name in properties),
  };
}

/** The pieces of another tool's result, as those of the tool that called it with its `arguments`. */
function nested(sliced: Sliceable, args: Data): Sliceable {
  return {
    ...sliced,
    first(count) {
      const slice = sliced.first(count);
      if (!slice) return undefined;
      return { ...slice, structured: { result: slice.structured }, next: { ...args, arguments: slice.next } };
    },
  };
}

function nameOf({ tool }: FinishedCall): string {
  return tool?.name ?? 'the tool';
}

/** The first element of a list, with shorter texts. */
function shortenedFirst(list: Sliceable, result: FinishedCall): WireResult | undefined {
  if (list.length === 1) return shortened(result, 'The whole is more than a result may hold');
  const slice = list.first(1);
  return (
    slice &&
    longestTexts(result, slice.structured, (structured, note) =>
      cutResult(result, { ...slice, structured }, `, and ${note}`),
    )
  );
}

/** A result with shorter texts, and why. */
function shortened(result: FinishedCall, why: string): WireResult | undefined {
  return longestTexts(result, result.structured, (structured, note) =>
    withNotice({ ...result, structured }, `${why}: ${note}.`),
  );
}

/** What `build` makes of data with shorter texts, the longest that fit, and of a note about them. */
function longestTexts(
  result: FinishedCall,
  data: Data,
  build: (shorter: Data, note: string) => WireResult,
): WireResult | undefined {
  for (const most of SHORTENED) {
    const shorter = shortenedTexts(data, most) as Data; // only its texts differ
    const built = build(shorter, `texts in it end after ${most} characters`);
    if (tokensOf(built, result) <= MAX_RESULT_TOKENS) return built;
  }
  return undefined;
}

function withNotice(result: FinishedCall, notice: string): WireResult {
  return completeResult({ ...result, content: [{ type: 'text', text: notice }, ...(result.content ?? [])] });
}

/** The cut with the most elements under the limit. Sizes double first: a result may be many times too large. */
function largest(whole: Sliceable, result: FinishedCall): WireResult | undefined {
  let best: WireResult | undefined;
  const fits = (count: number): boolean => {
    const slice = whole.first(count);
    if (!slice) return false;
    const cut = cutResult(result, slice);
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
  result: FinishedCall,
  { shown, of, unit, structured, next }: Slice,
  also = '',
): WireResult {
  const tool = nameOf(result);
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
