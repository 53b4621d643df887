import { commandLine } from './command-line.js';
import { compatibility } from './compatibility.js';
import type { SurfaceDriver } from './driver.js';
import { jsonRpc } from './json-rpc.js';
import { mcpLegacy } from './mcp-legacy.js';
import { mcpModern, mcpPinned } from './mcp-modern.js';
import { mcpStdio } from './mcp-stdio.js';
import { rest } from './rest.js';
import { throughGateway } from './through-gateway.js';

export type { Driver, Failure, Outcome, SurfaceDriver } from './driver.js';
export { inProcess } from './in-process.js';

/** Every surface except `inProcess`, the baseline of the comparison. */
export const SURFACES: readonly SurfaceDriver[] = [
  mcpLegacy,
  mcpModern,
  mcpPinned,
  mcpStdio,
  jsonRpc,
  compatibility,
  rest,
  commandLine,
];

/** The surfaces of a gateway before the service. */
export const GATEWAY_SURFACES: readonly SurfaceDriver[] = [mcpLegacy, mcpPinned, jsonRpc, compatibility].map(
  throughGateway,
);
