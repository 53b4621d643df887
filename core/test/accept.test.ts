import assert from 'node:assert/strict';
import {
  LOCAL_OWNER,
  amendCall,
  defineTransport,
  type ServiceError,
  type TransportContext,
} from '@service-mcp/core';
import { testHost, type TestHost } from '@service-mcp/core/testing';

/** A host with one transport that only hands out `accept`. */
async function hostWith(id: string, config: Readonly<Record<string, unknown>> = {}) {
  const given: TransportContext<unknown>['accept'][] = [];
  const transport = defineTransport({
    id,
    description: 'Hands out its accept.',
    api: '^1',
    async mount({ accept }) {
      await Promise.resolve();
      given.push(accept);
    },
  });
  const host = await testHost({ transports: [transport], config });
  const [accept] = given;
  assert.ok(accept);
  return { host, accept };
}

describe('accept', () => {
  let host: TestHost;
  let accept: TransportContext<unknown>['accept'];
  before(async () => {
    ({ host, accept } = await hostWith('pigeon', { server: { call_timeout_ms: 100 } }));
  });
  after(() => host.stop());

  it('makes a call of the local owner, on the surface of the transport', async () => {
    const headers = { 'x-request-id': 'r-1', 'idempotency-key': 'k', 'x-service-toolset': 'complete' };
    const call = await accept({ headers, peer: '127.0.0.1' });
    assert.equal(call.caller, LOCAL_OWNER);
    assert.deepEqual(
      [call.surface, call.requestId, call.idempotencyKey, call.peer, call.selection.toolsets],
      ['pigeon', 'r-1', 'k', '127.0.0.1', ['complete']],
    );
    assert.ok(call.deadline > Date.now() && call.deadline <= Date.now() + 100);
    call.finish();
  });

  it('serves no other machine without an auth plugin', async () => {
    for (const peer of ['192.0.2.1', '2001:db8::1', 'somewhere'])
      await assert.rejects(accept({ headers: {}, peer }), { code: 'PERMISSION_DENIED' });
    for (const peer of ['::1', '::ffff:127.0.0.1']) (await accept({ headers: {}, peer })).finish();
  });

  it('may use its own surface or a built-in one, so that metrics stay bounded', async () => {
    assert.equal((await accept({ headers: {}, surface: 'rpc' })).surface, 'rpc');
    await assert.rejects(accept({ headers: {}, surface: 'client 17' }), TypeError);
  });

  it('refuses malformed headers', async () => {
    for (const headers of [{ 'x-service-toolset': 'nonsense' }, { 'idempotency-key': 'a b' }])
      await assert.rejects(accept({ headers }), { code: 'INVALID_ARGUMENT' });
  });

  it('aborts when the client goes away, also where it already has', async () => {
    for (const late of [true, false]) {
      const client = new AbortController();
      if (!late) client.abort();
      const call = await accept({ headers: {}, signal: client.signal });
      const { signal } = call;
      client.abort();
      assert.match(String(signal.reason), /client went away/);
      call.finish();
    }
  });

  it('aborts at the deadline unless it has finished or is endless', async () => {
    const late = await accept({ headers: {} });
    const finished = await accept({ headers: {} });
    const endless = await accept({ headers: {}, endless: true });
    const signals = [late, finished, endless].map(({ signal }) => signal);
    finished.finish();
    await new Promise((resolve) => late.signal.addEventListener('abort', resolve));
    assert.deepEqual(
      signals.map(({ aborted }) => aborted),
      [true, false, false],
    );
    assert.equal((late.signal.reason as ServiceError).code, 'DEADLINE_EXCEEDED');
  });

  it('knows its deadline, also where it has moved', async () => {
    const call = await accept({ headers: {} });
    const amended = amendCall(call, { session: 's' });
    call.prolong?.(60_000);
    assert.ok(call.deadline > Date.now() + 30_000);
    assert.equal(amended.deadline, call.deadline);
    call.finish();
  });

  it('aborts when the service stops', async () => {
    const other = await hostWith('dove');
    const { signal } = await other.accept({ headers: {} });
    await other.host.stop();
    assert.equal((signal.reason as ServiceError).code, 'UNAVAILABLE');
  });

  it('a transport that cannot start refuses to boot, and is named', async () => {
    const broken = defineTransport({
      id: 'broken',
      description: 'Cannot start.',
      api: '^1',
      mount: () => Promise.reject(new Error('no carrier')),
    });
    await assert.rejects(
      testHost({ transports: [broken] }),
      /transport broken: it does not start: no carrier/,
    );
  });
});
