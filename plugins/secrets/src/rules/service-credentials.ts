import { findCredentials } from '@service-mcp/plugin-auth/contract';
import type { Rule } from './rule.js';

/** API keys and tokens of this service. */
export const SERVICE_CREDENTIALS: Rule = {
  id: 'service-credential',
  find: (text) => (text.includes('svc_') ? findCredentials(text) : []),
};
