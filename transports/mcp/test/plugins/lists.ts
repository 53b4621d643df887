import { Type, type Static } from 'typebox';
import { LocalCatalog, content, definePlugin, defineTool, Page, paging, passedOn } from '@service-mcp/core';
import { access, closed, described, reads } from './declare.js';

/** Number and length of the elements, and a text of one line instead of them; set by the tests. */
export const amounts = { count: 0, length: (_index: number) => 0, text: '' };

const Item = Type.Object({ n: Type.Integer(), text: Type.String() }, closed);
const item = (n: number) => ({ n, text: 'é"\n'.repeat(amounts.length(n) / 3) });
const numbers = (from: number, to: number) =>
  Array.from({ length: Math.max(0, Math.min(to, amounts.count) - from) }, (_, index) => from + index);

const OffsetList = Type.Object(
  { results: Type.Array(Item), total: Type.Integer(), has_more: Type.Boolean() },
  closed,
);
/** The text of `offset_list`. */
export const listText = ({ results, total }: Static<typeof OffsetList>, { offset }: { offset: number }) =>
  [`${total} from ${offset}`, ...results.map(({ n, text }) => `${n} ${text}`)].join('\n');

const line = (n: number) => `${n} ${'x\t'.repeat(amounts.length(n) / 2)}`;
const Line = (description: string) => Type.Optional(Type.Integer({ minimum: 1, description }));

const LineRange = Type.Object(
  {
    content: Type.String(),
    start_line: Type.Integer(),
    end_line: Type.Integer(),
    truncated: Type.Boolean(),
  },
  closed,
);
const linesFrom = async ({
  start_line = 1,
  end_line = amounts.count,
}: {
  start_line?: number;
  end_line?: number;
}) => ({
  content: numbers(start_line - 1, end_line)
    .map((index) => `${line(index + 1)}\n`)
    .join(''),
  start_line,
  end_line: Math.min(end_line, amounts.count),
  truncated: false,
});

const oneLine = () => ({ content: amounts.text, start_line: 1, end_line: 1, truncated: false });

const passing = defineTool({
  name: 'call_list',
  title: 'call_list',
  description: 'Calls another tool.',
  input: Type.Object(
    {
      name: Type.String(described('The tool.')),
      arguments: Type.Object({}, { additionalProperties: true, ...described('Its arguments.') }),
    },
    closed,
  ),
  output: Type.Object({ result: Type.Object({}, { additionalProperties: true }) }, closed),
  effect: 'read',
  level: 'light',
  access,
  uses: { catalog: LocalCatalog },
  handler: async ({ name, arguments: args }, { catalog }, call) => {
    const finished = await catalog.call(name, args, call);
    if (finished.kind !== 'complete') throw new Error('asked');
    return passedOn({ args: { ...args }, finished });
  },
});

const tools = [
  passing,
  reads('page_list', Type.Object(paging, closed), Page(Item), async ({ page, per_page }) => ({
    items: numbers((page - 1) * per_page, page * per_page).map(item),
    total: amounts.count,
    page,
    per_page,
    has_next: page * per_page < amounts.count,
    has_prev: page > 1,
  })),
  {
    ...reads(
      'offset_list',
      Type.Object(
        {
          limit: Type.Integer({ minimum: 1, maximum: 100, default: 10, ...described('Most results.') }),
          offset: Type.Integer({ minimum: 0, maximum: 1000, default: 0, ...described('Results to skip.') }),
        },
        closed,
      ),
      OffsetList,
      async ({ limit, offset }) =>
        content(
          {
            results: numbers(offset, offset + limit).map(item),
            total: amounts.count,
            has_more: offset + limit < amounts.count,
          },
          [{ type: 'resource_link', uri: 'things://one', name: 'one' }],
        ),
      listText,
    ),
    aliases: ['old_list'],
  },
  reads(
    'line_range',
    Type.Object({ start_line: Line('First line, from 1.'), end_line: Line('Last line.') }, closed),
    LineRange,
    linesFrom,
  ),
  reads(
    'day_counts',
    Type.Object(
      {
        since: Type.Optional(Type.String(described('From then on.'))),
        granularity: Type.Optional(Type.String(described('What counts are by.'))),
        ...paging,
      },
      closed,
    ),
    Type.Object({ ...Page(Item).properties, buckets: Type.Array(Item) }, closed),
    async ({ page, per_page, granularity }) => ({
      items: [],
      total: 0,
      page,
      per_page,
      has_next: false,
      has_prev: false,
      buckets: granularity === 'month' ? [] : numbers(0, amounts.count).map(item),
    }),
  ),
  reads(
    'column_range',
    Type.Object(
      {
        start_line: Line('First line, from 1.'),
        start_column: Line('Where in it.'),
        end_line: Line('Last line.'),
      },
      closed,
    ),
    LineRange,
    async ({ start_column = 1, ...range }) => {
      const { content: text, ...rest } = await linesFrom(range);
      const lines = amounts.text === '' ? { ...rest, content: text } : oneLine();
      return { ...lines, content: lines.content.slice(start_column - 1) };
    },
  ),
  reads(
    'long_text',
    Type.Object(
      { content_from: Type.Integer({ minimum: 0, default: 0, ...described('Characters to skip.') }) },
      closed,
    ),
    Type.Object({ id: Type.String(), content: Type.String() }, closed),
    async ({ content_from }) => ({ id: 'one', content: longText().slice(content_from) }),
  ),
  {
    ...reads(
      'store_text',
      Type.Object({ text: Type.String({ maxLength: 100_000, ...described('What is stored.') }) }, closed),
      Type.Object({ id: Type.String(), text: Type.String() }, closed),
      async ({ text }) => {
        amounts.count += 1;
        return { id: 'one', text };
      },
    ),
    effect: 'write' as const,
  },
];

/** One tool per result shape that can be cut. */
export const lists = definePlugin({
  id: 'lists',
  description: 'Lists.',
  api: '^1',
  toolsets: tools.map((tool, at) => ({
    id: `lists${at}`,
    prefix: tool.name.split('_')[0] ?? '',
    description: 'Lists.',
    tools: [tool],
  })),
});

/** The content of `long_text`. */
export function longText(): string {
  return amounts.text || Array.from({ length: amounts.count }, (_none, n) => `${n} 🏮é"`).join('');
}

/** The lines of `line_range`. */
export function lines(): string[] {
  return numbers(0, amounts.count).map((index) => line(index + 1));
}
