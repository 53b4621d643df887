import assert from 'node:assert/strict';
import { packPlace, unpackPlace } from '@service-mcp/plugin-search/internals';
import { AT_REST, site, type Site } from './harness.js';

const body = (word: string, times: number) => `  ${`${word}(); `.repeat(times).trim()}\n`;

const SOURCE = `import { openSocket } from './socket.js';

export function loadSettings() {
${body('readPart', 40)}}

/** Waits for the lantern to be lit. */
export function pauseOf(index: number) {
  return index;
}

export class Ring {
  turnLeft() {
    return pauseOf(1);
  }

  turnRight() {
    return 'sundial';
  }
}
`;

describe('the symbol of a result', () => {
  let it_: Site;
  before(async () => {
    it_ = await site({ config: AT_REST });
    await it_.ingest({
      'src/ring.ts': SOURCE,
      'src/uses.ts': 'export const first = () => pauseOf(pauseOf(2));\n// pauseOf, pauseOf\n',
      'src/long.ts': `export function steerVessel() {\n${'  turnWheel();\n'.repeat(150)}  steerVessel(steerVessel(steerVessel()));\n}\n`,
      'docs/ring.md': `# Ring\n\n${'Some sentence. '.repeat(20)}\n\n## Oil\n\nThe gearbox takes oil.\n\n## Salt\n\nNo brine.\n`,
    });
    await it_.settled();
  });
  after(() => it_.stop());

  const first = async (mode: string, query: string, more = {}) =>
    (await it_.search(mode, { query, content_max_chars: 100, ...more })).results[0];

  for (const mode of ['keyword', 'hybrid']) {
    it(`${mode}: is the one whose name the query is, and its text is shown`, async () => {
      for (const [query, symbol] of [
        ['pauseOf', 'pauseOf'],
        ['turnRight', 'Ring.turnRight'],
      ] as const) {
        for (const more of [{}, { context_lines: 2 }]) {
          const hit = await first(mode, query, more);
          assert.deepEqual([hit?.path, hit?.symbol], ['src/ring.ts', symbol]);
          assert.ok(hit?.title.includes(query), hit?.title);
          assert.ok(hit?.content.includes(`${query}(`), hit?.content);
        }
      }
    });

    it(`${mode}: comes first where it begins`, async () => {
      const { results } = await it_.search(mode, { query: 'steerVessel' });
      assert.deepEqual(
        results.slice(0, 2).map(({ path, start_line }) => [path, start_line === 1]),
        [
          ['src/long.ts', true],
          ['src/long.ts', false],
        ],
      );
    });

    it(`${mode}: is the one that holds the words`, async () => {
      const lit = await first(mode, 'lantern lit');
      assert.deepEqual([lit?.symbol, lit?.title], ['pauseOf', 'export function pauseOf(index: number)']);
      assert.equal((await first(mode, 'sundial'))?.symbol, 'Ring.turnRight');
      assert.equal((await first(mode, 'gearbox'))?.symbol, 'Ring > Oil');
    });
  }

  it('pattern: is the innermost around the match', async () => {
    assert.equal((await first('pattern', 'sundial'))?.symbol, 'Ring.turnRight');
    assert.equal((await first('pattern', 'return index'))?.symbol, 'pauseOf');
  });

  it('is packed with white space in names', () => {
    const parts = [{ start: 1, end: 20, symbol: 'A > B c', title: 'operator new (size)' }];
    const at = {
      start: 5,
      end: 90,
      start_line: 1,
      end_line: 9,
      start_column: 1,
      sha256: 's',
      symbol: 'A > B',
    };
    assert.deepEqual(unpackPlace(packPlace({ ...at, parts })), { ...at, parts });
  });
});
