import { Type } from 'typebox';
import { Deployment, ERRORS, RegistryView, closed, defineTool } from '@service-mcp/core';

const ACTIONS = ['version', 'tools', 'toolsets', 'errors'] as const;

export const help = defineTool({
  name: 'help',
  title: 'Help',
  description:
    'Tells about this service: its version, the tools you may use, the toolsets to ask for, and what each error code means.',
  input: Type.Object(
    { action: Type.Enum([...ACTIONS], { default: 'tools', description: 'What to tell about' }) },
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
    closed,
  ),
  effect: 'read',
  level: 'light',
  access: { scope: 'authenticated', in: 'deployment' },
  http: { method: 'GET', path: '/v1/help' },
  uses: { deployment: Deployment, registry: RegistryView },
  async handler({ action }, { deployment, registry }, call) {
    const about = { server: deployment.name, version: deployment.version };
    switch (action) {
      case 'version':
        return about;
      case 'tools': {
        const tools = registry.list(call).map(({ name, title, effect }) => ({ name, title, effect }));
        return { ...about, tools };
      }
      case 'toolsets': {
        const toolsets = registry.toolsets.map(({ id, description }) => ({
          id,
          description,
          tools: registry.allowed.filter(({ info }) => info.toolset === id).map(({ info }) => info.name),
        }));
        return { ...about, toolsets };
      }
      case 'errors': {
        const errors = Object.entries(ERRORS).map(([code, { http, rpc }]) => ({
          code,
          http,
          rpc,
        }));
        return { ...about, errors };
      }
    }
  },
});
