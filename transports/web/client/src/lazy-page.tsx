import { lazy, type ComponentType, type LazyExoticComponent } from 'react';
import { APP } from './api/deployment.js';
import { readStored, writeStored } from './api/browser-storage.js';

const RETRY_MS = 1_000;
/** Where loading the document again did not help so recently, it will not help now. */
const REPEATED_MS = 30_000;
const RELOADED = 'service-mcp-reloaded';

/**
 * A page whose code is loaded when it is opened first. Where that fails, the service is away, or another version that
 * lacks the file: the document is loaded again as soon as the service answers. A browser may remember that a module
 * failed, so that only a new document asks for it.
 */
export function lazyPage(load: () => Promise<ComponentType>): LazyExoticComponent<ComponentType> {
  return lazy(async () => {
    try {
      return { default: await load() };
    } catch (error) {
      await answered();
      const now = Date.now();
      if (now - Number(readStored('sessionStorage', RELOADED) ?? 0) < REPEATED_MS) throw error;
      if (!writeStored('sessionStorage', RELOADED, String(now))) throw error; // it would load again without end
      location.reload();
      return new Promise<never>(() => undefined); // until the new document takes the place of this one
    }
  });
}

/** Resolves when the service serves the dashboard. */
async function answered(): Promise<void> {
  for (;;) {
    const response = await fetch(APP, { cache: 'no-store' }).catch(() => undefined);
    if (response?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}
