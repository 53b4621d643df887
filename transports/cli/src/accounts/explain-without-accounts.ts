import { isRefusal } from '../failure.js';

/** For `catch` of a call of the auth plugin's tools: explains a deployment without them. Rethrows everything else. */
export function explainWithoutAccounts(thrown: unknown): never {
  if (!isRefusal(thrown, 'UNKNOWN_TOOL')) throw thrown;
  throw thrown.with(
    {
      next: 'Name @service-mcp/plugin-auth among the plugins of its deployment file (--config), as deploy/hosted.json does.',
    },
    'This deployment keeps no accounts and no keys: it has one local owner, who needs none.',
  );
}
