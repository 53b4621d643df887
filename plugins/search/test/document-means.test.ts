import assert from 'node:assert/strict';
import { withDocumentMeans } from '@service-mcp/plugin-search/internals';
import { AT_REST, site, type Site } from './harness.js';

describe('the mean of a document', () => {
  const chunk = (id: string, score: number) => ({
    id,
    doc_id: id.slice(0, 1),
    kind: 'doc',
    score,
    scores: {},
  });
  const found = [
    chunk('a1', 10),
    chunk('b1', 9),
    chunk('c1', 8),
    chunk('a2', 7.5),
    chunk('d1', 7),
    chunk('e1', 6),
  ];
  const idsOf = (ranked: ReadonlyArray<{ readonly id: string }>) => ranked.map(({ id }) => id).join(' ');

  it('puts the best of many chunks behind a document that is whole about the query', () => {
    const ranked = withDocumentMeans(found, 100, (id) => (id === 'a' ? 20 : 1));
    assert.equal(idsOf(ranked), 'b1 c1 a1 d1 e1 a2');
    assert.ok(Math.abs((ranked[2]?.score ?? 0) - (10 + (0.3 * 17.5) / 20) / 1.3) < 1e-9);
    assert.equal(ranked[0]?.score, 9, 'a document of one chunk keeps its score');
  });

  it('leaves a document as it is whose chunks are not counted', () => {
    assert.equal(idsOf(withDocumentMeans(found, 100, () => undefined)), 'a1 b1 c1 a2 d1 e1');
  });

  it('lets what is behind the best follow, with no higher score', () => {
    const ranked = withDocumentMeans(found, 3, (id) => (id === 'a' ? 20 : 1));
    assert.equal(idsOf(ranked), 'b1 c1 a1 a2 d1 e1');
    assert.ok(ranked.every(({ score }, at) => score <= (ranked[at - 1]?.score ?? Infinity)));
  });
});

describe('a search over long and short documents', () => {
  let it_: Site;
  before(async () => {
    it_ = await site({ config: AT_REST });
    const section = (heading: string, about: string, at: number) =>
      `## ${heading}\n\n${about}${Array.from({ length: 90 }, (_, i) => `filler${at}x${i}`).join(' ')}\n\n`;
    const about = 'Oil for the lantern. ';
    const others = Array.from({ length: 9 }, (_, at) => section(`Part ${at}`, '', at));
    await it_.ingest({
      'manual.md': [...others, section('Supplies', about.repeat(3), 10)].join(''),
      'lantern.md': section('Notes', about.repeat(2), 11),
    });
    await it_.settled();
  });
  after(() => it_.stop());

  for (const mode of ['keyword', 'hybrid'])
    it(`${mode}: puts the short one that is about the query before a part of a long one`, async () => {
      const { results } = await it_.search(mode, { query: 'lantern with oil' });
      assert.deepEqual(
        results.slice(0, 2).map(({ path }) => path),
        ['lantern.md', 'manual.md'],
      );
    });
});
