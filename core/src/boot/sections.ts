import type { Config } from '../plugin.js';
import type { Instance } from '../call/container.js';
import type { LoadedDeployment } from './load.js';

/** The values of every section of a deployment, under the tokens by which plugins find them. */
export function sectionInstances(loaded: LoadedDeployment): Instance[] {
  return [...loaded.sections].map(([section, value]: [Config, unknown]) => ({
    target: section.token,
    value,
  }));
}
