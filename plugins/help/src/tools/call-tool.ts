import { Type } from 'typebox';
import { LocalCatalog, RegistryView, closed } from '@service-mcp/core';
import { AnyResult, Arguments, ToolName } from '../schemas.js';
import { metaTool } from '../meta-tool.js';

/** The parts that both tools that call other tools share. */
export const callTool = {
  ...metaTool,
  input: Type.Object({ name: ToolName, arguments: Arguments }, closed),
  output: Type.Object({ result: AnyResult }, closed),
  openWorld: true,
  rawText: ['arguments'],
  uses: { catalog: LocalCatalog, registry: RegistryView },
} as const;
