import assert from 'node:assert/strict';
import { ERRORS } from '@service-mcp/core';
import { startService, type Reply, type Service } from './support/service.js';

describe('REST answers', () => {
  let service: Service;
  before(async () => {
    service = await startService();
  });
  after(() => service.host.stop());

  function metadataOf({ body, headers }: Reply): void {
    const { request_id, timestamp, duration_ms, version } = body.metadata;
    assert.deepEqual(Object.keys(body.metadata), ['request_id', 'timestamp', 'duration_ms', 'version']);
    assert.equal(request_id, headers.get('x-request-id'));
    assert.equal(new Date(timestamp).toISOString(), timestamp);
    assert.ok(Number.isInteger(duration_ms) && duration_ms >= 0);
    assert.equal(version, service.host.deployment.version);
  }

  it('wraps a success in the envelope', async () => {
    const reply = await service.ask('GET', '/v1/items/7', undefined, { 'x-request-id': 'mine-1' });
    assert.equal(reply.status, 200);
    assert.deepEqual(Object.keys(reply.body), ['success', 'data', 'error', 'metadata']);
    assert.equal(reply.body.success, true);
    assert.equal(reply.body.error, null);
    assert.equal(reply.body.metadata.request_id, 'mine-1');
    assert.equal(reply.headers.get('content-type'), 'application/json; charset=utf-8');
    metadataOf(reply);
  });

  it('answers 201 where a record is created, 200 otherwise', async () => {
    assert.equal((await service.ask('POST', '/v1/items', { name: 'n' })).status, 201);
    assert.equal((await service.ask('POST', '/v1/items/7/revisions', { revision: 1 })).status, 200);
    assert.equal((await service.ask('DELETE', '/v1/items/7')).status, 200);
  });

  it('serves every /v1 route under /api/v1 too, an /api/v1 route there alone', async () => {
    for (const prefix of ['/v1', '/api/v1']) {
      assert.equal((await service.ask('GET', `${prefix}/items/7`)).status, 200);
      assert.equal((await service.ask('POST', `${prefix}/items`, { name: 'n' })).status, 201);
    }
    assert.equal((await service.ask('GET', '/api/v1/legacy-items')).status, 200);
    for (const path of ['/v1/legacy-items', '/api/api/v1/items']) {
      assert.equal((await service.ask('GET', path)).status, 404);
    }
  });

  it('serves a tool under each path that it declares, and under /api', async () => {
    for (const path of ['/v1/items/of/7', '/api/v1/items/of/7']) {
      const { status, body } = await service.ask('GET', path);
      assert.equal(status, 200);
      assert.match(JSON.stringify(body.data), /code\\*":\\*"7/, path);
    }
  });

  it('answers with the bare page where the tool says so, and with the envelope on a failure there', async () => {
    const bare = await service.ask('GET', '/api/v1/items');
    assert.deepEqual(Object.keys(bare.body), ['items', 'total', 'page', 'per_page', 'has_next', 'has_prev']);
    const wrapped = await service.ask('GET', '/v1/items');
    assert.deepEqual(wrapped.body.data, bare.body);
    const failed = await service.ask('GET', '/api/v1/items?page=0');
    assert.equal(failed.status, 400);
    assert.equal(failed.body.success, false);
    metadataOf(failed);
  });

  for (const [code, { http }] of Object.entries(ERRORS)) {
    it(`answers ${http} to ${code}`, async () => {
      const reply = await service.ask('POST', '/v1/items-fail', { code });
      assert.equal(reply.status, http);
      assert.equal(reply.body.success, false);
      assert.equal(reply.body.data, null);
      assert.deepEqual(reply.body.error, { code, message: `Failed with ${code}.`, details: { about: code } });
      metadataOf(reply);
    });
  }

  it('keeps foreign errors to itself', async () => {
    const reply = await service.ask('POST', '/v1/items-fail');
    assert.equal(reply.status, 500);
    assert.equal(reply.body.error.code, 'INTERNAL');
    assert.ok(!JSON.stringify(reply.body).includes('secret'));
  });

  it('refuses a tool that must ask the person first', async () => {
    const reply = await service.ask('POST', '/v1/items-ask');
    assert.equal(reply.status, 503);
    assert.equal(reply.body.error.code, 'UNAVAILABLE');
    assert.match(reply.body.error.message, /Are you sure\? .* the argument confirm\.$/);
    assert.deepEqual(reply.body.error.details, { questions: ['Are you sure?'], argument: 'confirm' });
  });

  it('prefers a literal segment to a parameter, and knows routes that begin with one', async () => {
    assert.equal((await service.ask('GET', '/v1/items/recent')).body.data.seen, 'recent');
    assert.deepEqual(await service.seen('GET', '/v1/field/things/9'), { area: 'field', thing: '9' });
    assert.deepEqual(await service.seen('GET', '/api/v1/items/things/9'), { area: 'items', thing: '9' });
  });

  it('answers 404 in the envelope without a route', async () => {
    for (const [method, path] of [
      ['GET', '/v1/nothing'],
      ['POST', '/v1/items/7/nothing'],
      ['GET', '/v1/items-hidden'],
      ['GET', '/v1/Items'],
      ['GET', '/v1'],
      ['GET', '/nothing'],
      ['GET', '/v1//items'],
      ['PUT', '/v1/nothing/at/all'],
    ] as const) {
      const reply = await service.ask(method, path);
      assert.equal(reply.status, 404, `${method} ${path}`);
      assert.equal(reply.body.error.code, 'NOT_FOUND');
      metadataOf(reply);
    }
  });

  it('answers 405 with Allow to a wrong method', async () => {
    for (const [method, path, allow] of [
      ['DELETE', '/v1/items', 'GET, HEAD, POST'],
      ['PUT', '/v1/items/7', 'GET, HEAD, PATCH, DELETE'],
      ['GET', '/api/v1/items/7/revisions', 'POST'],
      ['POST', '/api/v1/legacy-items', 'GET, HEAD'],
    ] as const) {
      const reply = await service.ask(method, path);
      assert.equal(reply.status, 405, `${method} ${path}`);
      assert.equal(reply.headers.get('allow'), allow);
      assert.equal(reply.body.error.code, 'METHOD_NOT_ALLOWED');
      metadataOf(reply);
    }
    const options = await service.ask('OPTIONS', '/v1/items');
    assert.equal(options.status, 204);
    assert.equal(options.headers.get('allow'), 'GET, HEAD, POST');
  });

  it('answers HEAD like GET, without a body', async () => {
    const reply = await service.ask('HEAD', '/v1/items/7');
    assert.equal(reply.status, 200);
    assert.equal(reply.body, '');
    assert.ok(Number(reply.headers.get('content-length')) > 0);
  });

  it('refuses a body that is not JSON, too large or of another type', async () => {
    const broken = await service.ask('POST', '/v1/items', '{"name":');
    assert.deepEqual([broken.status, broken.body.error.code], [400, 'PARSE_ERROR']);
    const large = await service.ask('POST', '/v1/items', { name: 'x'.repeat(5000) });
    assert.deepEqual([large.status, large.body.error.code], [413, 'PAYLOAD_TOO_LARGE']);
    const form = await service.ask('POST', '/v1/items', 'name=n', {
      'content-type': 'application/x-www-form-urlencoded',
    });
    assert.deepEqual([form.status, form.body.error.code], [415, 'UNSUPPORTED_MEDIA_TYPE']);
  });
});
