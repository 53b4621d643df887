import assert from 'node:assert/strict';
import { Indexer, type IndexerParts } from '@service-mcp/plugin-search/internals';

const LEVELS = ['debug', 'error'] as const;

/** An indexer of one workspace, whose turns fail or find a damaged index while `now` says so; `turn` tells what one did. */
function failingIndexer() {
  const said: string[] = [];
  const now = { isFailing: true, isDamaged: false, isWaiting: true };
  const say = (text: string) => void said.push(text);
  const lease = { holds: async () => true, [Symbol.asyncDispose]: async () => say('released') };
  const place = { marker: 'm' };
  const parts = {
    config: { batch_documents: 10, batch_bytes: 1000 },
    threads: { count: 1 },
    log: Object.fromEntries(LEVELS.map((level) => [level, () => say(level)])),
    leases: { take: async () => (say('lease'), lease) },
    check: {
      isForeign: async () => false,
      write: async () => (say('open'), { healthy: !now.isDamaged, place }),
      blame: async () => undefined,
    },
    generations: { writing: async () => place },
    sources: [
      {
        waitingWorkspaces: async () => ['w'],
        claim: async () => (say('claim'), now.isWaiting ? [{ id: 'd' }] : []),
        settle: async () => say('settle'),
      },
    ],
    provided: { written: () => ({ id: 'd' }), complete: async () => [] },
    upkeep: { wrote: async () => undefined },
    trigrams: {
      async add() {
        if (now.isFailing) throw new Error('the disk is tired');
      },
    },
  };
  const indexer = new Indexer(parts as unknown as IndexerParts); // erasure: what such a turn asks
  return {
    now,
    turn: async () => {
      said.length = 0;
      await indexer.indexSmall(new AbortController().signal);
      return said.join(' ');
    },
  };
}

describe('a workspace whose indexing fails', () => {
  const clock = performance.now.bind(performance);
  let passedMs = 0;
  before(() => void (performance.now = () => clock() + passedMs));
  after(() => void (performance.now = clock));

  it('is logged as an error once, and tried after pauses that grow until a turn ends', async () => {
    const { now, turn } = failingIndexer();
    const after = (ms: number) => ((passedMs += ms), turn());
    assert.equal(await turn(), 'lease claim open released error');
    assert.equal(await turn(), '');
    const again = 'lease open claim open released debug';
    assert.equal(await after(1000), again);
    assert.equal(await after(1000), '');
    assert.equal(await after(1000), again);
    for (let tries = 0; tries < 20; tries++) assert.equal(await after(32_000), again);
    now.isFailing = false;
    assert.equal(await after(32_000), 'lease open claim open settle released');
    now.isFailing = true;
    assert.equal(await turn(), 'lease claim open released error');
  });

  it('is logged as an error again after a repair, or after another process did its work', async () => {
    const { now, turn } = failingIndexer();
    const after = (ms: number) => ((passedMs += ms), turn());
    now.isDamaged = true;
    assert.equal(await turn(), 'lease claim open error released');
    now.isDamaged = false;
    assert.equal(await after(1000), 'lease open claim open released error');
    now.isWaiting = false;
    assert.equal(await after(1000), 'lease open claim released');
    now.isWaiting = true;
    assert.equal(await turn(), 'lease claim open released error');
  });

  it('has its index opened under its lease alone, each second where it is damaged', async () => {
    const { now, turn } = failingIndexer();
    now.isDamaged = true;
    assert.equal(await turn(), 'lease claim open error released');
    for (let looks = 0; looks < 3; looks++) {
      passedMs += 1000;
      assert.equal(await turn(), 'lease open released');
    }
  });
});
