import { mcpTransport } from './transport.js';

export { DrainingStdio } from './draining-stdio.js';
export { MAX_RESULT_TOKENS } from './result-limit/limit-result.js';
export { lineFault, serveMcpStdio, type StdioConnection, type StdioOptions } from './stdio.js';
export { mcpTransport } from './transport.js';

export default mcpTransport();
