import type Provider from 'oidc-provider';
import type { KeyGeneration, SigningKeyStore } from './signing-keys.js';

/** The authorization server of this process. */
export interface MountedProvider {
  /** With the keys of now: they are looked at again every so often, and a change puts a new server in place. */
  current(): Promise<Provider>;
}

/** `build` runs at the first request, when the addresses are known, and whenever the keys have changed. */
export function createMountedProvider(
  keys: SigningKeyStore,
  checkEveryMs: number,
  build: (keys: readonly KeyGeneration[]) => Promise<Provider>,
): MountedProvider {
  let provider: Provider | undefined;
  let builtOf = '';
  let checkedAt = 0;
  let checking: Promise<Provider> | undefined;

  async function check(): Promise<Provider> {
    const current = await keys.current();
    const order = current.map(({ generation }) => generation).join();
    const mounted = provider && order === builtOf ? provider : await build(current);
    [provider, builtOf, checkedAt] = [mounted, order, Date.now()];
    return mounted;
  }
  return {
    async current() {
      if (provider && Date.now() - checkedAt < checkEveryMs) return provider;
      checking ??= check().finally(() => {
        checking = undefined;
      });
      return checking;
    },
  };
}
