/** A name that somebody else chose, as it may be shown: without controls that would turn the text around it, and short. */
export function plainName(name: string): string {
  const plain = name.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '').trim();
  return plain.length > 80 ? `${plain.slice(0, 79)}…` : plain || 'An application without a name';
}
