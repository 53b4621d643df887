import { provide, token } from '@service-mcp/core';
import { openTokenizer, type Tokenizer } from '../packing/tokenizer.js';

/** The tokenizer of this process, loaded by its first use. */
export interface Tokenizers {
  open(): Promise<Tokenizer>;
}
export const Tokenizers = token<Tokenizers>('ai.Tokenizers');

export const tokenizers = provide(Tokenizers, {
  uses: {},
  create(): Tokenizers {
    let opening: Promise<Tokenizer> | undefined;
    return { open: () => (opening ??= openTokenizer()) };
  },
});
