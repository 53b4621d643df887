import { readFile } from 'node:fs/promises';
import { HOSTED_DEPLOYMENT, startService, type Service } from '../../start-service.js';

/** A service with accounts, with all plugins of the built-in deployment, and the key of its first owner. */
export async function startDeployment(sections: object = {}): Promise<Service & { readonly key: string }> {
  const packages = JSON.parse(await readFile(HOSTED_DEPLOYMENT, 'utf8')) as object;
  const service = await startService({ ...packages, search: { training: false }, ...sections });
  const made = await service.host.firstRun?.prepare();
  if (made === undefined) throw new Error('the deployment has no first run');
  return { ...service, key: made.key };
}
