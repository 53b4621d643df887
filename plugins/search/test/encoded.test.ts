import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { chunk, Spaces, withoutEncoded, type SpacesParts } from '@service-mcp/plugin-search/internals';

/** Bytes that look random, the same in every run. */
function bytes(length: number): Buffer {
  const hashes = Array.from({ length: Math.ceil(length / 64) }, (_, i) =>
    createHash('sha512').update(String(i)).digest(),
  );
  return Buffer.concat(hashes).subarray(0, length);
}

const IMAGE = bytes(20_000).toString('base64');
const lines = (text: string, width: number): string[] =>
  Array.from({ length: Math.ceil(text.length / width) }, (_, i) => text.slice(width * i, width * (i + 1)));

describe('search: encoded data', () => {
  it('is blank in what is searched', () => {
    const key = bytes(900).toString('base64');
    for (const [before, data, after] of [
      ['background: url(data:image/png;base64,', IMAGE, ') no-repeat;'],
      ['"image/png": "', lines(IMAGE, 76).join(String.raw`\n`), '"'],
      [
        '-----BEGIN CERTIFICATE-----\n',
        lines(key, 64).slice(0, -1).join('\n'),
        '\n-----END CERTIFICATE-----',
      ],
      ['dump ', bytes(400).toString('hex'), '.'],
    ] as const)
      assert.equal(withoutEncoded(before + data + after), before + ' '.repeat(data.length) + after, before);
  });

  it('is neither a hash or a key, nor a path, a long name or a table', () => {
    for (const text of [
      `"integrity": "sha512-${bytes(64).toString('base64')}"`,
      bytes(64).toString('hex'),
      Array.from({ length: 20 }, (_, i) => `src/components/dashboard/pages/reports/quarter${i}/index`).join(
        '\n',
      ),
      'averyLongNameOfAFunctionThatGoesOnAndOnAndOnAndOnAndOnAndOnAndOn'.repeat(4),
      '漢字かな'.repeat(100),
      'word '.repeat(100),
    ])
      assert.equal(withoutEncoded(text), text);
  });

  it('does not change a vector that is made again', async () => {
    const store = { list: () => Promise.resolve([]) } as unknown as SpacesParts['store'];
    const embedder = await new Spaces({ store }).active('w');
    const text = 'median tenure of a plan';
    const image = `"image/png": "${bytes(600).toString('base64')}"`;
    const [plain, withImage] = await embedder.embedPassages([
      { title: '', text: `${text} "image/png"` },
      { title: '', text: `${text} ${image}` },
    ]);
    assert.ok(plain);
    assert.deepEqual(withImage, plain);
  });

  it('makes no chunks, and leaves the text around it', () => {
    const text = `intro of the notebook\n"image/png": "${IMAGE}"\n${'median tenure of a plan\n'.repeat(40)}`;
    const chunks = chunk(text, { language: null, symbols: [], complete: true });
    assert.ok(chunks.length <= 4, String(chunks.length));
    assert.ok(chunks.some((one) => one.text.includes('intro of the notebook')));
    assert.ok(chunks.some((one) => one.text.includes('median tenure')));
    const alone = chunk(IMAGE, { language: null, symbols: [], complete: true });
    assert.equal(alone.length, 1, 'a text of nothing else is found by its title');
  });
});
