import assert from 'node:assert/strict';
import { startForeign, type ForeignServer } from '../../codegen/support/foreign-server.js';
import { openWorkbench, runCodegen, type Workbench } from '../../codegen/support/generated.js';
import type { Validator } from '../../codegen/support/verdicts.js';

const LINES = ['\n', '\r', '\u2028', '\u2029', '\u0085'];
/** Text that ends a comment, a string, a template or a line, and goes on as code. */
const ATTACKS = [
  '*/ globalThis.pwned = 1; /*',
  '* / */globalThis.pwned = 1;/**',
  "'; globalThis.pwned = 1; '",
  '"; globalThis.pwned = 1; "',
  '`; globalThis.pwned = 1; `${globalThis.pwned = 1}',
  '\\"; globalThis.pwned = 1; //',
  '"]}); globalThis.pwned = 1; ({"',
  '@ts-nocheck @ts-ignore @ts-expect-error',
  '</script><script>globalThis.pwned = 1</script>',
  ...LINES.map((line) => `x${line}globalThis.pwned = 1;${line}`),
  '\u202e;1 = denwp.sihTlabolg',
  '',
];
const NAMES = [
  [
    '__proto__',
    'constructor',
    'prototype',
    'then',
    'connect',
    'invoke',
    'toString',
    'hasOwnProperty',
    'toJSON',
  ],
  [
    'class',
    'await',
    'default',
    'eval',
    'a-b',
    'aB',
    'a_b',
    'a b',
    '1a',
    'поиск',
    '日本',
    '😀',
    '$',
    ' ',
    '#x',
  ],
].flat();

interface Client {
  readonly [method: string]: unknown;
}
interface Module {
  readonly ServiceClient: new (options: { url: string }) => Client;
  readonly [name: string]: unknown;
}

