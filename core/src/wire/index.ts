/**
 * The parts that transports of JSON-RPC and MCP share: pure mappings of tools, results and failures to MCP, and, from where
 * they live, the sessions, cancellations and stream counts of such transports.
 */
export * from '../call/cancellations.js';
export * from '../http/open-count.js';
export * from '../read-text.js';
export * from '../seal.js';
export * from '../sessions.js';
export * from '../time-limit.js';
export * from '../within.js';
export * from './json-fault.js';
export * from './json-text.js';
export * from './home-folder.js';
export * from './make-folder.js';
export * from './result.js';
export * from './rpc-schemas.js';
export * from './rpc.js';
export * from './schema-types.js';
export * from './server-capabilities.js';
export * from './service-address.js';
export * from './stream-check.js';
export * from './system-error.js';
export * from './tool-call.js';
export * from './tool-entry.js';
export * from './versions.js';
