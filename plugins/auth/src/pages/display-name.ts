/** An untrusted name for display: shortened, and without control characters, which could reorder the text around it. */
export function displayName(name: string): string {
  const plain = name.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '').trim();
  return plain.length > 80 ? `${plain.slice(0, 79)}…` : plain || 'An application without a name';
}
