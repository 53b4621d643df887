import type { SourceSymbol } from '../contract.js';

/** Hidden by the modifier `private`. */
export function isPrivate({ signature }: SourceSymbol): boolean {
  return /^[^(={]*\bprivate\b/.test(signature);
}
