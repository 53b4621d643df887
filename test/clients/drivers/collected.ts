/** Keeps what a started server writes to standard error, as complaints. */
export function collected(
  stream: { on(event: 'data', listener: (chunk: unknown) => void): unknown } | null,
  into: string[],
): void {
  stream?.on('data', (chunk) => into.push(String(chunk)));
}