describe('codegen: hostile names and texts', () => {
  const tools = [...NAMES, ...ATTACKS].map((name) => ({
    name,
    title: `Title ${name}`,
    description: `Description of ${name}`,
    inputSchema: { type: 'object', properties: {}, additionalProperties: false },
    outputSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  }));
  const words = [...NAMES, ...ATTACKS];
  const fields = {
    name: 'zz_fields',
    inputSchema: {
      type: 'object',
      properties: JSON.parse(
        `{${words.map((word) => `${JSON.stringify(word)}:${JSON.stringify({ type: 'string', description: word, pattern: '^[a-z]*$', errorMessage: { type: word } })}`).join(',')}}`,
      ) as unknown,
      required: ['a-b'],
      additionalProperties: false,
    },
    outputSchema: {
      type: 'object',
      properties: { chosen: { enum: words }, exact: { const: { [ATTACKS[0] ?? '']: words } } },
      patternProperties: { '["\'`/\\\\]': { type: 'integer', minimum: '1); globalThis.pwned = 1; (' } },
    },
  };
  let foreign: ForeignServer;
  let bench: Workbench;
  let source: string;
  before(async () => {
    bench = await openWorkbench();
    foreign = await startForeign(({ method, params, headers }) => {
      if (method === 'tools/list') return { tools: [...tools, fields] };
      return { structuredContent: { name: params['name'], header: headers['mcp-name'] } };
    });
    const { stdout, stderr, code } = await runCodegen(['--url', foreign.url]);
    assert.equal(code, 0, stderr);
    source = stdout;
  });
  after(async () => {
    await bench.remove();
    await foreign.stop();
  });

  it('stay text: the client runs nothing but itself', async () => {
    assert.match(source, /^[\x20-\x7e\n]*$/m);
    const comments = source.replace(/"(?:[^"\\]|\\.)*"/g, '""').match(/\/\*\*[^]*?\*\//g) ?? [];
    assert.ok(comments.length > words.length);
    for (const each of comments) assert.doesNotMatch(each, /@ts-|[\u2028\u2029\u0085\u202e]/);
    await bench.load(source);
    assert.equal('pwned' in globalThis, false);
  });

  for (const compiler of ['7', '5.9'] as const) {
    it(`are typed by TypeScript ${compiler}`, async () => {
      const file = await bench.write('hostile.ts', source);
      assert.equal(await bench.compile(compiler, {}, file), '');
    });
  }

  it('reach the server as they are, each by a method of its own', async () => {
    const { ServiceClient } = await bench.load<Module>(source);
    const client = new ServiceClient({ url: foreign.url });
    assert.equal(await Promise.resolve(client), client, 'a client is not a promise');
    const own = Object.getOwnPropertyNames(ServiceClient.prototype).filter((name) => name !== 'constructor');
    const reached = new Set<string>();
    for (const method of own) {
      if (method === 'zzFields') continue;
      const call = client[method] as (input: object) => Promise<{ name: string; header: string }>;
      const { name, header } = await call.call(client, {});
      reached.add(name);
      const encoded = /^=\?base64\?(.*)\?=$/.exec(header)?.[1];
      assert.equal(encoded === undefined ? header : Buffer.from(encoded, 'base64').toString('utf8'), name);
    }
    assert.deepEqual(reached, new Set(words));
    assert.equal(own.length, words.length + 1);
  });

  it('are fields like any other', async () => {
    const module = await bench.load<Module>(source);
    const input = module['zzFieldsInput'] as Validator;
    const takes = (text: string) => input.safeParse(JSON.parse(text)).success;
    assert.equal(takes('{"a-b":"x"}'), true, 'what every object has is not taken for a field that is there');
    assert.equal(takes('{}'), false);
    for (const word of words) {
      const name = JSON.stringify(word);
      assert.equal(takes(`{"a-b":"x",${name}:"fine"}`), true, name);
      assert.equal(takes(`{"a-b":"x",${name}:"NOT FINE"}`), false, name);
      assert.equal(takes(`{"a-b":"x",${name}:5}`), false, name);
    }
    assert.equal(takes('{"a-b":"x","unknown":"x"}'), false);
    const output = module['zzFieldsOutput'] as Validator;
    for (const chosen of words) assert.equal(output.safeParse({ chosen }).success, true, chosen);
    assert.equal(output.safeParse({ chosen: 'other' }).success, false);
    assert.equal(output.safeParse({ exact: { [ATTACKS[0] ?? '']: words } }).success, true);
    assert.equal(output.safeParse({ exact: { [ATTACKS[0] ?? '']: [] } }).success, false);
    assert.equal(output.safeParse({ "a'b": 1 }).success, true);
    assert.equal(output.safeParse({ "a'b": 'x' }).success, false);
  });

  it('do not come from an invalid list', async () => {
    const lists = [
      {},
      { tools: {} },
      { tools: [null] },
      { tools: [{ name: 'a' }] },
      { tools: [{ name: 5, inputSchema: {} }] },
      { tools: [tools[0], tools[0]] },
    ];
    const refused = lists.map(async (list) => {
      const other = await startForeign(() => list);
      const { code, stdout, stderr } = await runCodegen(['--url', other.url]);
      await other.stop();
      assert.equal(code, 2, JSON.stringify(list));
      assert.equal(stdout, '');
      assert.match(stderr, /lists no tools/);
    });
    await Promise.all(refused);
    const endless = await startForeign(() => ({ tools: [], nextCursor: String(Math.random()) }));
    const long = await runCodegen(['--url', endless.url]);
    await endless.stop();
    assert.equal(long.code, 2);
    assert.match(long.stderr, /without end/);
    const deep = await startForeign((_asked, response) => {
      const schema = `${'{"not":'.repeat(50_000)}{}${'}'.repeat(50_000)}`;
      response.end(`{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a","inputSchema":${schema}}]}}`);
      return undefined;
    });
    const nested = await runCodegen(['--url', deep.url]);
    await deep.stop();
    assert.equal(nested.code, 1);
    assert.match(nested.stderr, /nests too deep/);
    const empty = await startForeign(() => ({ tools: [] }));
    const { code, stderr } = await runCodegen(['--url', empty.url]);
    await empty.stop();
    assert.equal(code, 1);
    assert.match(stderr, /holds no tool/);
  });

  it('document the checks that the client leaves to the service', async () => {
    const inputSchema = {
      type: 'object',
      properties: {
        a: { type: 'string', pattern: '(' },
        b: { $ref: 'https://example.org/other.json' },
        c: { $ref: '#/properties/nosuch' },
      },
      patternProperties: { '[': { type: 'integer' } },
      additionalProperties: false,
      unevaluatedProperties: false,
    };
    const other = await startForeign(() => ({ tools: [{ name: 'odd', inputSchema }] }));
    const { code, stdout, stderr } = await runCodegen(['--url', other.url]);
    await other.stop();
    assert.equal(code, 0);
    assert.match(stderr, /Not checked by the client: odd: a pattern that is not a regular expression/);
    assert.match(stderr, /odd: \$ref https:\/\/example\.org/);
    assert.match(stderr, /odd: unevaluatedProperties/);
    const { oddInput } = await bench.load<Readonly<Record<'oddInput', Validator>>>(stdout);
    assert.equal(oddInput.safeParse({ a: 'x', b: 1, c: 2, d: 3 }).success, true);
    assert.equal(oddInput.safeParse({ a: 1 }).success, false);
  });
});
