import { Failure } from '../failure.js';

/** For `catch` of a call of the auth plugin's tools: says so where the deployment has none. Rethrows everything else. */
export function explainWithoutAccounts(thrown: unknown): never {
  if (!(thrown instanceof Failure) || thrown.code !== 'UNKNOWN_TOOL') throw thrown;
  throw new Failure(
    'This deployment keeps no accounts and no keys: it has one local owner, who needs none.',
    {
      code: thrown.code,
      next: 'Name @service-mcp/plugin-auth among the plugins of its deployment file (--config), as deploy/hosted.json does.',
      cause: thrown,
    },
  );
}
