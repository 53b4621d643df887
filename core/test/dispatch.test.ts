import assert from 'node:assert/strict';
import { defineTransport } from '@service-mcp/core';
import { testHost, type TestHost } from '@service-mcp/core/testing';

const shop = defineTransport({
  id: 'shop',
  description: 'Routes in every form that a router takes.',
  api: '^1',
  mount({ http: { router } }) {
    router.get('/shop/:id', async (ctx, next) => {
      ctx.params['id'] += '!'; // changed parameters must not reach another request
      ctx.state['seen'] = ctx.params;
      await next();
    });
    router.all(/^\/shop\/(\d+)$/, (ctx) => {
      ctx.body = { seen: ctx.state['seen'] as object, captures: ctx.captures, method: ctx.method };
    });
    router.get('/shelf/:id/:part', (ctx) => {
      ctx.body = `${ctx.params['part']} of ${ctx.params['id']}`;
    });
    router.get('/shelf/:id/new', (ctx) => {
      ctx.body = 'new';
    });
    router.delete('/shelf/:id', (ctx) => {
      ctx.body = `${ctx.params['id']} is gone`;
    });
    router.get('/shelf/recent', (ctx) => {
      ctx.body = 'recent';
    });
    router.delete('/shop/:id/:part', (ctx) => {
      ctx.body = ctx.params;
    });
  },
});

describe('dispatch', () => {
  let host: TestHost;
  before(async () => {
    host = await testHost({ transports: [shop] });
  });
  after(() => host.stop());
  const ask = (path: string, method = 'GET') => fetch(`${host.url}${path}`, { method });

  it('goes through every layer of an address in order, the same each time', async () => {
    for (let time = 0; time < 3; time++) {
      assert.deepEqual(await (await ask('/shop/7')).json(), {
        seen: { id: '7!' },
        captures: ['7'],
        method: 'GET',
      });
    }
    assert.deepEqual(await (await ask('/shop/8')).json(), {
      seen: { id: '8!' },
      captures: ['8'],
      method: 'GET',
    });
  });

  it('tells methods apart, and decodes parameters', async () => {
    const post = (await (await ask('/shop/7', 'POST')).json()) as { method: string; seen?: object };
    assert.deepEqual([post.method, post.seen], ['POST', undefined]);
    assert.deepEqual(await (await ask('/shop/a%20b/c', 'DELETE')).json(), { id: 'a b', part: 'c' });
  });

  it('refuses a wrong method with those that are right, and an unknown address', async () => {
    for (let time = 0; time < 2; time++) {
      const wrong = await ask('/shop/7/part', 'POST');
      assert.deepEqual([wrong.status, wrong.headers.get('allow')], [405, 'DELETE']);
      assert.equal((await ask('/nowhere')).status, 404);
    }
  });

  it('takes a literal segment before a parameter, in whatever order they were registered', async () => {
    assert.equal(await (await ask('/shelf/a/new')).text(), 'new');
    assert.equal(await (await ask('/shelf/a/old')).text(), 'old of a');
    assert.equal(await (await ask('/shelf/recent')).text(), 'recent');
    assert.equal(await (await ask('/SHELF/Recent/')).text(), 'recent');
    assert.deepEqual([(await ask('/shelf/recent', 'PUT')).headers.get('allow')], ['GET, HEAD, DELETE']);
    assert.equal(await (await ask('/shelf/recent', 'DELETE')).text(), 'recent is gone');
  });

  it('keeps a parameter whose escapes are broken as it is', async () => {
    assert.equal(await (await ask('/shelf/a/%zz')).text(), '%zz of a');
  });

  it('finds nothing at an address of very many segments, at once', async () => {
    assert.equal((await ask(`/shop${'/a'.repeat(3000)}`)).status, 404);
  });
});
