import assert from 'node:assert/strict';
import { openSyntax } from './open.js';

const SOURCE = { path: 'a.ts', text: 'export function good() { run(); }\n' };

describe('syntax: shared parses', () => {
  it('parses a text once for concurrent and later consumers, under any path', async () => {
    const syntax = await openSyntax();
    const [first, second] = await Promise.all([syntax.parse(SOURCE), syntax.parse(SOURCE)]);
    assert.equal(first, second);
    assert.equal(await syntax.parse({ ...SOURCE, path: 'src/b.ts' }), first);
    assert.notEqual(await syntax.parse({ ...SOURCE, text: `${SOURCE.text}\n` }), first);
    await syntax.close();
  });

  it('parses the same text once per language and grammar', async () => {
    const syntax = await openSyntax();
    const plain = await syntax.parse(SOURCE);
    assert.notEqual(await syntax.parse({ ...SOURCE, path: 'a.tsx' }), plain);
    assert.equal((await syntax.parse({ ...SOURCE, language: 'javascript' })).language, 'javascript');
    await syntax.close();
  });

  it('limits the cache to cache_bytes, 0 for none', async () => {
    const none = await openSyntax({ cache_bytes: 0 });
    assert.notEqual(await none.parse(SOURCE), await none.parse(SOURCE));
    await none.close();
    const small = await openSyntax({ cache_bytes: 4000 });
    const first = await small.parse(SOURCE);
    assert.equal(await small.parse(SOURCE), first);
    for (let at = 0; at < 20; at += 1) await small.parse({ path: 'a.ts', text: `function f${at}() {}` });
    assert.notEqual(await small.parse(SOURCE), first);
    await small.close();
  });

  it('does not cache a text that ran out of time', async () => {
    const hasty = await openSyntax({ time_limit_ms: 1 });
    const slow = { path: 'a.ts', text: 'function a(b) { return b + 1; }\n'.repeat(20_000) };
    const first = await hasty.parse(slow);
    assert.equal(first.complete, false);
    assert.notEqual(await hasty.parse(slow), first);
    await hasty.close();
  });

  it('aborts a shared parse when all its consumers abort', async () => {
    const syntax = await openSyntax({ time_limit_ms: 20_000 });
    const slow = { path: 'a.ts', text: '['.repeat(200_000) };
    const [one, two] = [new AbortController(), new AbortController()];
    const running = [syntax.parse(slow, one.signal), syntax.parse(slow, two.signal)] as const;
    const later = syntax.parse(SOURCE);
    const shared = syntax.parse(SOURCE, one.signal);
    one.abort(new Error('first left'));
    await assert.rejects(running[0], /first left/);
    await assert.rejects(shared, /first left/);
    two.abort(new Error('second left'));
    await assert.rejects(running[1], /second left/);
    assert.equal((await later).symbols.length, 1);
    await syntax.close();
  });
});
