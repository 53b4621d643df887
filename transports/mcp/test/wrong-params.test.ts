import assert from 'node:assert/strict';
import { rpc, send, start, type Running } from './fixture.js';

const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

describe('mcp: params of a wrong type', () => {
  let running: Running;
  let url: string;
  before(async () => {
    running = await start();
    url = running.url;
  });
  after(() => running.host.stop());

  for (const [method, params] of [
    ['tools/call', {}],
    ['tools/call', { name: 7 }],
    ['tools/call', { name: 'things_echo', arguments: 'x' }],
    ['tools/list', { cursor: 7 }],
    ['resources/read', {}],
    ['prompts/get', { name: 'things_start', arguments: { topic: 7 } }],
    ['completion/complete', { ref: {} }],
  ] as const) {
    it(`answers ${method} with ${JSON.stringify(params)} with -32602 in both eras`, async () => {
      const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method };
      const name = 'name' in params ? { 'mcp-name': String(params.name) } : {};
      const answers = [
        await send(url, rpc(method, params)),
        await send(url, rpc(method, { ...params, _meta: envelope }), { ...headers, ...name }),
      ];
      for (const { body } of answers) assert.ok([-32602, -32020].includes(body.error?.code ?? 0));
      assert.equal(answers[0]?.body.error?.code, -32602);
      // The text of a validator is not for the caller.
      for (const { body } of answers)
        assert.doesNotMatch(body.error?.message ?? '', /Invalid input|expected/);
    });
  }

  it('names the part of a call that is of a wrong type', async () => {
    for (const [params, message] of [
      [{ name: 7 }, 'name: must be the name of a tool; tools/list has the names'],
      [{ name: 'things_echo', arguments: '{}' }, 'arguments: must be an object, not the text of one'],
      [
        { name: 'things_echo', task: 7 },
        'The params do not conform to tools/call of MCP. See its specification.',
      ],
    ] as const) {
      const { body } = await send(url, rpc('tools/call', params));
      assert.deepEqual([body.error?.code, body.error?.message], [-32602, message]);
    }
  });

  it('takes null for no arguments, in both eras', async () => {
    const params = { name: 'things_picture', arguments: null };
    const modern = { ...params, _meta: envelope };
    for (const { body } of [
      await send(url, rpc('tools/call', params)),
      await send(url, rpc('tools/call', modern), {
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'things_picture',
      }),
    ])
      assert.equal(body.result?.['isError'], false, JSON.stringify(body));
  });
});
