import assert from 'node:assert/strict';
import { eachDatabase, rejects } from '@service-mcp/core/testing';
import { resolveFixture } from './support/fixtures.js';
import { startShop, type Shop } from './support/start-shop.js';

interface Answer {
  readonly affected: ReadonlyArray<{ readonly symbol: { readonly id: string } }>;
  readonly reasons: readonly string[];
}
interface Paths {
  readonly paths: ReadonlyArray<{
    readonly hops: ReadonlyArray<{ readonly symbol: { readonly name: string } }>;
  }>;
  readonly warnings: readonly string[];
}

/** A function that returns functions. */
const RETRY = {
  'retry.ts':
    'export function retry() {\n  const stop = () => {};\n  const start = () => {};\n  return { stop, start };\n}',
  'fetch.ts':
    "import { retry } from './retry';\nexport function fetch() {\n  const one = retry();\n  one.start();\n  end(one);\n}\nfunction end(one) { one.stop(); }",
};

eachDatabase((fresh) => {
  describe('queries of functions', () => {
    let shop: Shop;
    before(async () => {
      shop = await startShop(await fresh());
    });
    after(() => shop.host.stop());

    const newProject = async (texts: Readonly<Record<string, string>>) =>
      shop.newProject(await resolveFixture({ files: new Map(Object.entries(texts)) }));
    async function affected(project_id: string, target: object) {
      const request = { project_id, target: { type: 'function', ...target } };
      const answer = await shop.ask<Answer>('graph_impact_analysis', request);
      return answer.affected.map(({ symbol }) => symbol.id).sort();
    }

    it('end call paths at a function itself, or inside it where none leads there', async () => {
      const project_id = await newProject(RETRY);
      const named = (name: string) => ({ type: 'function', name });
      const pathsOf = async (request: object) => {
        const answer = await shop.ask<Paths>('graph_call_paths', { project_id, ...request });
        const paths = answer.paths.map(({ hops }) => hops.map(({ symbol }) => symbol.name).join(' '));
        return { paths, warnings: answer.warnings.filter((each) => each.startsWith('No path')) };
      };
      const [from, to] = [named('fetch'), named('retry')];
      assert.deepEqual(await pathsOf({ from, to }), { paths: ['fetch retry'], warnings: [] });
      const callers = await pathsOf({ from: to, direction: 'callers' });
      assert.deepEqual(callers, { paths: ['retry fetch'], warnings: [] });
      assert.deepEqual(await pathsOf({ from: named('end'), to }), {
        paths: ['end stop'],
        warnings: ['No path is known to retry.ts#retry itself: these call functions inside it.'],
      });
    });

    it('tell the impact of a function apart from the uses of functions inside it', async () => {
      const project_id = await newProject(RETRY);
      const target = { type: 'function', name: 'retry' };
      const answer = await shop.ask<Answer>('graph_impact_analysis', { project_id, target });
      assert.deepEqual(
        answer.affected.map(({ symbol }) => symbol.id),
        ['fetch.ts#fetch'],
      );
      assert.deepEqual(answer.reasons.slice(0, 2), [
        '1 direct dependent, 1 in all.',
        '1 other symbol uses functions inside it: stop.',
      ]);
    });

    it('take an overloaded function as its implementation, and reach its callers from a signature', async () => {
      const project = await newProject({
        'of.ts':
          'export function of(a: string): void;\nexport function of(a: number): void;\nexport function of() {}',
        'app.ts': "import { of } from './of';\nexport function run() { of(1); }\nexport { of } from './of';",
      });
      assert.deepEqual(await affected(project, { name: 'of' }), ['app.ts', 'app.ts#run']);
      assert.deepEqual(await affected(project, { name: 'of', path: 'of.ts' }), ['app.ts', 'app.ts#run']);
      assert.deepEqual(await affected(project, { id: 'of.ts#of' }), ['app.ts', 'app.ts#run', 'of.ts#of~3']);
    });

    it('take an overloaded function of Python as its implementation, and tell a getter from its setter', async () => {
      const project = await newProject({
        'shop.py': `
from typing import overload

class Shop:
    @overload
    def open(self, day: int) -> int: ...
    @overload
    def open(self, day: str) -> str: ...
    def open(self, day):
        return day

    @property
    def size(self):
        return 1
    @size.setter
    def size(self, value):
        pass

def run(shop: Shop):
    shop.size = 3
    shop.open(1)
`,
      });
      assert.deepEqual(await affected(project, { name: 'Shop.open' }), ['shop.py#run']);
      assert.deepEqual(await affected(project, { name: 'Shop.open', path: 'shop.py' }), ['shop.py#run']);
      await rejects(
        affected(project, { name: 'Shop.size', path: 'shop.py' }),
        'CONFLICT',
        /: shop\.py#Shop\.size \(line 12\), shop\.py#Shop\.size~2 \(line 15\)\. Name one by its id\.$/,
      );
    });
  });
});
