import Router from '@koa/router';
import { defineTransport } from '@service-mcp/core';
import { answer } from './answer.js';
import { mountDocs } from './docs/mount.js';
import { mountDocument } from './openapi/mount.js';
import { pathsOf, restTools } from './paths.js';

export { openApiDocument, type OpenApiDocument, type OpenApiOptions } from './openapi/document.js';

/** REST: one route a tool (both prefixes), the OpenAPI document at /openapi.json, the API page at /docs. */
export default defineTransport({
  id: 'rest',
  description:
    'Every tool with an HTTP route, in the envelope; OpenAPI 3.1 at /openapi.json; an API page at /docs.',
  api: '^1',
  mount({ catalog, declared, deployment, http }) {
    const { version } = deployment;
    const router = new Router({ sensitive: true });
    for (const mounted of restTools(declared).flatMap(pathsOf)) {
      const verb = mounted.tool.http.method.toLowerCase() as 'get' | 'post' | 'patch' | 'delete'; // HttpRoute has no other
      router[verb](mounted.path, answer(mounted, { catalog, http, version }));
    }
    http.router.use(router.routes());
    mountDocument(http, declared, deployment);
    mountDocs(http.router);
  },
});
