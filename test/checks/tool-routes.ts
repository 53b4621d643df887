import { openApiDocument } from '@service-mcp/transport-rest';
import { defaultTools } from './deployment.js';

const ABOUT = '\n/** Method and path of every tool that answers with JSON; from the OpenAPI document. */';

/** TypeScript source of the routes of the default deployment's tools, for the dashboard. */
export async function toolRoutes(): Promise<string> {
  const tools = (await defaultTools()).map(({ info }) => info).filter(({ http }) => !http?.streams);
  const { paths } = openApiDocument(tools, { baseUrl: '', version: '', authenticated: true });
  const lines = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) => {
      const { operationId, 'x-tool': tool } = operation as Record<string, string>; // openApiDocument made it
      return operationId !== tool ? [] : [`  ${operationId}: ['${method.toUpperCase()}', '${path}'],\n`];
    }),
  );
  return `${ABOUT}\nexport const ROUTES = {\n${lines.sort().join('')}} as const;\n`;
}
