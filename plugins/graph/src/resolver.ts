import { isManifest } from './resolve/manifests.js';
import type { Resolver } from './services/providers.js';

/** The resolver of `resolve/`. */
export const RESOLVER: Resolver = {
  worker: new URL('./services/thread/run-tasks.js', import.meta.url),
  isManifest,
};
