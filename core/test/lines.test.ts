import assert from 'node:assert/strict';
import { MAX_LINE_BYTES, parseLines, type Line } from '@service-mcp/core';

/** The lines of bytes that come in pieces of a size. */
async function linesOf(bytes: string | Uint8Array, size = 7): Promise<Line[]> {
  const whole = Buffer.from(bytes);
  async function* pieces() {
    for (let at = 0; at < whole.length; at += size) yield whole.subarray(at, at + size);
  }
  const lines: Line[] = [];
  for await (const line of parseLines(pieces())) lines.push(line);
  return lines;
}

describe('lines of a stream', () => {
  it('are numbered from 1, however they are cut into pieces; blank ones count and are left out', async () => {
    const text = '\ufeff{"a":1}\r\n\n   \n{"b":"é"}\n{"c":[]}';
    for (const size of [1, 2, 3, 1000]) {
      assert.deepEqual(
        (await linesOf(text, size)).map(({ line, value }) => [line, value]),
        [
          [1, { a: 1 }],
          [4, { b: 'é' }],
          [5, { c: [] }],
        ],
      );
    }
    assert.deepEqual(await linesOf(''), []);
    assert.deepEqual(await linesOf('\n\n'), []);
  });

  it('with a fault are passed on as such, and the others are not affected', async () => {
    const deep = `{"a":${'['.repeat(100)}${']'.repeat(100)}}`;
    const veryDeep = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    const bad: ReadonlyArray<readonly [Uint8Array | string, RegExp]> = [
      ['{"a":', /not valid JSON/],
      ['[1]', /not a JSON object/],
      ['null', /not a JSON object/],
      ['"text"', /not a JSON object/],
      [new Uint8Array([0x7b, 0xff, 0x7d]), /not valid UTF-8/],
      [deep, /nested deeper than 64/],
      [veryDeep, /nested deeper than 64/],
      ['{"a":"\\u0000"}', /without the NUL/],
      ['{"a":"\\ud800"}', /well-formed Unicode/],
      ['{"\\u0000":1}', /without the NUL/],
      [JSON.stringify({ a: 'x'.repeat(MAX_LINE_BYTES) }), /over 1048576 bytes/],
    ];
    for (const [line, fault] of bad) {
      const body = Buffer.concat([Buffer.from('{"n":1}\n'), Buffer.from(line), Buffer.from('\n{"n":3}\n')]);
      const [first, second, third, ...others] = await linesOf(body, 64 * 1024);
      assert.deepEqual([first?.value, third?.value, others], [{ n: 1 }, { n: 3 }, []]);
      assert.equal(second?.line, 2);
      assert.match(second?.fault ?? '', fault);
    }
  });

  it('keep a prototype out of reach, and a line of exactly the limit', async () => {
    const [line] = await linesOf('{"__proto__":{"polluted":1}}');
    assert.deepEqual(Object.keys(line?.value ?? {}), ['__proto__']);
    assert.equal(({} as { polluted?: number }).polluted, undefined);
    const widest = JSON.stringify({ a: 'x'.repeat(MAX_LINE_BYTES - '{"a":""}'.length) });
    assert.equal((await linesOf(`${widest}\n`, 64 * 1024))[0]?.bytes, MAX_LINE_BYTES);
    assert.match((await linesOf(`${widest} \n`, 64 * 1024))[0]?.fault ?? '', /over/);
  });

  for (const [kind, text] of [
    ['blank', '\n'.repeat(30)],
    ['broken', 'x\n'],
    ['good', '{}\n'],
  ] as const) {
    it(`let other work run between them: ${kind} ones`, async () => {
      const whole = Buffer.from(text.repeat(100_000));
      async function* pieces() {
        yield whole;
      }
      let turns = 0;
      const count = () => {
        turns += 1;
        next = setImmediate(count);
      };
      let next = setImmediate(count);
      for await (const _line of parseLines(pieces())); // takes many times what one turn may
      clearImmediate(next);
      assert.ok(turns > 1, `${turns} turns`);
    });
  }

  it('of any length are held one at a time', async () => {
    const piece = Buffer.alloc(64 * 1024, 'x');
    async function* endless() {
      for (let n = 0; n < 4_000; n += 1) yield piece; // 250 MiB without a newline
      yield Buffer.from('\n{"last":true}\n');
    }
    const before = process.memoryUsage().arrayBuffers;
    const lines: Line[] = [];
    for await (const line of parseLines(endless())) lines.push(line);
    assert.ok(process.memoryUsage().arrayBuffers - before < 32 * MAX_LINE_BYTES);
    assert.deepEqual(
      lines.map(({ line, value, fault }) => [line, value ?? typeof fault]),
      [
        [1, 'string'],
        [2, { last: true }],
      ],
    );
  });
});
