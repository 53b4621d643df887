import type Provider from 'oidc-provider';
import type { KeyGeneration, SigningKeys } from './signing-keys.js';

/** Caches the authorization server of this process. */
export interface ProviderCache {
  /** The server with the current keys, which are checked periodically. */
  current(): Promise<Provider>;
}

/** `build` runs at the first request, when the addresses are known, and after each key change. */
export function createProviderCache(
  keys: SigningKeys,
  checkEveryMs: number,
  build: (keys: readonly KeyGeneration[]) => Promise<Provider>,
): ProviderCache {
  let provider: Provider | undefined;
  let builtKeys = '';
  let checkedAt = 0;
  let checking: Promise<Provider> | undefined;

  async function check(): Promise<Provider> {
    const current = await keys.current();
    const keyOrder = current.map(({ generation }) => generation).join();
    const checked = provider && keyOrder === builtKeys ? provider : await build(current);
    [provider, builtKeys, checkedAt] = [checked, keyOrder, performance.now()];
    return checked;
  }
  return {
    async current() {
      if (provider && performance.now() - checkedAt < checkEveryMs) return provider;
      checking ??= check().finally(() => {
        checking = undefined;
      });
      return checking;
    },
  };
}
