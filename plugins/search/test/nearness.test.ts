import assert from 'node:assert/strict';
import { nearness } from '@service-mcp/plugin-search/internals';

describe('how near an embedder sees what is asked for', () => {
  it('trusts an embedder of prose as far as it is near to what has the words, and one of code as it is', () => {
    const chunk = (id: string, kind: string, score: number) => ({
      id,
      doc_id: id,
      kind,
      score,
      scores: {},
    });
    const words = [chunk('a', 'doc', 9), chunk('b', 'doc', 8)];
    const near = (kind: string) => [chunk('c', kind, 0.9), chunk('a', 'doc', 0.6), chunk('d', 'doc', 0.4)];
    assert.equal(nearness(words, near('doc')), 0.6);
    assert.equal(nearness(words, near('event')), 0.6);
    assert.equal(nearness(words, near('code')), 0.9);
    assert.equal(nearness([chunk('x', 'doc', 9)], near('doc')), 0.4, 'not among the nearest');
    assert.equal(nearness([], near('doc')), 0.9);
    assert.equal(nearness(words, []), 0);
  });
});
