import assert from 'node:assert/strict';
import { onDatabase, type TestDatabase, type TestHost } from '@service-mcp/core/testing';
import { inNewWorkspaces } from './start-memory.js';
import { exportLines, importLines, type Exported } from './transfer.js';

const of = (lines: readonly Exported[], record: string) => lines.filter((line) => line.record === record);

/** Import of memory of other programs. */
export const importFormatsSuite = (engine: TestDatabase['engine']): void =>
  void describe('import of memory of other programs', () => {
    onDatabase(engine, (fresh) => {
      let host: TestHost;
      let workspace_id: string;
      inNewWorkspaces(fresh, (...made) => ([host, workspace_id] = made), { workers: false });

      async function importTwice(format: string, lines: readonly (object | string)[]) {
        const first = await importLines(host, { workspace_id, format }, lines);
        const again = await importLines(host, { workspace_id, format }, lines);
        assert.deepEqual([again.imported, again.skipped], [0, first.imported + first.skipped]);
        const stored = await exportLines(host, workspace_id);
        const names = new Map(of(stored, 'node').map((node) => [node['id'], node['title']]));
        const edges = of(stored, 'edge').map((edge) => [
          names.get(edge['source_node_id']),
          edge['relation_type'],
          names.get(edge['target_node_id']),
          edge['context'],
        ]);
        edges.sort((one, other) => (String(one) < String(other) ? -1 : 1));
        return { first, nodes: of(stored, 'node'), edges };
      }

      it('mcp-memory: entities as nodes, relations as edges of the closest type', async () => {
        const entity = (name: string, entityType: string, observations: string[]) => {
          return { type: 'entity', name, entityType, observations };
        };
        const relation = (from: string, relationType: string, to: string) => {
          return { type: 'relation', from, to, relationType };
        };
        const { first, nodes, edges } = await importTwice('mcp-memory', [
          entity('Ada', 'person', ['Writes programs', 'Lives in London']),
          entity('Use SQLite', 'Decisions', []),
          entity('x'.repeat(400), 'fact', ['Long']),
          relation('Ada', 'made', 'Use SQLite'),
          relation('Ada', 'relies on', 'Use SQLite'),
          relation('Ada', 'superseded_by', 'Use SQLite'),
          relation('Ada', 'is used by', 'Use SQLite'),
          relation('Ada', 'knows', 'Nobody'),
          { type: 'thing' },
          entity('Bad', 'person', [1] as unknown as string[]),
        ]);
        assert.deepEqual([first.imported, first.failed], [7, 3]);
        assert.deepEqual(
          first.errors.map(({ line, message }) => [line, message.split(':', 1)[0]]),
          [
            [9, 'type'],
            [10, 'observations.0'],
            [8, 'target_node_id'],
          ],
        );
        assert.equal(first.errors[2]?.message, 'target_node_id: "Nobody" is not a node of the workspace');
        const [ada, decision, long] = ['Ada', 'Use SQLite', `${'x'.repeat(299)}…`].map((title) =>
          nodes.find((node) => node['title'] === title),
        );
        assert.equal(ada?.['content'], '- Writes programs\n- Lives in London');
        assert.deepEqual(
          [ada['node_type'], ada['metadata']],
          ['fact', { mcp_memory: { entity_type: 'person' } }],
        );
        assert.deepEqual([decision?.['node_type'], decision?.['content']], ['decision', 'Use SQLite']);
        assert.equal(long?.['content'], `${'x'.repeat(400)}\n- Long`);
        assert.deepEqual(edges, [
          ['Ada', 'depends_on', 'Use SQLite', 'relies on'],
          ['Ada', 'related_to', 'Use SQLite', 'made'],
          ['Use SQLite', 'depends_on', 'Ada', 'is used by'],
          ['Use SQLite', 'supersedes', 'Ada', 'superseded_by'],
        ]);
      });

      describe('mcp-memory', () => {
        const entity = (name: string, ...observations: string[]) => {
          return { type: 'entity', name, entityType: 'person', observations };
        };
        const send = (...lines: readonly object[]) =>
          importLines(host, { workspace_id, format: 'mcp-memory' }, lines);
        const ada = async () =>
          of(await exportLines(host, workspace_id), 'node').find(({ title }) => title === 'Ada');

        it('adds what an entity says that comes again, in the file or in a later one', async () => {
          const first = await send(
            entity('Ada', 'Born', 'Writes'),
            entity('Ada', 'Writes', 'Lives\nin London'),
          );
          assert.deepEqual([first.imported, first.skipped, first.failed], [2, 0, 0]);
          assert.equal((await ada())?.['content'], '- Born\n- Writes\n- Lives\nin London');
          const later = await send(entity('Ada', 'Born', 'Writes', 'Lives\nin London', 'Plays chess'));
          assert.deepEqual([later.imported, later.skipped], [1, 0]);
          assert.equal((await ada())?.['content'], '- Born\n- Writes\n- Lives\nin London\n- Plays chess');
        });

        it('writes an entity once for each batch of its lines, with what they say', async () => {
          const lines = Array.from({ length: 450 }, (_, at) => entity('Ada', `Fact ${at}`));
          assert.equal((await send(...lines)).imported, 450);
          const said = lines.map((_, at) => `- Fact ${at}`);
          assert.equal((await ada())?.['content'], said.join('\n'));
          assert.equal(of(await exportLines(host, workspace_id), 'version').length, 4);
          assert.equal((await send(...lines)).skipped, 450);
        });

        it('leaves corrections of a node alone', async () => {
          await send(entity('Ada', 'Born', 'Writes'));
          const node_id = (await ada())?.['id'];
          await host.use('memory_update_node', { node_id, content: 'Was born, and writes.' });
          const again = await send(entity('Ada', 'Born', 'Writes'));
          assert.deepEqual([again.imported, again.skipped], [0, 1]);
          await send(entity('Ada', 'Born', 'Writes', 'Plays'));
          assert.equal((await ada())?.['content'], 'Was born, and writes.\n- Plays');
          await host.use('memory_delete_node', { node_id });
          assert.equal((await send(entity('Ada', 'Born'))).imported, 1);
          assert.equal((await ada())?.['content'], '- Born');
        });

        it('names the line whose observations have no room', async () => {
          const long = (of: string) => of.repeat(60_000);
          assert.equal((await send(entity('Ada', long('a')))).imported, 1);
          const { imported, skipped, errors } = await send(entity('Bo'), entity('Ada', long('b')));
          assert.deepEqual([imported, skipped, errors.map(({ line }) => line)], [1, 0, [2]]);
          const more = await send(entity('Ada', 'Born'), entity('Ada', long('b')), entity('Ada', 'Writes'));
          assert.deepEqual([more.imported, more.errors.map(({ line }) => line)], [2, [2]]);
          assert.equal((await ada())?.['content'], `- ${long('a')}\n- Born\n- Writes`);
        });

        it('relates entities that come many lines after their relation', async () => {
          const relation = { type: 'relation', from: 'Ada', to: 'Bo', relationType: 'knows' };
          const others = Array.from({ length: 450 }, (_, at) => entity(`Person ${at}`));
          const { imported, failed } = await send(relation, entity('Ada'), ...others, entity('Bo'));
          assert.deepEqual([imported, failed], [453, 0]);
          assert.equal(of(await exportLines(host, workspace_id), 'edge').length, 1);
        });
      });

      it('mem0: memories as facts with their times, categories and fields', async () => {
        const { first, nodes } = await importTwice('mem0', [
          {
            id: '892db2ae-06d9-49e5-8b3e-585ef9b85b8e',
            memory: 'Likes green tea.\nNot black.',
            user_id: 'alex',
            hash: 'abc',
            metadata: { source: 'chat' },
            categories: ['food', 'food', 'likes'],
            created_at: '2024-07-20T01:30:36.275141-07:00',
            updated_at: '2024-07-21T00:00:00Z',
          },
          { id: 7, memory: 'Has no time.' },
          { id: 'x', memory: '' },
          { memory: 'Has no id.' },
        ]);
        assert.deepEqual([first.imported, first.failed], [2, 2]);
        const tea = nodes.find((node) => node['title'] === 'Likes green tea.');
        assert.equal(tea?.['content'], 'Likes green tea.\nNot black.');
        assert.deepEqual(tea['tags'], ['food', 'likes']);
        const mem0 = { id: '892db2ae-06d9-49e5-8b3e-585ef9b85b8e', user_id: 'alex', hash: 'abc' };
        assert.deepEqual(tea['metadata'], { source: 'chat', mem0 });
        const times = ['created_at', 'valid_from', 'updated_at'].map((field) => tea[field]);
        assert.deepEqual(times, [
          '2024-07-20T08:30:36.275Z',
          '2024-07-20T08:30:36.275Z',
          '2024-07-21T00:00:00.000Z',
        ]);
      });

      it('mem0: a time without a zone is in UTC, in whatever zone the service runs', async () => {
        const { TZ } = process.env;
        process.env['TZ'] = 'Asia/Tokyo';
        try {
          const read = {
            '2024-07-20 22:30': '2024-07-20T22:30:00.000Z',
            'Jul 20, 2024 10:30 PM': '2024-07-20T22:30:00.000Z',
            '7/20/2024, 10:30:15 PM': '2024-07-20T22:30:15.000Z',
            '07-20-2024': '2024-07-20T00:00:00.000Z',
            '2024-07-20 10:30 EST': '2024-07-20T15:30:00.000Z',
            'Sat Jul 20 2024 10:30:01 GMT-0500 (Eastern)': '2024-07-20T15:30:01.000Z',
          };
          const lines = Object.keys(read).map((at) => ({ id: at, memory: `Tea at ${at}`, created_at: at }));
          const { nodes } = await importTwice('mem0', lines);
          const times = nodes.map((node) => [String(node['title']).slice(7), node['valid_from']]);
          assert.deepEqual(Object.fromEntries(times), read);
        } finally {
          if (TZ === undefined) delete process.env['TZ'];
          else process.env['TZ'] = TZ;
        }
      });

      it('basic-memory: hostile front matter is a fault of its line', async () => {
        const hostile = ['{', '[', '- ', ': ', '? ', '&a ', '@a\n', 'a: }', 'a: 1\n'].map((part) =>
          part.repeat(Math.floor(16_000 / part.length)),
        );
        const notes = hostile.map((front, i) => ({ path: `${i}.md`, markdown: `---\n${front}\n---\nText.` }));
        const { first } = await importTwice('basic-memory', [
          ...notes,
          { path: 'long.md', markdown: `---\n#${' '.repeat(20_000)}\n---\nText.` },
          { path: 'good.md', markdown: '---\ntitle: Good\n---\nText.' },
        ]);
        assert.equal(first.imported, 1);
        assert.deepEqual(
          first.errors.map(({ line, message }) => [line, message]),
          [
            ...notes.map((_, i) => [i + 1, 'markdown: its front matter is not valid YAML']),
            [notes.length + 1, 'markdown: its front matter has more than 16384 characters'],
          ],
        );
      });

      it('basic-memory: an empty note is a fault of its line', async () => {
        const { first, nodes } = await importTwice('basic-memory', [
          { path: 'empty.md', markdown: '' },
          { path: 'blank.md', markdown: '\ufeff \n\t\n' },
          { path: 'stub.md', markdown: '---\ntitle: Stub\n---\n' },
        ]);
        assert.deepEqual(
          nodes.map(({ title }) => title),
          ['Stub'],
        );
        assert.deepEqual(
          first.errors.map(({ line, message }) => [line, message]),
          [1, 2].map((line) => [line, 'markdown: is empty: there is nothing to remember']),
        );
      });

      it('basic-memory: notes with front matter, observations and links', async () => {
        const coffee = `---
title: Coffee Methods
type: lesson
permalink: coffee/methods
tags: [brewing, "#taste"]
created: 2024-03-01T10:00:00Z
rating: 5
---
# Coffee

- [method] Pour over brings out aroma #pourover (tested twice)
- [tip] Grind finer
- requires [[Fresh Beans]]
- inspired_by [[people/Ada|Ada]]
- needs [[Cuppa]]
- [[coffee/tea]]
See [[Unknown]] and [[Fresh Beans#Storage]].
\`\`\`
[[Fresh Beans]] in code #no
\`\`\`
`;
        const { first, nodes, edges } = await importTwice('basic-memory', [
          { path: 'coffee/Coffee Methods.md', markdown: coffee },
          { path: 'coffee/Fresh Beans.md', markdown: 'Buy them weekly.' },
          { path: 'people/Ada.md', markdown: '---\n---\n' },
          { path: 'coffee/Tea.md', markdown: '\ufeff---\ntitle: All Of Tea\naliases: [Cuppa]\n---\nSteep.' },
          { path: 'bad.md', markdown: '---\ntitle: [\n---\n' },
          { path: 'nul.md', markdown: '---\ntitle: "a\\0b"\n---\nx' },
          { path: 'no markdown' },
        ]);
        assert.deepEqual(
          first.errors.map(({ line, message }) => [line, message]),
          [
            [5, 'markdown: its front matter is not valid YAML'],
            [6, first.errors[1]?.message],
            [7, 'markdown: is required'],
          ],
        );
        assert.match(first.errors[1]?.message ?? '', /NUL/);
        const note = nodes.find((node) => node['title'] === 'Coffee Methods');
        assert.equal(note?.['node_type'], 'lesson');
        assert.deepEqual(note['tags'], ['brewing', 'taste', 'pourover']);
        assert.match(String(note['content']), /^# Coffee\n[^]*finer[^]*in code/);
        assert.deepEqual(note['metadata'], {
          basic_memory: {
            title: 'Coffee Methods',
            type: 'lesson',
            permalink: 'coffee/methods',
            tags: ['brewing', '#taste'],
            created: '2024-03-01T10:00:00Z',
            rating: 5,
            path: 'coffee/Coffee Methods.md',
          },
        });
        assert.equal(note['created_at'], '2024-03-01T10:00:00.000Z');
        assert.deepEqual(nodes.map((node) => String(node['title'])).sort(), [
          'Ada',
          'All Of Tea',
          'Coffee Methods',
          'Fresh Beans',
        ]);
        assert.deepEqual(edges, [
          ['Ada', 'influences', 'Coffee Methods', 'inspired_by'],
          ['Coffee Methods', 'depends_on', 'All Of Tea', 'needs'],
          ['Coffee Methods', 'depends_on', 'Fresh Beans', 'requires'],
          ['Coffee Methods', 'related_to', 'All Of Tea', 'links_to'],
          ['Coffee Methods', 'related_to', 'Fresh Beans', 'links_to'],
        ]);
      });

      it('basic-memory: hostile notes cost little', async () => {
        const deep = `---\na: ${'['.repeat(30_000)}\n---\n`;
        const bomb = `---\na: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghi'
          .split('')
          .map((name, at) => `${name}: &${name} [${`*${'abcdefgh'[at]},`.repeat(9)}]`)
          .join('\n')}\n---\n`;
        const spaces = `- ${' '.repeat(200_000)}] [[x]]`;
        const opening = '[['.repeat(100_000);
        const notes = [deep, bomb, spaces, opening, '---\n'.repeat(50_000)].map((markdown, n) => ({
          path: `n${n}.md`,
          markdown,
        }));
        const { failed, imported } = await importLines(host, { workspace_id, format: 'basic-memory' }, notes);
        assert.equal(failed + imported, notes.length);
      });
    });
  });
