import type { Seal } from '@service-mcp/core/wire';

/** States that one connection keeps; when it is full, the oldest is dropped. */
const MAX_STATES = 1000;

/** Keeps the states of one connection in memory and gives the client an unguessable name for each. */
export function connectionSeal(): Seal {
  const states = new Map<string, { readonly text: string; readonly about: string }>();
  return {
    seal(text, about) {
      const name = crypto.randomUUID();
      states.set(name, { text, about });
      const [oldest] = states.size > MAX_STATES ? states.keys() : [];
      if (oldest !== undefined) states.delete(oldest);
      return name;
    },
    open(sealed, about) {
      const state = states.get(sealed);
      return state?.about === about ? state.text : undefined;
    },
  };
}
