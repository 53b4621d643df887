import assert from 'node:assert/strict';
import type { DocumentState, IndexSource } from '@service-mcp/plugin-search/contract';
import { TextCache } from '@service-mcp/plugin-search/internals';

/** A source of one document, whose text counts how often it was read. */
function sourceOf(document: { text: string; reads: number; onRead?: () => void }): IndexSource {
  const state = () => ({ sha256: `hash of ${document.text}` }) as DocumentState; // the cache reads no more
  const parts: Pick<IndexSource, 'kinds' | 'states' | 'texts'> = {
    kinds: ['code'],
    states: (ids) => Promise.resolve(new Map(ids.map((id) => [id, state()]))),
    texts(ids) {
      document.reads++;
      document.onRead?.();
      return Promise.resolve(new Map(ids.map((id) => [id, document.text])));
    },
  };
  return parts as IndexSource;
}

describe('the texts that patterns are matched with', () => {
  const stated = (text: string) => ({ doc_id: 'd', kind: 'code', state: { sha256: `hash of ${text}` } });

  it('are read once, and again when they change', async () => {
    const document = { text: 'one', reads: 0 };
    const cache = new TextCache([sourceOf(document)]);
    for (const text of ['one', 'one', 'two', 'two', 'one']) {
      document.text = text;
      assert.deepEqual([...(await cache.read([stated(text)]))], [['d', text]]);
    }
    assert.equal(document.reads, 2);
  });

  it('are not kept under the hash of another text, where they change while they are read', async () => {
    const document = { text: 'one', reads: 0, onRead: () => void (document.text = 'two') };
    const cache = new TextCache([sourceOf(document)]);
    await cache.read([stated('one')]);
    document.onRead = () => undefined;
    document.text = 'one';
    assert.deepEqual([...(await cache.read([stated('one')]))], [['d', 'one']]);
  });

  it('are not kept where they are long', async () => {
    const document = { text: 'x'.repeat(300_000), reads: 0 };
    const cache = new TextCache([sourceOf(document)]);
    for (let i = 0; i < 3; i++) await cache.read([stated(document.text)]);
    assert.equal(document.reads, 3);
  });
});
