import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { JsonSchema } from '@service-mcp/core';
import type { Ending, Server } from '../../clients/support/client.js';
import { installPackages } from '../clients/install.js';

export type HttpServer = Extract<Server, { kind: 'http' }>;

/** A tool as the framework describes it to a model. */
export interface Definition {
  readonly name: string;
  readonly parameters: JsonSchema;
}

/** The tools of one server, converted to those of the framework. */
export interface FrameworkTools {
  readonly definitions: readonly Definition[];
  /** Calls a tool as the framework does for a model. */
  readonly call: (tool: string, args: Readonly<Record<string, unknown>>) => Promise<Answered>;
  readonly close: () => Promise<void>;
}
type Answered = Exclude<Ending, { kind: 'refusal' }>;

/** A framework for agents that takes tools from an MCP server over streamable HTTP. */
export interface Framework {
  readonly name: string;
  /** What a model reads about a wrong argument, and a person about a refused credential. */
  readonly says: { readonly wrongArgument: RegExp; readonly refused: RegExp };
  /** Rejects where the server refuses the credential. */
  open(server: HttpServer): Promise<FrameworkTools>;
}

/** With their peers. The repository does not depend on them. */
const PACKAGES = [
  '@langchain/mcp-adapters@1.1.4',
  '@langchain/core@1.4.0',
  '@langchain/langgraph@1.7.3',
  '@mastra/mcp@2.0.0',
  '@mastra/core@1.71.0',
  '@openai/agents@0.20.0',
  'zod@4.6.7',
];

/** Loads a module of the installed frameworks, which report to nobody. */
export async function load(specifier: string): Promise<unknown> {
  process.env['MASTRA_TELEMETRY_DISABLED'] = '1';
  process.env['OPENAI_AGENTS_DISABLE_TRACING'] = '1';
  process.env['LANGSMITH_TRACING'] = 'false';
  return createRequire(join(await installPackages(PACKAGES), 'package.json'))(specifier) as unknown;
}
