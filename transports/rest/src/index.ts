import Router from '@koa/router';
import { defineTransport } from '@service-mcp/core';
import { answer } from './answer.js';
import { mountDocs } from './docs/mount.js';
import { openApiDocument } from './openapi/document.js';
import { mountDocument } from './openapi/mount.js';
import { ROUTES } from './openapi/routes.js';
import { pathsOf, restTools } from './paths.js';

export { openApiDocument, type OpenApiDocument, type OpenApiOptions } from './openapi/document.js';

/** REST: one route a tool (both prefixes), the OpenAPI document at /openapi.json, the API page at /docs. */
export default defineTransport({
  id: 'rest',
  description:
    'Every tool with an HTTP route, in the envelope; OpenAPI 3.1 at /openapi.json; an API page at /docs.',
  api: '^1',
  routes: ROUTES,
  mount({ catalog, declared, deployment, http, routes, descriptions }) {
    const { version } = deployment;
    const router = new Router({ sensitive: true });
    for (const mounted of restTools(declared).flatMap(pathsOf)) {
      const verb = mounted.tool.http.method.toLowerCase() as 'get' | 'post' | 'patch' | 'delete'; // HttpRoute has no other
      router[verb](mounted.path, answer(mounted, { catalog, http, version }));
    }
    http.router.use(router.routes());
    mountDocument(http, (baseUrl) =>
      openApiDocument(declared, {
        baseUrl,
        version,
        authenticated: !deployment.singleOwner,
        routes,
        descriptions,
      }),
    );
    mountDocs(http.router);
  },
});
