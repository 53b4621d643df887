import type { Connection } from '../connection/connection.js';

/** The page shape of interface.md 2. */
interface Page<T> {
  readonly items: readonly T[];
  readonly has_next: boolean;
}

/** Every item of a paged tool, 100 at a time. */
export async function* pages<T>(
  connection: Connection,
  tool: string,
  args: object,
  signal: AbortSignal,
): AsyncGenerator<T> {
  for (let page = 1; ; page += 1) {
    const reply = await connection.call(tool, { ...args, page, per_page: 100 }, { signal, repeatable: true });
    const { items, has_next } = reply as unknown as Page<T>; // the shape that the tool declares
    yield* items;
    if (!has_next) return;
  }
}

/** The SHA-256 of every file that the project holds, by path: what makes an ingest resumable. */
export async function remoteFiles(
  connection: Connection,
  projectId: string,
  signal: AbortSignal,
): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  const listed = pages<{ path: string; sha256: string }>(
    connection,
    'files_list',
    { project_id: projectId },
    signal,
  );
  for await (const { path, sha256 } of listed) files.set(path, sha256);
  return files;
}

/** Half of what the tool takes: long paths in a script of three bytes a letter still fit its body limit. */
const DELETE_AT_ONCE = 250;

/** Deletes files of the project by path; resolves to how many were there. */
export async function removeFiles(
  connection: Connection,
  projectId: string,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<number> {
  let removed = 0;
  for (let i = 0; i < paths.length; i += DELETE_AT_ONCE) {
    const args = { project_id: projectId, paths: paths.slice(i, i + DELETE_AT_ONCE) };
    const reply = await connection.call('files_delete', args, { signal, repeatable: true });
    removed += Number(reply['removed']);
  }
  return removed;
}
