import { parseLines, type Caller } from '@service-mcp/core';
import type { TestHost } from '@service-mcp/core/testing';

export interface Imported {
  readonly imported: number;
  readonly skipped: number;
  readonly failed: number;
  readonly redacted: number;
  readonly errors: ReadonlyArray<{ readonly line: number; readonly message: string }>;
}
export type Exported = { readonly record: string; readonly [field: string]: unknown };

/** Imports texts, each a line, or objects; pieces are cut anywhere. */
export function importLines(
  host: TestHost,
  args: { workspace_id: string; format?: string; project_id?: string },
  lines: Iterable<string | object>,
  as?: Caller,
): Promise<Imported> {
  async function* chunks() {
    for (const line of lines) {
      const bytes = Buffer.from(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`);
      yield bytes.subarray(0, 5);
      yield bytes.subarray(5);
    }
  }
  return host.use<Imported>('memory_import', args, {
    surface: 'rest',
    lines: parseLines(chunks()),
    ...(as && { as }),
  });
}

/** The lines of an export, without the last one, which must count them. */
export async function exportLines(host: TestHost, workspace_id: string, as?: Caller): Promise<Exported[]> {
  const lines: Exported[] = [];
  const send = async (line: object) => void lines.push(JSON.parse(JSON.stringify(line)) as Exported);
  const end = await host.use(
    'memory_export',
    { workspace_id },
    {
      surface: 'rest',
      send,
      ...(as && { as }),
    },
  );
  const count = (record: string) => lines.filter((line) => line.record === record).length;
  const counted = { record: 'end', events: count('event'), nodes: count('node') };
  const expected = { ...counted, versions: count('version'), edges: count('edge') };
  if (JSON.stringify(end) !== JSON.stringify(expected))
    throw new Error(`the last line ${JSON.stringify(end)} does not count ${JSON.stringify(expected)}`);
  return lines;
}

/** Lines with each id replaced by the place where it was first met, for comparison with those of another workspace. */
export function comparable(lines: readonly Exported[]): string[] {
  const names = new Map<string, string>();
  const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g;
  return lines.map((line) =>
    JSON.stringify(line).replaceAll(uuid, (id) => {
      if (id.startsWith('00000000-0000-7000-8000')) return id; // a user
      if (!names.has(id)) names.set(id, `id ${names.size}`);
      return String(names.get(id));
    }),
  );
}
