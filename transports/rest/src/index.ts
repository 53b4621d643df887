import { defineTransport } from '@service-mcp/core';
import { mountRoutes } from './dispatch.js';
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
    mountRoutes(restTools(declared).flatMap(pathsOf), { catalog, http, version });
    mountDocument(http, declared, deployment);
    mountDocs(http.router);
  },
});
