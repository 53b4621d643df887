import assert from 'node:assert/strict';
import { eachEndpoint } from './each-endpoint.js';
import { INITIALIZE, UUIDV7, issuePath, resultOf, rpc, send, type RpcReply } from './http.js';

describe('interface.md 4.4: JSON-RPC endpoint rules', () =>
  eachEndpoint((endpoint) => {
    const raw = (body: unknown) => send<RpcReply>(endpoint.url, 'POST', '/api/v1/rpc', { body });

    it('rule 1: each JSON-RPC object is a request of its own: a batch is -32600', async () => {
      const one = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
      for (const batch of [[one], [one, { ...one, id: 2 }], []]) {
        const { status, body } = await raw(batch);
        assert.deepEqual([status, body.error?.code, body.id], [200, -32600, null]);
      }
    });

    for (const [method, params] of [
      ['initialize', INITIALIZE],
      ['tools/list', {}],
      ['tools/call', { name: 'help', arguments: {} }],
    ] as const) {
      it(`rule 2: the method ${method} is recognized`, async () => {
        const { body } = await rpc(endpoint.url, method, params);
        assert.ok(body.result, JSON.stringify(body.error));
      });
    }

    for (const method of ['notifications/initialized', 'notifications/cancelled', 'notifications/progress']) {
      it(`rule 2: the MCP notification ${method} is recognized: 202 without a body`, async () => {
        const { status, text } = await raw({ jsonrpc: '2.0', method, params: {} });
        assert.deepEqual([status, text], [202, '']);
      });
    }

    it('rule 2: any other method is -32601', async () => {
      const { status, body } = await rpc(endpoint.url, 'tools/dance', {});
      assert.deepEqual([status, body.error?.code, body.error?.data.code], [200, -32601, 'UNKNOWN_METHOD']);
    });

    for (const [field, broken] of [
      ['jsonrpc', { id: 1, method: 'tools/list', params: {} }],
      ['jsonrpc', { jsonrpc: '1.0', id: 1, method: 'tools/list', params: {} }],
      ['method', { jsonrpc: '2.0', id: 1, params: {} }],
      ['method', { jsonrpc: '2.0', id: 1, method: 5, params: {} }],
      ['params', { jsonrpc: '2.0', id: 1, method: 'tools/list', params: [] }],
      ['params', { jsonrpc: '2.0', id: 1, method: 'tools/list', params: 'x' }],
      ['id', { jsonrpc: '2.0', id: { a: 1 }, method: 'tools/list', params: {} }],
    ] as const) {
      it(`rule 3: a request object with a wrong ${field} is -32600: ${JSON.stringify(broken)}`, async () => {
        const { status, body } = await raw(broken);
        assert.deepEqual([status, body.error?.code], [200, -32600]);
      });
    }

    it('rule 3: id is echoed as sent', async () => {
      for (const id of [0, 7, -1, 'seven', '']) {
        const { body } = await rpc(endpoint.url, 'tools/list', {}, id);
        assert.deepEqual([body.jsonrpc, body.id], ['2.0', id]);
      }
    });

    it('rule 3: a body that is not JSON is -32700', async () => {
      for (const text of ['{', 'tools/list', '']) {
        const { status, body } = await raw(text);
        assert.deepEqual([status, body.error?.code, body.id], [200, -32700, null], JSON.stringify(text));
      }
    });

    it('rule 4: initialize takes protocolVersion, capabilities and clientInfo, and answers with a session', async () => {
      const { body, header } = await rpc(endpoint.url, 'initialize', INITIALIZE);
      assert.equal(body.result?.['protocolVersion'], '2024-11-05');
      assert.deepEqual(body.result?.['serverInfo'], {
        name: 'service-mcp',
        version: endpoint.service.host.deployment.version,
      });
      assert.ok(header('mcp-session-id'));
    });

    for (const name of ['protocolVersion', 'capabilities', 'clientInfo'] as const) {
      it(`rule 4: initialize without ${name}, or with one of a wrong type, is -32602`, async () => {
        const { [name]: _left, ...rest } = INITIALIZE;
        for (const params of [rest, { ...rest, [name]: 5 }]) {
          const { body } = await rpc(endpoint.url, 'initialize', params);
          assert.equal(body.error?.code, -32602);
          assert.equal(issuePath(body.error?.data), `/${name}`);
        }
      });
    }

    it('rule 5: tools/list takes an empty object', async () => {
      const { body } = await rpc(endpoint.url, 'tools/list', {});
      const names = resultOf<{ tools: { name: string }[] }>(body).tools.map(({ name }) => name);
      assert.deepEqual(names, [...names].sort());
    });

    it('rule 6: tools/call takes name and arguments, made from the schema of tools/list', async () => {
      const { body: list } = await rpc(endpoint.url, 'tools/list', {});
      const { tools } = resultOf<{
        tools: {
          name: string;
          inputSchema: { properties: { action: { enum: string[] } } };
        }[];
      }>(list);
      const help = tools.find(({ name }) => name === 'help');
      assert.ok(help?.inputSchema.properties.action.enum.includes('version'));
      const { body } = await rpc(endpoint.url, 'tools/call', {
        name: 'help',
        arguments: { action: 'version' },
      });
      assert.deepEqual(body.result?.['structuredContent'], {
        server: 'service-mcp',
        version: endpoint.service.host.deployment.version,
      });
    });

    it('rule 6: a name or arguments of a wrong type are -32602 with their path', async () => {
      for (const [params, path] of [
        [{ arguments: {} }, '/name'],
        [{ name: 5 }, '/name'],
        [{ name: 'help', arguments: [] }, '/arguments'],
      ] as const) {
        const { body } = await rpc(endpoint.url, 'tools/call', params);
        assert.deepEqual([body.error?.code, issuePath(body.error?.data)], [-32602, path]);
      }
    });

    it('rule 7: scope is given by ids; a display name is refused, and the message says where ids come from', async () => {
      const created = await rpc(endpoint.url, 'tools/call', {
        name: 'workspaces_create',
        arguments: { name: 'Lamps' },
      });
      const { id } = (created.body.result as { structuredContent: { id: string } }).structuredContent;
      assert.match(id, UUIDV7);
      const call = (workspace_id: string) =>
        rpc(endpoint.url, 'tools/call', { name: 'projects_list', arguments: { workspace_id } });
      const { body } = await call('Lamps');
      assert.equal(body.error?.code, -32602);
      assert.match(body.error?.message ?? '', /workspaces_list/);
      assert.equal(issuePath(body.error?.data), '/workspace_id');
      assert.ok((await call(id)).body.result);
    });
  }));
