import { token } from './token.js';

/** Seals text for a client to keep: it can neither read nor change it. The same on every replica. */
export interface Seal {
  /** `about` binds the text to a purpose, such as a caller and a tool; it is not in the result. */
  seal(text: string, about: string): string;
  /** Undefined for a text that was changed, or sealed for another purpose. */
  open(sealed: string, about: string): string | undefined;
}
export const Seal = token<Seal>('core.Seal');
