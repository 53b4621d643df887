import { mcpTransport } from './transport.js';

export { MAX_RESULT_TOKENS } from './result-limit/limit-result.js';
export { serveMcpStdio, type StdioConnection, type StdioOptions } from './stdio.js';
export { mcpTransport } from './transport.js';

export default mcpTransport();
