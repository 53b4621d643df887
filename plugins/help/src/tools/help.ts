import { Type } from 'typebox';
import { Deployment, ERRORS, RegistryView, closed, defineTool, closedAs } from '@service-mcp/core';

const ACTIONS = ['version', 'tools', 'toolsets', 'errors'] as const;

export const help = defineTool({
  name: 'help',
  title: 'Help',
  description:
    'Describes this service: its version, the tools you can use, the toolsets you can request, and the error codes.',
  input: Type.Object(
    { action: Type.Enum([...ACTIONS], { default: 'tools', description: 'What to describe' }) },
    closed,
  ),
  output: Type.Object(
    {
      server: Type.String(),
      version: Type.String(),
      tools: Type.Optional(
        Type.Array(Type.Object({ name: Type.String(), title: Type.String(), effect: Type.String() }, closed)),
      ),
      toolsets: Type.Optional(
        Type.Array(
          Type.Object(
            { id: Type.String(), description: Type.String(), tools: Type.Array(Type.String()) },
            closed,
          ),
        ),
      ),
      errors: Type.Optional(
        Type.Array(Type.Object({ code: Type.String(), http: Type.Integer(), rpc: Type.Integer() }, closed)),
      ),
    },
    closedAs('Help'),
  ),
  effect: 'read',
  level: 'light',
  access: { scope: 'authenticated', in: 'deployment' },
  http: { method: 'GET', path: '/v1/help' },
  uses: { deployment: Deployment, registry: RegistryView },
  async handler({ action }, { deployment, registry }, call) {
    const service = { server: deployment.name, version: deployment.version };
    switch (action) {
      case 'version':
        return service;
      case 'tools': {
        const tools = registry.list(call).map(({ name, title, effect }) => ({ name, title, effect }));
        return { ...service, tools };
      }
      case 'toolsets': {
        const toolsets = registry.toolsets.map(({ id, description }) => ({
          id,
          description,
          tools: registry.allowed.filter(({ info }) => info.toolset === id).map(({ info }) => info.name),
        }));
        return { ...service, toolsets };
      }
      case 'errors': {
        const errors = Object.entries(ERRORS).map(([code, { http, rpc }]) => ({
          code,
          http,
          rpc,
        }));
        return { ...service, errors };
      }
    }
  },
});
