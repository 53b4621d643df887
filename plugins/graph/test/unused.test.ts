import assert from 'node:assert/strict';
import { eachDatabase } from '@service-mcp/core/testing';
import { resolveFixture } from './support/fixtures.js';
import { GraphFile } from './support/graph-files.js';
import { startShop, type Shop } from './support/start-shop.js';

interface Answer {
  readonly items: ReadonlyArray<{ readonly id: string; readonly reason: string }>;
  readonly uncertain: number;
}

eachDatabase((fresh) => {
  describe('unused code', () => {
    let shop: Shop;
    before(async () => {
      shop = await startShop(await fresh());
    });
    after(() => shop.host.stop());

    async function unusedIn(texts: Readonly<Record<string, string>>) {
      const files = new Map(Object.entries(texts));
      const resolved = await resolveFixture({ files });
      const known = new Set(resolved.map(({ path }) => path));
      const others = [...files.keys()].filter((path) => !known.has(path));
      const project_id = await shop.newProject([
        ...resolved,
        ...others.map((path) => ({ ...new GraphFile(path).graph, language: null })),
      ]);
      const ingested = Array.from(files, ([path, content]) => ({ path, content }));
      await shop.host.use('files_ingest', { project_id, files: ingested });
      const { items, uncertain } = await shop.ask<Answer>('graph_unused', { project_id });
      return { items, ids: items.map(({ id }) => id), uncertain, project_id };
    }

    it('leaves out what components of Vue and Svelte use in their markup and offer to their frameworks', async () => {
      const { ids } = await unusedIn({
        'src/main.ts':
          "import Panel from './Panel.vue';\nimport Card from './Card.svelte';\nrun(Panel, Card);",
        'src/Panel.vue':
          "<script>\nimport { label } from './labels';\nexport default { methods: { label, save() { this.log(); }, log() {} } };\n</script>\n" +
          '<template><p @click="save">{{ label() }}</p></template>',
        'src/Card.svelte':
          "<script>\nimport { title } from './labels';\nexport function open() {}\nfunction close() {}\nfunction lost() {}\n</script>\n" +
          '<p on:click={close}>{title()}</p>',
        'src/labels.ts': 'export function label() {}\nexport function title() {}\nexport function rest() {}',
      });
      assert.deepEqual(ids, ['src/Card.svelte#lost', 'src/labels.ts#rest']);
    });

    it('leaves out what package.json files offer, also in folders and by their sources', async () => {
      const manifest = {
        main: 'dist/cjs/api.js',
        exports: {
          '.': { types: './dist/api.d.ts', default: './dist/esm/api.js' },
          './tools/*': './dist/tools/*.js',
          './package.json': './package.json',
        },
        bin: { hammer: './dist/commands/run.js' },
      };
      const core = 'packages/core';
      const { ids, uncertain } = await unusedIn({
        'package.json': '{"workspaces": ["packages/*"]',
        [`${core}/package.json`]: JSON.stringify(manifest),
        [`${core}/src/api.ts`]:
          "export * from './all.js';\nexport { one, default as Box } from './one.js';\nimport { used } from './used.js';\nexport const value = used();\n",
        [`${core}/src/all.ts`]: "export * from './deep.js';\nexport function all() {}\nfunction own() {}\n",
        [`${core}/src/deep.ts`]: 'export function deep() {}\n',
        [`${core}/src/one.ts`]:
          'export function one() {}\nexport function two() {}\nexport default class Box { open() {} }\n',
        [`${core}/src/used.ts`]: 'export function used() { return 1; }\nexport function dead() {}\n',
        [`${core}/src/tools/hit.ts`]: 'export function hit() {}\n',
        [`${core}/src/commands/run.ts`]: 'export function run() {}\n',
        [`${core}/src/other/run.ts`]: 'export function lost() {}\n',
        'packages/plain/package.json': '{"main": "./entry"}',
        'packages/plain/entry.js': "module.exports = require('./core/all');\n",
        'packages/plain/core/all.js':
          "const parse = require('./parse');\nmodule.exports = { parse, format: require('./format') };\n",
        'packages/plain/core/parse.js': 'module.exports = function parse() {};\n',
        'packages/plain/core/format.js': 'exports.format = function () {};\nfunction hidden() {}\n',
      });
      assert.deepEqual(ids, [
        `${core}/src/all.ts#own`,
        `${core}/src/one.ts#two`,
        `${core}/src/other/run.ts#lost`,
        `${core}/src/used.ts#dead`,
        'packages/plain/core/format.js#hidden',
      ]);
      assert.equal(uncertain, 1);
    });

    it('uses all variants of a function of Go with the one that is called', async () => {
      const { ids, project_id } = await unusedIn({
        'go.mod': 'module acme.com/store\n',
        'main.go': 'package main\n\ntype disk struct{}\n\nfunc main() {\n\tlock()\n\tdisk{}.sync()\n}\n',
        'lock_linux.go': 'package main\n\nfunc lock() {}\n\nfunc (d disk) sync() {}\n\nfunc stale() {}\n',
        'lock_windows.go':
          'package main\n\nfunc lock() { handle() }\n\nfunc handle() {}\n\nfunc (d disk) sync() {}\n\nfunc stale() {}\n',
      });
      assert.deepEqual(ids, ['lock_linux.go#stale', 'lock_windows.go#stale']);
      const { affected } = await shop.ask<{ affected: ReadonlyArray<{ symbol: { id: string } }> }>(
        'graph_impact_analysis',
        { project_id, target: { type: 'function', id: 'lock_windows.go#lock' } },
      );
      assert.deepEqual(
        affected.map(({ symbol }) => symbol.id),
        ['main.go#main'],
      );
    });

    it('uses methods of a type of Go that interfaces of the project or the library ask for', async () => {
      const { ids, project_id } = await unusedIn({
        'go.mod': 'module acme.com/store\n',
        'main.go':
          'package main\n\ntype opener interface {\n\topen(name string)\n}\n\nfunc use(o opener) { o.open("") }\n\nfunc main() {\n\tuse(disk{})\n\tsort.Sort(byName{})\n}\n',
        'disk.go': 'package main\n\nfunc (d disk) open(name string) {}\n\nfunc (d disk) shut() {}\n',
        'types.go':
          'package main\n\ntype disk struct{}\n\ntype byName []string\n\nfunc (b byName) Less(i, j int) bool { return true }\n\nfunc (b byName) rest() {}\n',
      });
      assert.deepEqual(ids, ['disk.go#disk.shut', 'types.go#byName.rest']);
      const { overriding_methods } = await shop.ask<{ overriding_methods: ReadonlyArray<{ id: string }> }>(
        'graph_impact_analysis',
        { project_id, target: { type: 'function', name: 'opener.open' } },
      );
      assert.deepEqual(
        overriding_methods.map(({ id }) => id),
        ['disk.go#disk.open'],
      );
    });

    it('leaves out constructors that keep others from making objects', async () => {
      const { ids } = await unusedIn({
        'acme/Main.java':
          'package acme;\n\npublic class Main {\n    public static void main(String[] args) {\n        Lists.of();\n    }\n}\n',
        'acme/Lists.java':
          'package acme;\n\npublic class Lists {\n    private Lists() {}\n\n    private Lists(int size) {}\n\n    static void of() {}\n\n    private static void rest() {}\n}\n',
      });
      assert.deepEqual(ids, ['acme/Lists.java#Lists.Lists~2', 'acme/Lists.java#Lists.rest']);
    });

    it('leaves out what modules of Python list in `__all__`, hooks of pytest, and stubs', async () => {
      const { ids } = await unusedIn({
        'shop/__init__.py': '',
        'shop/web.py':
          '__all__ = [\n    "Ok",\n]\n__all__ += ("Gone",)\n\nclass Ok:\n    def send(self):\n        write()\n\nclass Gone:\n    pass\n\nclass Rest:\n    pass\n\ndef write():\n    pass\n',
        'shop/plugin.py': 'def pytest_addoption(parser):\n    pass\n',
        'shop/web.pyi': 'class Ok:\n    def send(self) -> None: ...\n\ndef hidden() -> None: ...\n',
      });
      assert.deepEqual(ids, ['shop/web.py#Rest']);
    });

    it('leaves out what manifests of Python run', async () => {
      const { ids } = await unusedIn({
        'pyproject.toml':
          '[project]\nname = "acme:tools"\nscripts = { go = "acme.go:start" }\n[project.scripts]\nx = "acme.commands.run:start"\n[project.entry-points."acme.plugins"]\np = "acme.plug"\n[tool.acme]\nold = "acme.old:start"\n',
        'src/acme/go.py': 'def start():\n    pass\n',
        'src/acme/old.py': 'def start():\n    pass\n',
        'src/acme/plug.py': 'def offered():\n    pass\n',
        'src/acme/commands/run.py': 'def start():\n    pass\n\ndef never():\n    pass\n',
        'lib/setup.cfg': '[options.entry_points]\nconsole_scripts =\n    y = tool.cli_main:Tool.start\n',
        'lib/tool/cli_main.py':
          'class Tool:\n    def start():\n        pass\n\n    def stop():\n        pass\n',
        'old/setup.py': "setup(entry_points={'console_scripts': ['z = run.it:start']}, packages=['run'])\n",
        'old/run/it.py': 'def start():\n    pass\n',
      });
      assert.deepEqual(ids, [
        'lib/tool/cli_main.py#Tool.stop',
        'src/acme/commands/run.py#never',
        'src/acme/old.py#start',
      ]);
    });

    it('leaves out decorated members of a class that only its decorator uses, and what they use', async () => {
      const { ids } = await unusedIn({
        'start.ts': "import './orders.js';\n",
        'orders.ts':
          "import { load } from './load.js';\n@JsonController()\nexport class Orders {\n  @Get()\n  all() { return load(); }\n\n  rest() {}\n}\n",
        'load.ts': 'export function load() {}\nexport function save() {}\n',
        'shop.py':
          '@cbv(router)\nclass Shop:\n    @router.get("/")\n    def read(self):\n        pass\n\n    def rest(self):\n        pass\n',
      });
      assert.deepEqual(ids, ['load.ts#save', 'orders.ts#Orders.rest', 'shop.py#Shop.rest']);
    });

    it('names the users of the members of a class', async () => {
      const { items } = await unusedIn({
        'start.py': 'import shop\n',
        'shop.py':
          'class Key:\n    def __init__(self):\n        self.clear()\n\n    def clear(self):\n        pass\n\ndef make():\n    return Key()\n',
      });
      const uses = 'It is exported, but no entry point offers it. ';
      assert.deepEqual(
        items.map(({ id, reason }) => [id, reason]),
        [
          ['shop.py#Key', `${uses}Only unused code uses it: shop.py#make.`],
          ['shop.py#make', `${uses}No code of the project uses it.`],
        ],
      );
    });

    it('lists no function without a name', async () => {
      const { ids } = await unusedIn({
        'start.py': 'from shop import Shop\nShop()\nlost = lambda: 1\n',
        'shop.py': 'class Shop:\n    key = lambda self: made()\n\ndef made():\n    pass\n',
      });
      assert.deepEqual(ids, []);
    });

    it('counts what is uncertain below the prefix alone', async () => {
      const { uncertain, project_id } = await unusedIn({
        'start.py': 'import a.one, b.two\ndef start(x):\n    x.run()\nstart(1)\n',
        'a/one.py': 'class A:\n    def run(self):\n        pass\n\nA()\n',
        'b/two.py': 'class B:\n    def run(self):\n        pass\n\nB()\n',
      });
      const below = await shop.ask<Answer>('graph_unused', { project_id, path_prefix: 'b/' });
      assert.deepEqual([uncertain, below.uncertain], [2, 1]);
    });

    it('leaves out what frameworks of Python load by its place', async () => {
      const { ids } = await unusedIn({
        'shop/management/commands/tidy.py':
          'from shop.models import Book\n\nclass Command:\n    def handle(self):\n        Book()\n',
        'shop/apps.py': 'class ShopConfig:\n    pass\n',
        'shop/models.py': 'class Book:\n    pass\n\nclass Old:\n    pass\n',
        'alembic/versions/1_init.py': 'def upgrade():\n    pass\n\ndef downgrade():\n    pass\n',
        'gunicorn.conf.py': 'def on_starting(server):\n    pass\n',
        'noxfile.py': 'def lint(session):\n    pass\n',
        'aws/orders.py': 'def lambda_handler(event, context):\n    pass\n\ndef rest():\n    pass\n',
        'shop/lost.py': 'def lost():\n    pass\n',
      });
      assert.deepEqual(ids, ['aws/orders.py#rest', 'shop/lost.py#lost', 'shop/models.py#Old']);
    });

    it('uses the methods of supertypes that a used method overrides', async () => {
      const { ids } = await unusedIn({
        'open_all.py': 'from shop import Cafe\n\nCafe().start()\n',
        'shop.py':
          'class Shop:\n    def start(self):\n        self.open()\n\n    def open(self):\n        raise NotImplementedError\n\n    def shut(self):\n        pass\n\nclass Near(Shop):\n    pass\n\nclass Cafe(Near):\n    def open(self):\n        pass\n',
      });
      assert.deepEqual(ids, ['shop.py#Shop.shut']);
    });

    it('counts exports of modules that are passed on as uncertain', async () => {
      const { ids, uncertain } = await unusedIn({
        'start.ts':
          "import * as handlers from './handlers.js';\nimport * as read from './read.js';\nimport { on } from 'events';\non(handlers);\nread.one();\n",
        'handlers.ts':
          "export * from './more.js';\nexport { late } from './late.js';\nexport function onOne() {}\nexport interface Shape {}\nfunction off() {}\n",
        'more.ts': 'export function onMore() {}\n',
        'late.ts': "import * as last from './last.js';\nexport function late() { return [last]; }\n",
        'last.ts': 'export function onLast() {}\n',
        'read.ts':
          "export function one() {}\nexport function two() {}\nexport { three } from './three.js';\n",
        'three.ts': 'export function three() {}\n',
        'dead.ts': "import * as lost from './lost.js';\nexport function dead() { return [lost]; }\n",
        'lost.ts': 'export function onLost() {}\n',
      });
      assert.deepEqual(ids, [
        'dead.ts#dead',
        'handlers.ts#Shape',
        'handlers.ts#off',
        'lost.ts#onLost',
        'read.ts#two',
        'three.ts#three',
      ]);
      assert.equal(uncertain, 4);
    });
  });
});
