import assert from 'node:assert/strict';
import { rpc, send, start, type Running } from './fixture.js';
import { questions } from './plugins/questions.js';
import { modernHeaders, modernMeta } from './streams.js';

describe('mcp: default_context_mode', () => {
  let running: Running;
  before(async () => {
    running = await start({ plugins: [questions] });
  });
  after(() => running.host.stop());

  async function modeOf(query: string, params: object = {}, path = '/mcp'): Promise<unknown> {
    const call = { name: 'context', ...params };
    const { body } = await send(`${running.host.url}${path}${query}`, rpc('tools/call', call));
    return (body.result?.['structuredContent'] as { answer?: string } | undefined)?.answer;
  }

  for (const path of ['/mcp', '/agent-a', '/agent-b', '/client']) {
    it(`is the mode of a call on ${path} that names none`, async () => {
      for (const mode of ['fast', 'standard', 'pack']) {
        const query = `?default_context_mode=${mode}`;
        assert.equal(await modeOf(query, {}, path), mode);
        for (const args of [{}, null, { mode: null }])
          assert.equal(await modeOf(query, { arguments: args }, path), mode);
        assert.equal(await modeOf(query, { arguments: { mode: 'pack' } }, path), 'pack');
      }
      assert.equal(await modeOf('', {}, path), 'standard');
      assert.equal(await modeOf('?x=default_context_mode', {}, path), 'standard');
    });
  }

  it('holds in the stateless revision, and with escapes', async () => {
    const url = `${running.host.url}/mcp?default%5Fcontext%5Fmode=f%61st`;
    const call = rpc('tools/call', { name: 'context', arguments: {}, _meta: modernMeta() });
    const { body } = await send(url, call, modernHeaders('tools/call', 'context'));
    assert.deepEqual(body.result?.['structuredContent'], { answer: 'fast' });
  });

  it('leaves other tools and methods alone', async () => {
    const url = `${running.host.url}/mcp?default_context_mode=fast`;
    const { body } = await send(url, rpc('tools/call', { name: 'talk', arguments: {} }));
    assert.deepEqual(body.result?.['structuredContent'], {});
    assert.equal((await send(url, rpc('ping'))).status, 200);
  });

  it('is INVALID_ARGUMENT when unknown', async () => {
    for (const query of ['=slow', '=', '', '=FAST', '=fast&default_context_mode=pack']) {
      const url = `${running.host.url}/mcp?default_context_mode${query}`;
      for (const body of [rpc('tools/call', { name: 'context' }), rpc('ping')]) {
        const answer = await send(url, body);
        assert.deepEqual([answer.status, answer.body.error?.code], [400, -32602]);
        assert.match(answer.body.error?.message ?? '', /one of fast, standard, pack/);
      }
    }
  });
});
