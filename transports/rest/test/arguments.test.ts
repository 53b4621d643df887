import assert from 'node:assert/strict';
import { startService, type Reply, type Service } from './support/service.js';

describe('REST arguments', () => {
  let service: Service;
  before(async () => {
    service = await startService();
  });
  after(() => service.host.stop());

  const paging = { page: 1, per_page: 20 };

  async function refused(method: string, path: string, body?: unknown): Promise<Reply['body']> {
    const reply = await service.ask(method, path, body);
    assert.equal(reply.status, 400, JSON.stringify(reply.body));
    assert.equal(reply.body.success, false);
    return reply.body.error;
  }

  const read: Array<[what: string, query: string, expected: object]> = [
    ['integers', '?page=2&per_page=5', { page: 2, per_page: 5 }],
    ['a boolean', '?flag=true', { ...paging, flag: true }],
    ['a boolean that is false', '?flag=false', { ...paging, flag: false }],
    ['a number', '?ratio=-0.25', { ...paging, ratio: -0.25 }],
    ['an exponent', '?ratio=1e3', { ...paging, ratio: 1000 }],
    ['a literal', '?mode=b', { ...paging, mode: 'b' }],
    ['text that looks like a number', '?code=007', { ...paging, code: '007' }],
    ['a nullable number', '?most=3', { ...paging, most: 3 }],
    ['an array by repeated keys', '?tags=a&tags=b,c', { ...paging, tags: ['a', 'b,c'] }],
    ['an array by commas', '?tags=a,b', { ...paging, tags: ['a', 'b'] }],
    ['an array of one with a comma', String.raw`?tags=a\,b`, { ...paging, tags: ['a,b'] }],
    ['escaped and separating commas', '?tags=a%5C%2Cb%2Cc', { ...paging, tags: ['a,b', 'c'] }],
    [
      'repeated keys as they are',
      String.raw`?tags=a\,b&tags=c`,
      { ...paging, tags: [String.raw`a\,b`, 'c'] },
    ],
    ['an array of one', '?tags=a', { ...paging, tags: ['a'] }],
    ['an empty array', '?tags=', { ...paging, tags: [] }],
    ['an array of integers', '?sizes=1,2&page=3', { ...paging, page: 3, sizes: [1, 2] }],
    ['percent-encoding and plus', '?code=a%20b+c%C3%A9', { ...paging, code: 'a b cé' }],
    ['a time', '?since=2026-01-31T00:00:00Z', { ...paging, since: '2026-01-31T00:00:00Z' }],
    ...['+', '%2B', '%20'].map((plus): [string, string, object] => [
      `a time with an offset after ${plus}`,
      `?since=2026-01-31T00:00:00.5${plus}01:00`,
      { ...paging, since: '2026-01-31T00:00:00.5+01:00' },
    ]),
    ['the alias page_size', '?page_size=7', { page: 1, per_page: 7 }],
    ['the alias and its name, equal', '?page_size=7&per_page=7', { page: 1, per_page: 7 }],
    ['an empty query', '?', paging],
  ];
  for (const [what, query, expected] of read) {
    it(`reads ${what} from the query`, async () => {
      assert.deepEqual(await service.seen('GET', `/v1/items${query}`), expected);
    });
  }

  const wrong: Array<[what: string, query: string, path: string]> = [
    ['text for an integer', '?page=two', '/page'],
    ['a fraction for an integer', '?page=1.5', '/page'],
    ['an empty integer', '?page=', '/page'],
    ['hexadecimal for a number', '?ratio=0x10', '/ratio'],
    ['white space for a number', '?ratio=%201', '/ratio'],
    ['Infinity', '?ratio=Infinity', '/ratio'],
    ['a number past its maximum', '?per_page=99999999999999999999', '/per_page'],
    ['yes for a boolean', '?flag=yes', '/flag'],
    ['one wrong item of an array', '?sizes=1,x', '/sizes/1'],
    ['a time without an offset', '?since=2026-01-31+01:00', '/since'],
    ['an unknown parameter', '?colour=red', '/colour'],
    ['__proto__', '?__proto__=x', '/__proto__'],
    ['__proto__ as a path', '?__proto__[polluted]=x', '/__proto__[polluted]'],
    ['constructor', '?constructor=x', '/constructor'],
    ['a single value given twice', '?page=1&page=2', '/page'],
    ['the alias against its name', '?page_size=7&per_page=8', '/per_page'],
  ];
  for (const [what, query, path] of wrong) {
    it(`refuses ${what}, naming it`, async () => {
      const error = await refused('GET', `/v1/items${query}`);
      assert.equal(error.code, 'INVALID_ARGUMENT');
      assert.equal(error.details.issues[0].path, path);
      assert.ok(error.message.startsWith(path.slice(1).replaceAll('/', '.')), error.message);
    });
  }

  it('leaves toolset and readonly to the selection', async () => {
    assert.deepEqual(await service.seen('GET', '/v1/items?toolset=items&readonly=true'), paging);
    const outside = await service.ask('GET', '/v1/items?toolset=zoo');
    assert.equal(outside.status, 404);
    assert.equal(outside.body.error.code, 'UNKNOWN_TOOL');
    const write = await service.ask('POST', '/v1/items?readonly=true', { name: 'x' });
    assert.equal(write.status, 404);
  });

  it('takes the body as the arguments', async () => {
    const body = { name: 'n', filters: { kinds: ['a'] } };
    assert.deepEqual(await service.seen('POST', '/v1/items', body), { ...body, size: 1 });
  });

  it('takes no body for an empty object', async () => {
    const error = await refused('POST', '/v1/items');
    assert.equal(error.details.issues[0].path, '/name');
  });

  for (const body of ['[]', 'null', '"text"', '1', 'true']) {
    it(`refuses the body ${body}`, async () => {
      const error = await refused('POST', '/v1/items', body);
      assert.equal(error.code, 'INVALID_ARGUMENT');
      assert.match(error.message, /must be a JSON object/);
    });
  }

  it('refuses hostile keys of a body by name, and pollutes nothing', async () => {
    for (const key of ['__proto__', 'constructor', 'prototype', 'toString']) {
      const error = await refused('POST', '/v1/items', `{"name":"n","${key}":{"polluted":1}}`);
      assert.equal(error.details.issues[0].path, `/${key}`);
    }
    for (const [method, path] of [
      ['PATCH', '/v1/items/7'],
      ['POST', '/v1/items/7/revisions?__proto__=x'],
    ] as const) {
      const error = await refused(method, path, '{"__proto__":{"item_id":"8","polluted":1}}');
      assert.match(error.message, /__proto__/);
    }
    assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
  });

  it('reads path parameters, decoded once', async () => {
    assert.deepEqual(await service.seen('GET', '/v1/items/a%2Fb%252F'), { item_id: 'a/b%2F' });
    assert.deepEqual(await service.seen('GET', '/v1/items/__proto__'), { item_id: '__proto__' });
    assert.deepEqual(await service.seen('DELETE', '/v1/items/7?force=true'), { item_id: '7', force: true });
    assert.deepEqual(await service.seen('PATCH', '/v1/items/7', { name: 'n' }), { item_id: '7', name: 'n' });
  });

  it('joins path, query and body of a POST', async () => {
    assert.deepEqual(await service.seen('POST', '/v1/items/7/revisions?revision=2', { page_size: 3 }), {
      item_id: '7',
      revision: 2,
      per_page: 3,
    });
    assert.deepEqual(await service.seen('POST', '/v1/items/7/revisions', { revision: 2, item_id: '7' }), {
      item_id: '7',
      revision: 2,
    });
  });

  it('refuses one name with two values', async () => {
    const inBody = await refused('PATCH', '/v1/items/7', { item_id: '8' });
    assert.equal(inBody.details.issues[0].path, '/item_id');
    const inQuery = await refused('GET', '/v1/items/7?item_id=8');
    assert.equal(inQuery.details.issues[0].path, '/item_id');
    const both = await refused('POST', '/v1/items/7/revisions?revision=2', { revision: 3 });
    assert.equal(both.details.issues[0].path, '/revision');
  });

  it('answers 400 to broken percent-encoding and to NUL', async () => {
    for (const path of [
      '/v1/items/%zz',
      '/v1/items/%E0%A4',
      '/v1/items/%',
      '/v1/items?code=%',
      '/v1/items?code=%ff',
    ]) {
      const error = await refused('GET', path);
      assert.equal(error.code, 'INVALID_ARGUMENT');
      assert.match(error.message, /percent-encoding/);
    }
    for (const path of ['/v1/items/a%00b', '/v1/items?code=a%00b', '/v1/items?tags=a&tags=%00']) {
      assert.match((await refused('GET', path)).message, /NUL/);
    }
  });

  it('answers 400 to a huge query and to deep nesting', async () => {
    const many = Array.from({ length: 2000 }, (_, at) => `k${at}=1`).join('&');
    assert.equal((await refused('GET', `/v1/items?${many}`)).code, 'INVALID_ARGUMENT');
    const long = await refused('GET', `/v1/items?code=${'x'.repeat(10_000)}`);
    assert.equal(long.details.issues[0].path, '/code');
    const deep = `{"revision":1,"tree":${'{"children":['.repeat(30_000)}${']}'.repeat(30_000)}}`;
    assert.equal((await refused('POST', '/v1/items/7/revisions', deep)).code, 'INVALID_ARGUMENT');
  });
});
