/** Seals text for a client to keep: it can neither read nor change it. The same on every replica. */
export interface Seal {
  /** `about` is what the text may be opened for, such as a caller and a tool; it is not in the result. */
  seal(text: string, about: string): string;
  /** Undefined for what was changed, or sealed for something else. */
  open(sealed: string, about: string): string | undefined;
}
