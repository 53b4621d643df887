import assert from 'node:assert/strict';
import { MAX_RESULT_TOKENS } from '@service-mcp/transport-mcp';
import fc from 'fast-check';
import { rpc, send, start, type Running } from './fixture.js';
import { amounts, lines, lists, listText, longText } from './plugins/lists.js';

interface Answer {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
  readonly _meta?: {
    readonly 'service-mcp/cut'?: {
      readonly shown: number;
      readonly of: number;
      readonly next: { readonly name: string; readonly arguments: object };
    };
  };
}

describe('mcp: results over the limit', () => {
  let running: Running;
  before(async () => {
    running = await start({ plugins: [lists] });
  });
  after(() => running.host.stop());

  async function call(name: string, args: object): Promise<Answer> {
    const { body } = await send(running.url, rpc('tools/call', { name, arguments: args }));
    return body.result as unknown as Answer; // the result of a tool
  }

  /** All answers up to the end: each continues by the call that a cut result names, else by its own flags. */
  async function* follow(
    name: string,
    args: object,
    onwards: (structured: Answer['structuredContent'], args: object) => object | undefined,
  ): AsyncGenerator<Answer> {
    let next: object | undefined = args;
    while (next) {
      const answer = await call(name, next);
      assert.notEqual(answer.isError, true, answer.content[0]?.text);
      check(answer, textOf(name, next));
      yield answer;
      const cut = answer._meta?.['service-mcp/cut'];
      assert.ok(!cut || cut.next.name === name);
      next = cut ? cut.next.arguments : onwards(answer.structuredContent, next);
    }
  }

  /** The result is under the limit, its text is that of its data, and a cut result says so. */
  function check({ content, structuredContent, _meta }: Answer, textOf: (data: object) => string): void {
    const characters = content.reduce((sum, { text = '' }) => sum + text.length, 0);
    assert.ok(characters / 4 <= MAX_RESULT_TOKENS);
    assert.ok(JSON.stringify(structuredContent).length / 4 <= MAX_RESULT_TOKENS);
    assert.equal(content[0]?.text, textOf(structuredContent));
    const cut = _meta?.['service-mcp/cut'];
    if (!cut) return;
    const notice = content[1]?.text ?? '';
    assert.ok(notice.startsWith(`Shown ${cut.shown} of ${cut.of} `), notice);
    assert.ok(notice.includes(`call ${cut.next.name} with ${JSON.stringify(cut.next.arguments)}`), notice);
    assert.ok(cut.shown > 0 && cut.shown < cut.of);
  }

  function textOf(name: string, args: object): (data: object) => string {
    if (name === 'offset_list') {
      const { offset } = args as { offset: number };
      return (data) => listText(data as never, { offset });
    }
    if (name !== 'call_list') return JSON.stringify;
    const inner = args as { name: string; arguments: object };
    return (data) => textOf(inner.name, inner.arguments)((data as { result: object }).result);
  }

  const sizes = fc.record({
    count: fc.integer({ min: 0, max: 120 }),
    lengths: fc.array(fc.integer({ min: 0, max: 8_000 }), { minLength: 1, maxLength: 7 }),
  });
  const set = ({ count, lengths }: { count: number; lengths: number[] }) => {
    amounts.count = count;
    amounts.length = (index) => lengths[index % lengths.length] ?? 0;
  };
  const all = () => Array.from({ length: amounts.count }, (_, index) => index);

  it('of pages continue to the end, with each item once', async () => {
    const request = fc.record({
      page: fc.integer({ min: 1, max: 4 }),
      per_page: fc.integer({ min: 1, max: 100 }),
    });
    const run = async (
      size: { count: number; lengths: number[] },
      args: { page: number; per_page: number },
    ) => {
      set(size);
      const seen: number[] = [];
      const onwards = ({ has_next, page, per_page }: Answer['structuredContent']) =>
        has_next === true ? { page: Number(page) + 1, per_page } : undefined;
      for await (const { structuredContent: page } of follow('page_list', args, onwards)) {
        const items = page['items'] as { n: number }[];
        const before = (Number(page['page']) - 1) * Number(page['per_page']);
        assert.deepEqual(
          items.map(({ n }) => n),
          items.map((_, index) => before + index),
        );
        assert.equal(page['total'], amounts.count);
        assert.equal(page['has_next'], before + Number(page['per_page']) < amounts.count);
        assert.equal(page['has_prev'], before > 0);
        seen.push(...items.map(({ n }) => n));
      }
      assert.deepEqual(seen, all().slice((args.page - 1) * args.per_page));
    };
    await fc.assert(fc.asyncProperty(sizes, request, run), { numRuns: 15 });
  });

  it('of lists with an offset continue to the end, with each result once', async () => {
    const request = fc.record({
      offset: fc.integer({ min: 0, max: 60 }),
      limit: fc.integer({ min: 1, max: 100 }),
    });
    const run = async (
      size: { count: number; lengths: number[] },
      args: { offset: number; limit: number },
    ) => {
      set(size);
      const seen: number[] = [];
      const onwards = (list: Answer['structuredContent'], last: object) => {
        const { offset, limit } = last as typeof args;
        return list['has_more'] === true ? { offset: offset + limit, limit } : undefined;
      };
      for await (const { structuredContent: list, content } of follow('offset_list', args, onwards)) {
        seen.push(...(list['results'] as { n: number }[]).map(({ n }) => n));
        assert.equal(list['total'], amounts.count);
        assert.equal(list['has_more'], seen.length + args.offset < amounts.count);
        assert.equal(content.at(-1)?.type, 'resource_link');
      }
      assert.deepEqual(seen, all().slice(args.offset));
    };
    await fc.assert(fc.asyncProperty(sizes, request, run), { numRuns: 15 });
  });

  it('of lines continue to the end, with each line once', async () => {
    const request = fc.record({
      start_line: fc.integer({ min: 1, max: 20 }),
      end_line: fc.option(fc.integer({ min: 20, max: 140 }), { nil: undefined }),
    });
    const run = async (
      size: { count: number; lengths: number[] },
      args: { start_line: number; end_line: number | undefined },
    ) => {
      set({ ...size, count: size.count + 20 });
      const seen: string[] = [];
      for await (const { structuredContent: range, _meta } of follow('line_range', args, () => undefined)) {
        const text = String(range['content']).split('\n').slice(0, -1);
        assert.equal(text.length, Number(range['end_line']) - Number(range['start_line']) + 1);
        assert.equal(range['truncated'], _meta?.['service-mcp/cut'] !== undefined);
        seen.push(...text);
      }
      assert.deepEqual(seen, lines().slice(args.start_line - 1, args.end_line));
    };
    await fc.assert(fc.asyncProperty(sizes, request, run), { numRuns: 15 });
  });

  it('of another tool continue through the tool that called it', async () => {
    set({ count: 9, lengths: [20_000] });
    const seen: number[] = [];
    for await (const { structuredContent, content } of follow(
      'call_list',
      { name: 'offset_list', arguments: { offset: 0 } },
      () => undefined,
    )) {
      const { results } = structuredContent['result'] as { results: { n: number }[] };
      seen.push(...results.map(({ n }) => n));
      assert.equal(content.at(-1)?.type, 'resource_link');
    }
    assert.deepEqual(seen, all());
    const { content } = await call('call_list', { name: 'day_counts', arguments: {} });
    assert.match(content[0]?.text ?? '', /Call call_list again .*arguments\/granularity/);
  });

  it('of an alias continue by the name of the tool', async () => {
    set({ count: 9, lengths: [20_000] });
    const { _meta, content } = await call('old_list', {});
    const cut = _meta?.['service-mcp/cut'];
    assert.equal(cut?.next.name, 'offset_list', content[0]?.text);
    assert.deepEqual(cut?.next.arguments, { offset: cut?.shown });
  });

  it('of lines that are too long alone continue within them, with each character once', async () => {
    for (const lengths of [[90_000], [10, 90_000, 30_000, 200_000], [79_900, 79_950, 80_000]]) {
      set({ count: 5, lengths });
      const seen: string[] = [];
      for await (const { structuredContent } of follow('column_range', {}, () => undefined))
        seen.push(String(structuredContent['content']));
      assert.equal(
        seen.join(''),
        lines()
          .map((line) => `${line}\n`)
          .join(''),
      );
    }
  });

  it('of a text continue to the end, with each character once', async () => {
    for (const count of [1, 30_000]) {
      set({ count, lengths: [0] });
      const seen: string[] = [];
      for await (const { structuredContent } of follow('long_text', { content_from: 0 }, () => undefined)) {
        assert.ok(String(structuredContent['content']).isWellFormed());
        seen.push(String(structuredContent['content']));
      }
      assert.equal(seen.join(''), longText());
      assert.equal(seen.length > 1, count > 1);
    }
  });

  it('of emoji continue to the end, whatever the rest begins with', async () => {
    for (const text of ['😀'.repeat(50_000), 'é😀x'.repeat(60_000)]) {
      amounts.text = text;
      for (const name of ['column_range', 'long_text']) {
        const seen: string[] = [];
        for await (const { structuredContent } of follow(name, {}, () => undefined))
          seen.push(String(structuredContent['content']));
        assert.equal(seen.join(''), text, name);
      }
    }
    amounts.text = '';
  });

  it('of Chinese and of emoji hold no more tokens than those of English', async () => {
    for (const text of ['数据库连接池'.repeat(6000), '😀'.repeat(30_000)]) {
      amounts.text = text;
      const { structuredContent } = await call('long_text', {});
      assert.ok(String(structuredContent['content']).length <= MAX_RESULT_TOKENS);
    }
    amounts.text = '';
  });

  it('of one element that does not fit have shorter texts, so that what follows is in reach', async () => {
    set({ count: 3, lengths: [90_000] });
    const { isError, content, structuredContent: page } = await call('page_list', { per_page: 1, page: 2 });
    assert.notEqual(isError, true, content[0]?.text);
    const [item] = page['items'] as Array<{ n: number; text: string }>;
    assert.deepEqual([item?.n, item?.text.endsWith('…'), page['has_next']], [1, true, true]);
    assert.match(content.map(({ text }) => text).join('\n'), /texts in it end after \d+ characters/);
  });

  it('show a first element that does not fit with shorter texts, say so, and continue after it', async () => {
    for (const [name, key, args] of [
      ['page_list', 'items', {}],
      ['offset_list', 'results', { offset: 0 }],
    ] as const) {
      set({ count: 3, lengths: [90_000, 10, 90_000] });
      const seen: (readonly [number, boolean])[] = [];
      const onwards = ({ has_next, page, per_page }: Answer['structuredContent']) =>
        has_next === true ? { page: Number(page) + 1, per_page } : undefined;
      for await (const { structuredContent, content } of follow(name, args, onwards)) {
        const shown = structuredContent[key] as Array<{ n: number; text: string }>;
        seen.push(...shown.map(({ n, text }) => [n, text.endsWith('…')] as const));
        const isCut = shown.some(({ text }) => text.endsWith('…'));
        const said = content.map(({ text }) => text).join('\n');
        assert.equal(/texts in it end after 16000 characters/.test(said), isCut);
      }
      assert.deepEqual(seen, [
        [0, true],
        [1, false],
        [2, true],
      ]);
    }
  });

  it('of lines are refused when the first does not fit, naming the arguments to narrow', async () => {
    set({ count: 3, lengths: [90_000] });
    const { isError, content } = await call('line_range', {});
    assert.equal(isError, true);
    assert.match(content[0]?.text ?? '', /at most 20000 .*start_line/);
  });

  it('of counts are refused, naming what counts are by, and their time', async () => {
    set({ count: 20, lengths: [9_000] });
    const { content } = await call('day_counts', {});
    assert.match(content[0]?.text ?? '', /set or narrow per_page, granularity, since\./);
    assert.notEqual((await call('day_counts', { granularity: 'month' })).isError, true);
  });

  it('of a change are shortened, since an error would say that nothing was changed', async () => {
    amounts.count = 0;
    const { isError, content, structuredContent } = await call('store_text', { text: 'é'.repeat(95_000) });
    assert.notEqual(isError, true, content[0]?.text);
    assert.equal(amounts.count, 1, 'it is stored');
    assert.deepEqual(structuredContent, { id: 'one', text: `${'é'.repeat(16_000)}…` });
    assert.match(content.map(({ text }) => text).join('\n'), /The call is done: do not repeat it/);
  });

  it('are refused when the offset cannot continue', async () => {
    amounts.count = 1100;
    amounts.length = () => 9_000;
    const { isError, structuredContent } = await call('offset_list', { offset: 1000, limit: 100 });
    assert.deepEqual([isError, structuredContent], [true, undefined]);
  });
});
