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

    it('lead call paths through functions that are passed on, where no calls lead', async () => {
      const project_id = await newProject({
        'app.js':
          'function listen() { serve(callback()); }\nfunction callback() {\n  const handle = (req) => {\n    const respond = () => send(req);\n    return next(req).then(respond);\n  };\n  return handle;\n}\nfunction send() {}\nfunction alone() {}',
      });
      const named = (name: string) => ({ type: 'function', name });
      const pathsOf = async (request: object) => {
        const answer = await shop.ask<Paths>('graph_call_paths', { project_id, ...request });
        const paths = answer.paths.map(({ hops }) => hops.map(({ symbol }) => symbol.name).join(' '));
        return { paths, isPassed: answer.warnings.some((each) => each.startsWith('No path of calls alone')) };
      };
      const [from, to] = [named('listen'), named('send')];
      const way = ['listen', 'callback', 'handle', 'respond', 'send'];
      assert.deepEqual(await pathsOf({ from, to }), { paths: [way.join(' ')], isPassed: true });
      assert.deepEqual(await pathsOf({ from: to, to: from, direction: 'callers' }), {
        paths: [way.toReversed().join(' ')],
        isPassed: true,
      });
      assert.deepEqual(await pathsOf({ from, to: named('callback') }), {
        paths: ['listen callback'],
        isPassed: false,
      });
      assert.deepEqual(await pathsOf({ from, to: named('alone') }), { paths: [], isPassed: false });
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

    it('pass over callers of a function that give it, or decorate, others than the target', async () => {
      const project_id = await newProject({
        'retry.ts': 'export function retry(task: () => void) { task(); }',
        'app.ts':
          "import { retry } from './retry';\nfunction save() {}\nfunction load() {}\nexport function one() { retry(save); }\nexport function two() { retry(load); }\nexport function three() { two(); }",
        'deco.py':
          'def setup(f):\n    def wrapper(*args):\n        return f(*args)\n    return wrapper\n\n@setup\ndef get():\n    pass\n\n@setup\ndef put():\n    pass\n\ndef first():\n    get()\n\ndef second():\n    put()\n',
      });
      assert.deepEqual(await affected(project_id, { name: 'save' }), ['app.ts#one', 'retry.ts#retry']);
      assert.deepEqual(await affected(project_id, { name: 'load' }), [
        'app.ts#three',
        'app.ts#two',
        'retry.ts#retry',
      ]);
      assert.deepEqual(await affected(project_id, { name: 'retry' }), [
        'app.ts#one',
        'app.ts#three',
        'app.ts#two',
      ]);
      assert.deepEqual(await affected(project_id, { name: 'get' }), [
        'deco.py#first',
        'deco.py#setup.wrapper',
      ]);
      const target = { type: 'function', name: 'save' };
      const { dependents } = await shop.ask<{ dependents: Answer['affected'] }>('graph_dependencies', {
        project_id,
        target,
        direction: 'in',
        max_depth: 3,
      });
      assert.deepEqual(
        dependents.map(({ symbol }) => symbol.id),
        ['app.ts#one', 'retry.ts#retry'],
      );
    });

    it('take a function of Python for a test by its name in files of tests and classes of unittest alone', async () => {
      const project_id = await newProject({
        'app.py':
          'from unittest import TestCase\n\ndef run():\n    pass\n\nclass App:\n    def test_client(self):\n        run()\n\nclass RunTest(TestCase):\n    def test_run(self):\n        run()\n',
        'test_app.py': 'from app import run\n\ndef test_run():\n    run()\n',
      });
      const target = { type: 'function', name: 'run' };
      const { affected_tests } = await shop.ask<{ affected_tests: ReadonlyArray<{ id: string }> }>(
        'graph_impact_analysis',
        { project_id, target },
      );
      assert.deepEqual(affected_tests.map(({ id }) => id).sort(), [
        'app.py#RunTest.test_run',
        'test_app.py#test_run',
      ]);
    });

    it('take a name of Python as that of the source, not of the stub beside it', async () => {
      const project = await newProject({
        'shop.py': 'class Shop:\n    def open(self):\n        pass\n',
        'shop.pyi': 'class Shop:\n    def open(self) -> None: ...\n',
        'app.py': 'from shop import Shop\n\ndef run():\n    Shop().open()\n',
      });
      assert.deepEqual(await affected(project, { name: 'Shop.open' }), ['app.py#run']);
      assert.deepEqual(await affected(project, { name: 'open', path: 'shop.pyi' }), []);
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
