/**
 * How tools, results and failures read in MCP's words: what every transport that speaks JSON-RPC shares.
 * Pure mappings, plus the sessions that such transports hand out.
 */
export * from './cancellations.js';
export * from './instructions.js';
export * from './open-count.js';
export * from './result.js';
export * from './rpc.js';
export * from './seal.js';
export * from './sessions.js';
export * from './sessions-in-memory.js';
export * from './tool-entry.js';
