import type { Provider } from '@service-mcp/core';
import plugin from '@service-mcp/plugin-secrets';
import type { Secrets } from '@service-mcp/plugin-secrets/contract';

/** The service as the plugin declares it. */
export function openSecrets(policy: 'redact' | 'refuse' | 'keep' = 'redact'): Secrets {
  const provider = plugin.services[0] as Provider;
  return provider.create({ config: { policy } } as never) as Secrets;
}
