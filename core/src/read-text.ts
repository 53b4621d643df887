/** A body as text. Throws for one of more than `limit` bytes, whose rest is cancelled. */
export async function readText(body: AsyncIterable<Uint8Array> | null, limit: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body ?? []) {
    bytes += part.length;
    if (bytes > limit) throw new Error('the document is too large');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
