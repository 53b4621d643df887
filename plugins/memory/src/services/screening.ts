import { provide, token } from '@service-mcp/core';
import { Secrets, type Redaction } from '@service-mcp/plugin-secrets/contract';

/** Takes secrets out of what is about to be stored, or refuses it: see `Secrets.screen`. */
export interface Screening {
  /** `redacted` goes into the output: it is absent where nothing was taken out. */
  screen<T extends object>(input: T): { values: T; redacted: { redacted?: Redaction[] } };
}
export const Screening = token<Screening>('memory.Screening');

export const screening = provide(Screening, {
  uses: { secrets: Secrets },
  create: ({ secrets }): Screening => ({
    screen(input) {
      const { value, redacted } = secrets.screen(input);
      if (redacted.length === 0) return { values: value, redacted: {} };
      return { values: withUniqueTags(value), redacted: { redacted: [...redacted] } };
    },
  }),
});

/** Two tags that were secrets are one now. */
function withUniqueTags<T extends object>(input: T): T {
  if (!('tags' in input) || !Array.isArray(input.tags)) return input;
  return { ...input, tags: [...new Set(input.tags)] };
}
