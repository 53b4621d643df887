import { equal, ok } from 'node:assert/strict';
import type { IndexDocument } from '@service-mcp/plugin-search/contract';
import { BatchSize } from '@service-mcp/plugin-search/internals';

const LIMITS = { batch_documents: 128, batch_bytes: 8 * 1024 * 1024 };
const MEGABYTE = 1_000_000;

describe('the size of a turn', () => {
  it('grows with the index of a workspace that waits alone', () => {
    const sizes = new BatchSize(LIMITS, 1);
    const first = sizes.claim(1, 0).maxBytes;
    const later = sizes.claim(1, 1000).maxBytes;
    ok(first < MEGABYTE);
    ok(later >= 2 * MEGABYTE, 'the text index is not written again for less than the text that it has');
  });

  it('writes the text index of three megabytes four times at most', () => {
    const sizes = new BatchSize(LIMITS, 1);
    let chunks = 0;
    for (let turn = 0; turn < 4; turn++) chunks += sizes.claim(1, chunks).maxBytes / 1000;
    ok(chunks >= 3000, `${String(chunks)} chunks`);
  });

  it('holds no more text than fits into memory, and takes no longer than twenty seconds', () => {
    const fast = new BatchSize(LIMITS, 4);
    const document = { text: 'x'.repeat(MEGABYTE) } as IndexDocument;
    for (let i = 0; i < 50; i++) fast.prepared([document], 1000);
    equal(Math.round(fast.claim(1, 10_000_000).maxBytes), 4 * 16 * 1024 * 1024);
    const slow = new BatchSize(LIMITS, 1);
    for (let i = 0; i < 50; i++) slow.prepared([], 1000);
    ok(slow.claim(1, 10_000_000).maxBytes <= 20_000);
  });

  it('is a share of the time where other workspaces wait, however large the index is', () => {
    const sizes = new BatchSize(LIMITS, 1);
    equal(sizes.claim(4, 1_000_000).maxBytes, sizes.claim(1, 0).maxBytes / 4);
  });
});
