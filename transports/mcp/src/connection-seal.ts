import type { Seal } from '@service-mcp/core/wire';

/** States that one connection has out at most; the oldest gives way. */
const MOST = 1000;

/** Keeps the states of one connection here and gives the client a name for each, which nobody can guess. */
export function connectionSeal(): Seal {
  const kept = new Map<string, { readonly text: string; readonly about: string }>();
  return {
    seal(text, about) {
      const name = crypto.randomUUID();
      kept.set(name, { text, about });
      const [oldest] = kept.size > MOST ? kept.keys() : [];
      if (oldest !== undefined) kept.delete(oldest);
      return name;
    },
    open(sealed, about) {
      const state = kept.get(sealed);
      return state?.about === about ? state.text : undefined;
    },
  };
}
