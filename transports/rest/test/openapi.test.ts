import assert from 'node:assert/strict';
import { Validator } from '@seriousme/openapi-schema-validator';
import { ERRORS, type ToolInfo } from '@service-mcp/core';
import { openApiDocument } from '@service-mcp/transport-rest';
import { startService, type Reply, type Service } from './support/service.js';

type Paths = Record<string, { readonly get?: { readonly operationId: string; readonly 'x-tool'?: string } }>;

const ROUTE = {
  owner: 'test',
  method: 'GET',
  summary: 'Things',
  description: 'Things.',
  answers: { 200: { description: 'Things.' } },
} as const;

describe('OpenAPI document', () => {
  let service: Service;
  let document: Reply['body'];
  let tools: ToolInfo[];
  before(async () => {
    service = await startService();
    document = (await service.ask('GET', '/openapi.json')).body;
    tools = service.host.registry.allowed.map(({ info }) => info);
  });
  after(() => service.host.stop());

  it('is valid OpenAPI 3.1, its references included', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(structuredClone(document));
    assert.ok(valid, JSON.stringify(errors));
    assert.equal(validator.version, '3.1');
    validator.resolveRefs(); // throws on a reference that leads nowhere
    assert.ok(!JSON.stringify(document).includes('#/$defs/'));
  });

  it('names every REST tool once', () => {
    const ids = operations().map(({ operationId }) => operationId);
    assert.equal(new Set(ids).size, ids.length);
    const expected = tools.filter(({ http, surfaces }) => http && surfaces.includes('rest'));
    const names = ids.filter((id) => !id.includes('.'));
    assert.deepEqual(names.toSorted(), expected.map(({ name }) => name).toSorted());
    assert.match(document.paths['/api/v1/items'].get.operationId, /^items_list\.\d$/);
    assert.ok(!ids.includes('items_hidden'));
  });

  it('lists the public paths, and those under /api/v1 only where they differ', () => {
    const listed = Object.keys(document.paths).filter((path) => /items|things/.test(path));
    assert.deepEqual(listed, [
      '/api/v1/items',
      '/api/v1/legacy-items',
      '/v1/items',
      '/v1/items-ask',
      '/v1/items-fail',
      '/v1/items/of/{code}',
      '/v1/items/recent',
      '/v1/items/{item_id}',
      '/v1/items/{item_id}/revisions',
      '/v1/{area}/things/{thing}',
    ]);
  });

  it('describes a bare page as such and everything else in the envelope', () => {
    const schemaOf = (path: string) =>
      document.paths[path].get.responses['200'].content['application/json'].schema;
    assert.ok('items' in schemaOf('/api/v1/items').properties);
    assert.deepEqual(schemaOf('/v1/items').properties.data, schemaOf('/api/v1/items'));
    assert.equal(document.paths['/api/v1/items'].get['x-tool'], 'items_list');
  });

  it('splits the input into path, query and body', () => {
    const revise = document.paths['/v1/items/{item_id}/revisions'].post;
    assert.deepEqual(
      revise.parameters.map(({ name, in: place, required }: Reply['body']) => [name, place, required]),
      [['item_id', 'path', true]],
    );
    const body = revise.requestBody.content['application/json'].schema;
    assert.deepEqual(Object.keys(body.properties), ['revision', 'per_page', 'tree']);
    assert.deepEqual(body.required, ['revision']);
    assert.equal(body.properties.tree.$ref, '#/components/schemas/items_revise_input.Node');
    const list = document.paths['/v1/items'].get;
    assert.equal(list.requestBody, undefined);
    assert.ok(
      list.parameters.every(({ in: place, required }: Reply['body']) => place === 'query' && !required),
    );
    assert.equal(document.paths['/v1/items'].post.requestBody.required, true);
  });

  it('carries effect, scope, toolset, surfaces, tag, status, security and every error code', () => {
    const { post } = document.paths['/v1/items'];
    assert.deepEqual(
      [post['x-effect'], post['x-scope'], post['x-toolset'], post.tags, Object.keys(post.responses)],
      [
        'create',
        'items:write',
        'items',
        ['items'],
        ['201', '400', '403', '404', '409', '413', '415', '421', '429', '500', '503', '504'],
      ],
    );
    assert.deepEqual(post['x-surfaces'], ['mcp', 'rpc', 'rest', 'cli']);
    assert.deepEqual(document.paths['/api/v1/legacy-items'].get.security, []);
    assert.deepEqual(document.components.schemas.Error.properties.code.enum, Object.keys(ERRORS));
    assert.deepEqual(document.servers, [{ url: service.url }]);
  });

  it('is the same whatever the order of the tools', () => {
    const routes = Object.entries(document.paths as Paths).flatMap(([path, { get }]) =>
      get === undefined || get['x-tool'] !== undefined ? [] : [{ ...ROUTE, path, id: get.operationId }],
    );
    const make = (of: ToolInfo[], others: typeof routes) =>
      JSON.stringify(
        openApiDocument(of, { baseUrl: service.url, version: '1', authenticated: false, routes: others }),
      );
    assert.ok(routes.length > 1);
    assert.equal(make(tools.toReversed(), routes.toReversed()), make(tools, routes));
  });

  it('makes one component of a titled object, and none of different ones with a title', () => {
    const item = (title: string, description?: string) => ({
      type: 'object',
      title,
      properties: { title: { type: 'string', title: 'Title' } },
      ...(description && { description }),
    });
    const other = { ...item('Same'), required: ['title'] };
    const output = (properties: object) => ({ type: 'object', properties });
    const [first, second] = tools.filter(
      ({ http, surfaces }) => http?.method === 'GET' && surfaces.includes('rest'),
    ) as [ToolInfo, ToolInfo];
    const documented = openApiDocument(
      [
        {
          ...first,
          outputSchema: output({ a: item('Thing'), b: item('Thing', 'Another'), c: item('Same') }),
        },
        { ...second, outputSchema: output({ a: item('Thing'), c: other, default: item('Thing') }) },
      ],
      { baseUrl: service.url, version: '1', authenticated: false },
    ) as Reply['body'];
    const dataOf = ({ name }: ToolInfo): Reply['body'] =>
      Object.values(documented.paths as Record<string, Reply['body']>).find(
        ({ get }) => get.operationId === name,
      ).get.responses[200].content['application/json'].schema.properties.data.properties;
    const $ref = '#/components/schemas/Thing';
    assert.deepEqual(dataOf(first), { a: { $ref }, b: { $ref, description: 'Another' }, c: item('Same') });
    assert.deepEqual(dataOf(second), { a: { $ref }, c: other, default: { $ref } });
    assert.deepEqual(documented.components.schemas.Thing, item('Thing'));
    assert.ok(!('Same' in documented.components.schemas));
  });

  it('shows a body that the schema accepts, or none', () => {
    const create = tools.find(({ name }) => name === 'items_create') as ToolInfo;
    const exampleOf = (value: object): unknown => {
      const inputSchema = { type: 'object', required: ['value'], properties: { value } };
      const { paths } = openApiDocument([{ ...create, inputSchema }], {
        baseUrl: service.url,
        version: '1',
        authenticated: false,
      }) as Reply['body'];
      return paths['/v1/items'].post.requestBody.content['application/json'].example?.value;
    };
    const kind = { type: 'string', enum: ['code', 'doc'] };
    assert.deepEqual(exampleOf({ type: 'array', minItems: 2, items: kind }), ['code', 'doc']);
    assert.deepEqual(exampleOf({ type: 'array', minItems: 1, items: { const: 7 } }), [7]);
    assert.equal(exampleOf({ type: 'array', minItems: 3, items: kind }), undefined);
    assert.equal(exampleOf({ type: 'string', format: 'date-time' }), '2026-01-31T12:00:00Z');
    assert.equal(exampleOf({ type: 'string', format: 'ipv4' }), undefined);
    assert.equal(exampleOf({ type: 'number', maximum: 0.5 }), 0.5);
  });

  it('asks for a credential only where the deployment does', () => {
    const options = { baseUrl: service.url, version: '1' };
    const open = openApiDocument(tools, { ...options, authenticated: false });
    const closed = openApiDocument(tools, { ...options, authenticated: true });
    assert.deepEqual([open['security'], closed['security'] === undefined], [undefined, false]);
    assert.equal('securitySchemes' in (open['components'] as object), false);
    assert.equal('securitySchemes' in (closed['components'] as object), true);
  });

  it('answers 304 to a client that has the document', async () => {
    const { headers } = await service.ask('GET', '/openapi.json');
    const again = await service.ask('GET', '/openapi.json', undefined, {
      'if-none-match': headers.get('etag') as string,
      'cache-control': 'max-age=0', // else fetch adds no-cache, which asks for the whole
    });
    assert.equal(again.status, 304);
    assert.equal((await service.ask('HEAD', '/openapi.json')).status, 200);
  });

  function operations(): Array<{ operationId: string }> {
    return Object.values(document.paths as Record<string, Record<string, { operationId: string }>>).flatMap(
      (item) => Object.values(item),
    );
  }
});
