import type { Provider } from '@service-mcp/core';
import plugin from '@service-mcp/plugin-secrets';
import type { Secrets } from '@service-mcp/plugin-secrets/contract';

/** The service as the plugin declares it. */
type Policy = 'redact' | 'refuse' | 'keep';

export function openSecrets(
  policy: Policy = 'redact',
  file_policy: Policy = 'redact',
  file_rules: 'exact' | 'all' = 'exact',
): Secrets {
  const provider = plugin.services[0] as Provider;
  return provider.create({ config: { policy, file_policy, file_rules } } as never) as Secrets;
}
