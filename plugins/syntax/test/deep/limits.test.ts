import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { grammar, parsePreprocessed } from '@service-mcp/plugin-syntax/internals';
import { parseInThread } from '@service-mcp/plugin-syntax/contract/thread';
import { openSyntax, type OpenSyntax } from '../open.js';

const GOOD = { path: 'a.ts', text: 'export function good() {}\n' };

describe('syntax: limits', () => {
  let syntax: OpenSyntax;
  before(async () => {
    syntax = await openSyntax({ time_limit_ms: 300 });
  });
  after(() => syntax.close());

  const million = 1 << 20;
  const hostile: Record<string, string> = {
    'nested parentheses': '('.repeat(100_000),
    'nested braces': '{a:'.repeat(100_000),
    'one minified line': 'function a(b){return b+1};'.repeat(million / 26),
    'nested functions': 'function a(){'.repeat(10_000),
    'random bytes': randomText(million / 4),
    'one path of many parts': 'a.'.repeat(million / 4),
    'one chain of many calls': 'a().'.repeat(million / 8),
    'one line of many imports': 'import a;'.repeat(million / 16),
    'comments alone': '// x\n'.repeat(million / 5),
  };
  for (const [what, text] of Object.entries(hostile)) {
    it(`survives ${what}, and parses the next text`, async () => {
      for (const path of ['a.ts', 'a.py', 'a.cpp', 'a.md']) {
        const { symbols } = await syntax.parse({ path, text });
        assert.ok(symbols.every(({ start, end }) => start >= 0 && start < end && end <= text.length));
      }
      let next = await syntax.parse(GOOD);
      while (!next.complete) next = await syntax.parse(GOOD); // a busy machine may miss the time limit
      assert.equal(next.symbols[0]?.name, 'good');
    });
  }

  it('gives code with thousands of conditions that each narrow the rest of a function', async () => {
    const text = `function f(a) { ${'if (!(a instanceof B)) return;'.repeat(5000)} a.run(); }`;
    const limits = { timeLimitMs: 60_000, maxBytes: million, parseCode: true };
    const { structure } = await parseInThread({ path: 'a.js', text, code: true }, limits);
    assert.match(JSON.stringify(structure.code), /"run"/);
  });

  it('gives code that grows with the number of conditions', async () => {
    const limits = { timeLimitMs: 60_000, maxBytes: million, parseCode: true };
    const chains: ReadonlyArray<readonly [path: string, text: (times: number) => string]> = [
      ['a.py', (n) => `if a:\n  b()\n${'elif isinstance(a, B):\n  b()\n'.repeat(n)}`],
      ['a.py', (n) => `def f(a):\n${'  if a is None:\n    return b\n'.repeat(n)}`],
      ['a.py', (n) => `c = ${'isinstance(a, B) and '.repeat(n)}a`],
      ['a.js', (n) => `c = ${'a instanceof B && '.repeat(n)}a`],
      ['a.ts', (n) => `c = ${'isB(a) || '.repeat(n)}a`],
      ['a.php', (n) => `<?php $c = ${'$a instanceof B && '.repeat(n)}$a;`],
    ];
    for (const [path, text] of chains) {
      const size = async (times: number): Promise<number> => {
        const { structure } = await parseInThread({ path, text: text(times), code: true }, limits);
        return JSON.stringify(structure.code).length;
      };
      const [one, two] = [await size(150), await size(300)];
      assert.ok(two < 3 * one, `${text(1)} ${one} ${two}`);
    }
  });

  it('asks no preprocessor for a text whose time is over', async () => {
    const loaded = await grammar('c');
    let asked = 0;
    const preprocess = [(text: string): string => text.slice(0, (asked += 1))];
    parsePreprocessed({ ...loaded, preprocess }, 'int a = ( ;', 0, () => false)?.tree.delete();
    assert.equal(asked, 0);
  });

  it('outlines a language without a grammar in linear time', async () => {
    const limits = { timeLimitMs: 60_000, maxBytes: million, parseCode: true };
    const text = '@Test fun a() {}\n'.repeat(million / 17);
    const startedAt = performance.now();
    const { structure } = await parseInThread({ path: 'a.kt', text }, limits);
    assert.equal(structure.symbols.length, Math.floor(million / 17));
    assert.ok(performance.now() - startedAt < 20_000); // over three minutes where each looks at all above it
  });

  it('gives what it has when time runs out, and says so', async () => {
    const limits = { timeLimitMs: 0, maxBytes: million, parseCode: true };
    const source = { path: 'a.js', text: 'function f() { g(1); }\n'.repeat(5000), code: true };
    const { structure, expired, spent } = await parseInThread(source, limits);
    assert.deepEqual([structure.complete, expired, spent], [false, true, true]);
  });

  it('gives no symbols for a text over max_bytes, counted in UTF-8', async () => {
    const small = await openSyntax({ max_bytes: 2000 });
    const text = `function a() {}\n// ${'é'.repeat(1000)}`;
    assert.deepEqual(await small.parse({ path: 'a.js', text }), {
      language: 'javascript',
      symbols: [],
      complete: false,
    });
    assert.equal((await small.parse({ path: 'a.js', text: text.slice(0, 500) })).symbols.length, 1);
    await small.close();
  });

  it('gives no symbols for a language without a parser, and is complete', async () => {
    assert.deepEqual(await syntax.parse({ path: 'a.yaml', text: 'a: 1' }), {
      language: 'yaml',
      symbols: [],
      complete: true,
    });
    assert.equal((await syntax.parse({ path: 'a.unknown', text: 'a' })).language, null);
  });

  it('rejects with the reason of the signal: before, waiting and running', async () => {
    await assert.rejects(syntax.parse(GOOD, AbortSignal.abort(new Error('gone'))), /gone/);
    const slow = await openSyntax({ time_limit_ms: 20_000 });
    const control = new AbortController();
    const running = slow.parse({ path: 'a.ts', text: '['.repeat(million) }, control.signal);
    const waiting = slow.parse(GOOD, control.signal);
    const unharmed = slow.parse({ ...GOOD, path: 'a.js' });
    setTimeout(() => control.abort(new Error('left')), 50);
    await Promise.all([assert.rejects(running, /left/), assert.rejects(waiting, /left/)]);
    assert.equal((await unharmed).symbols.length, 1);
    await slow.close();
  });

  it('serves 50 parses at once over two threads', async () => {
    const two = await openSyntax({ threads: 2 });
    const parses = Array.from({ length: 50 }, (_, at) =>
      two.parse({ path: `a${at}.py`, text: `def f${at}():\n    pass\n` }),
    );
    const names = (await Promise.all(parses)).map(({ symbols }) => symbols[0]?.name);
    assert.deepEqual(
      names,
      names.map((_, at) => `f${at}`),
    );
    await two.close();
  });

  it('rejects after close, and rejects waiting requests', async () => {
    const closing = await openSyntax();
    const parses = [closing.parse(GOOD), closing.parse({ ...GOOD, path: 'a.js' })];
    const settled = Promise.allSettled(parses);
    await closing.close();
    await closing.close();
    for (const { status } of await settled) assert.equal(status, 'rejected');
    await assert.rejects(closing.parse(GOOD), { code: 'UNAVAILABLE' });
  });

  it('parses documents without threads, and no source', async () => {
    const none = await openSyntax({ threads: 0 });
    assert.equal((await none.parse({ path: 'a.md', text: '# A' })).symbols[0]?.name, 'A');
    assert.deepEqual((await none.parse(GOOD)).complete, false);
    await none.close();
  });

  it('does not keep a process alive', async () => {
    const script = `
      const { openSyntax } = await import(${JSON.stringify(new URL('../open.js', import.meta.url).href)});
      const syntax = await openSyntax();
      console.log((await syntax.parse({ path: 'a.go', text: 'package a\\nfunc F() {}' })).symbols[0].name);`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
      timeout: 20_000,
    });
    assert.equal(stdout.trim(), 'F');
  });
});

function randomText(length: number): string {
  let state = 1;
  const units = Array.from({ length }, () => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return (state >>> 16) & 0xff;
  });
  return units.map((unit) => String.fromCharCode(unit)).join('');
}
