import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';
import type * as DraftModule from '../client/src/pages/memory/draft.js';
import type { MemoryEvent, MemoryRecord } from '../client/src/pages/memory/kinds.js';

const SOURCE = fileURLToPath(new URL('../../client/src/pages/memory/draft.ts', import.meta.url));

const DAY = '2026-01-31T12:00:00.000Z';
const EVENT: MemoryRecord = {
  kind: 'event',
  id: 'e',
  workspace_id: 'w',
  project_id: null,
  session_id: null,
  event_type: 'note',
  title: 'Water at dawn',
  content: 'It evaporates less.',
  importance: 'medium',
  tags: [],
  metadata: {},
  provenance: {},
  code_refs: [],
  indexing_status: 'indexed',
  indexing_error: null,
  occurred_at: DAY,
  created_at: DAY,
  updated_at: DAY,
  created_by: 'u',
};

describe('what is typed about a record', () => {
  let draft: typeof DraftModule;
  before(async () => {
    ({ module: draft } = await runnerImport<typeof DraftModule>(SOURCE, { configFile: false }));
  });

  it('changes a number or time by no text that was emptied', () => {
    const node: MemoryRecord = {
      ...EVENT,
      kind: 'node',
      node_type: 'fact',
      confidence: 0.8,
      status: 'active',
      valid_from: DAY,
      valid_to: null,
      supersedes: null,
      superseded_by: null,
    };
    const from = draft.draftOf(node);
    assert.deepEqual(draft.nodeArguments({ ...from, confidence: '', when: '' }, node), {});
    assert.deepEqual(draft.nodeArguments({ ...draft.NEW_DRAFT, confidence: '' }), {});
    assert.deepEqual(draft.nodeArguments({ ...from, confidence: '0' }, node), { confidence: 0 });
  });

  /** The arguments that change `tags` and `code` as a person edits their text. */
  function edited(
    record: Pick<MemoryEvent, 'tags' | 'code_refs'>,
    {
      tags = (text) => text,
      code = (text) => text,
    }: Partial<Record<'tags' | 'code', (text: string) => string>>,
  ) {
    const before: MemoryRecord = { ...EVENT, ...record };
    const from = draft.draftOf(before);
    return draft.eventArguments({ ...from, tags: tags(from.tags), code: code(from.code) }, before);
  }

  it('keeps tags that hold a comma, and splits what was added', () => {
    const record = { tags: ['a', 'a, b', ',', 'c'], code_refs: [] };
    assert.deepEqual(edited(record, {}), {});
    assert.deepEqual(edited(record, { tags: (text) => `${text}, d,e, ` }).tags, [
      'a',
      'a, b',
      ',',
      'c',
      'd',
      'e',
    ]);
    assert.deepEqual(edited(record, { tags: (text) => `d, ${text}` }).tags, ['d', 'a', 'a, b', ',', 'c']);
    assert.deepEqual(edited(record, { tags: (text) => text.replace('a, a', 'a') }).tags, ['a, b', ',', 'c']);
    assert.deepEqual(edited(record, { tags: (text) => text.replace(', b', ', x') }).tags, [
      'a',
      'x',
      ',',
      'c',
    ]);
    assert.deepEqual(edited(record, { tags: () => 'c, a, b, c' }).tags, ['c', 'a, b']);
  });

  it('keeps references to code whose paths hold a #, and splits others at the last one', () => {
    const refs = [
      { path: 'docs/C#/intro.md' },
      { path: 'docs/C', symbol: '/intro.md' },
      { path: 'src/a.ts', symbol: 'Store.#rows' },
      { path: 'src/gone.ts', missing: true as const },
    ];
    const record = { tags: [], code_refs: refs };
    const kept = refs.map(({ path, symbol }) => (symbol === undefined ? { path } : { path, symbol }));
    const added = { path: 'docs/C#/b.md', symbol: 'Start' };
    const edit = (code: (text: string) => string) => edited(record, { code }).code_refs;
    assert.deepEqual(
      edit((text) => `${text}\ndocs/C#/b.md#Start\n`),
      [...kept, added],
    );
    assert.deepEqual(
      edit((text) => `docs/C#/b.md#Start\n\n${text}`),
      [added, ...kept],
    );
    assert.deepEqual(edit((text) => text.replace('a.ts', 'b.ts'))?.[2], {
      path: 'src/b.ts',
      symbol: 'Store.#rows',
    });
    assert.deepEqual(
      edit(() => 'src/new.ts\ndocs/C#\ndocs/C#/new.md\ndocs/api.md#/v1/files'),
      [
        { path: 'src/new.ts' },
        { path: 'docs/C#' },
        { path: 'docs/C#/new.md' },
        { path: 'docs/api.md', symbol: '/v1/files' },
      ],
    );
  });
});
