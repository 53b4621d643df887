import { parseInThread } from '@service-mcp/plugin-syntax/contract/thread';
import type { SourceFile } from '@service-mcp/plugin-graph/internals';

const LIMITS = { timeLimitMs: 20_000, maxBytes: 4 * 1024 * 1024, parseCode: true };

/** A text as the resolver reads it. */
export async function sourceFile(path: string, text: string): Promise<SourceFile> {
  const { structure } = await parseInThread({ path, text, code: true }, LIMITS);
  const { language, symbols, complete, code } = structure;
  return { path, language, symbols, complete, ...(code && { code }) };
}
