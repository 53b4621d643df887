import { Type } from 'typebox';
import { LocalCatalog, RegistryView, closed } from '@service-mcp/core';
import { AnyResult, Arguments, ToolName } from '../schemas.js';

/** What the two tools that call other tools have in common. */
export const callTool = {
  input: Type.Object({ name: ToolName, arguments: Arguments }, closed),
  output: Type.Object({ result: AnyResult }, closed),
  level: 'optional',
  access: { scope: 'authenticated', in: 'self' },
  surfaces: ['mcp', 'rpc', 'cli'],
  openWorld: true,
  rawText: ['arguments'],
  uses: { catalog: LocalCatalog, registry: RegistryView },
} as const;
