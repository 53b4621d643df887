import assert from 'node:assert/strict';
import type { SearchOutput } from '@service-mcp/plugin-search/contract';
import { resultText } from '@service-mcp/plugin-search/internals';

const INPUT = {
  query: 'x',
  workspace_id: 'w',
  limit: 10,
  offset: 0,
  context_lines: 0,
  content_max_chars: 800,
  output_format: 'full',
} as const;

const HIT = {
  id: 'e1',
  kind: 'code',
  project_id: null,
  path: 'a.ts',
  language: null,
  start_line: 1,
  end_line: 2,
  title: 'Lamp',
  content: 'lamp\n',
  truncated: false,
  score: 1,
  scores: {},
  highlights: [],
  updated_at: '2026-01-01T00:00:00.000Z',
  stale: false,
};

const OUTPUT: SearchOutput = {
  mode: 'hybrid',
  results: [HIT],
  total: 1,
  total_is_lower_bound: false,
  took_ms: 1,
  has_more: false,
  index: { state: 'ready', generation: 1, pending: 0 },
  warnings: [],
};

describe('the text of a search answer', () => {
  const text = (changes: Partial<SearchOutput>, input: Partial<typeof INPUT> | object = {}) =>
    resultText({ ...OUTPUT, ...changes }, { ...INPUT, ...input });

  it('says of a hit that it is cut or stale', () => {
    const results = [{ ...HIT, truncated: true, stale: true }];
    assert.equal(text({ results }), '=== a.ts:1-2 (truncated, changed since it was indexed)\nlamp');
  });

  it('names a record by its path and title', () => {
    const bookmark = { ...HIT, kind: 'bookmark', path: 'bookmarks://b1' };
    assert.equal(text({ results: [bookmark] }), '=== bookmarks://b1 Lamp:1-2\nlamp');
    assert.equal(text({ results: [{ ...bookmark, title: bookmark.path }] }), '=== bookmarks://b1:1-2\nlamp');
    assert.equal(text({ results: [bookmark] }, { output_format: 'paths' }), 'bookmarks://b1 Lamp');
  });

  it('names a record without a path by its kind, id and title', () => {
    const path = 'event/01a2b3c4-0000-7000-8000-000000000001';
    const event = { ...HIT, kind: 'event', path };
    assert.equal(text({ results: [event] }), `=== ${path} Lamp:1-2\nlamp`);
    assert.equal(text({ results: [{ ...event, title: '' }] }), `=== ${path}:1-2\nlamp`);
  });

  it('has the cells of a notebook without the JSON around them, but for what a pattern matched', () => {
    const content = [
      '    "def load(path):\\n",',
      '    "    \\"\\"\\"Reads \\u00e4 \\\\d+.\\"\\"\\"\\n"',
      '   ]',
      '  },',
      '  {',
      '   "cell_type": "markdown",',
      '   "metadata": {},',
      '   "source": "# Fit\\n\\nThe model.",',
      '   "source": ["one line"],',
    ].join('\n');
    const notebook = { ...HIT, path: 'a.ipynb', language: 'jupyter', content };
    const read = 'def load(path):\n    """Reads ä \\d+."""\n# Fit\n\nThe model.\none line';
    assert.equal(text({ results: [notebook] }), `=== a.ipynb:1-2\n${read}`);
    assert.equal(text({ results: [notebook], mode: 'pattern' }), `=== a.ipynb:1-2\n${content}`);
    const outputs = { ...notebook, content: '   "outputs": [],\n' };
    assert.equal(text({ results: [outputs] }), '=== a.ipynb:1-2\n   "outputs": [],');
  });

  it('leaves out a warning about one retriever when the other has found something', () => {
    const warnings = ['Not trained.'];
    const hit = '=== a.ts:1-2\nlamp';
    assert.equal(text({ warnings }), hit);
    const missing = 'Nothing holds "debounce": the results are near in meaning at most.';
    assert.equal(text({ warnings: [...warnings, missing] }), `Warning: ${missing}\n\n${hit}`);
    assert.equal(text({ warnings, mode: 'semantic' }), `${hit}\n\nWarning: Not trained.`);
    assert.equal(
      text({ warnings, results: [], total: 0 }),
      'No results.\nIndex: ready.\nWarning: Not trained.',
    );
  });

  it('says that the index is incomplete', () => {
    const index = { state: 'indexing', generation: 1, pending: 3 } as const;
    const state = 'Index: indexing, 3 pending: search again once they are indexed.';
    assert.equal(text({ index }), `=== a.ts:1-2\nlamp\n\n${state}`);
    assert.equal(text({ index, results: [], total: 0 }), `No results.\n${state}`);
    const degraded = {
      index: { state: 'degraded', generation: 1, pending: 0 } as const,
      warnings: ['Repair.'],
    };
    assert.match(text(degraded), /\n\nIndex: degraded\.\nWarning: Repair\.$/);
  });

  it('has a line for each facet', () => {
    const facets = {
      languages: [{ value: 'python', count: 2 }],
      directories: [
        { value: 'src', count: 3 },
        { value: '', count: 1 },
      ],
      kinds: [],
    };
    const lines = 'By languages: python 2\nBy directories: src 3, (root) 1\nBy kinds: none';
    assert.equal(text({ facets }), `=== a.ts:1-2\nlamp\n\n${lines}`);
    assert.match(text({ facets, total_is_lower_bound: true }), /At least, by languages: python 2$/mu);
  });

  it('says how to continue', () => {
    const more = { has_more: true, total: 200, total_is_lower_bound: true };
    assert.match(text(more, { offset: 10 }), /\n\nMore: offset 11 of at least 200$/);
    assert.equal(text(more, { output_format: 'paths' }), 'a.ts\n\nMore: offset 1');
  });
});
