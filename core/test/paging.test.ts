import assert from 'node:assert/strict';
import { pageOf, pageText } from '@service-mcp/core';

describe('a page as text', () => {
  const text = (items: string[], total: number, page: number) =>
    pageText(pageOf(items, total, { page, per_page: 2 }), (item) => item);

  it('ends with the next page, or the total', () => {
    assert.equal(text(['a', 'b'], 3, 1), 'a\nb\nMore of 3: page 2');
    assert.equal(text(['c'], 3, 2), 'c\n3 in all');
    assert.equal(text([], 0, 1), '0 in all');
  });

  it('says of a page beyond the end which one is the last', () => {
    assert.equal(text([], 3, 7), 'There is no page 7: the last of these 3 is page 2');
  });
});
