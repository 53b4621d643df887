import { parseInThread, type Code, type SourceSymbol } from '@service-mcp/plugin-syntax/contract';

const LIMITS = { timeLimitMs: 20_000, maxBytes: 4 * 1024 * 1024, parseCode: true };

/** The code of a text, without places: tests compare the rest whole. */
export async function lowerText(
  path: string,
  text: string,
): Promise<Code & { symbols: readonly SourceSymbol[] }> {
  const { structure } = await parseInThread({ path, text, code: true }, LIMITS);
  const plain = JSON.stringify(structure.code, (key, value: unknown) =>
    key === 'start' || key === 'line' ? undefined : value,
  );
  return { ...(JSON.parse(plain) as Code), symbols: structure.symbols };
}
