import { pages, type Connection } from '../connection/connection.js';

/** The SHA-256 of every file that the project holds, by path: an ingest resumes by comparing with it. */
export async function listHashes(
  connection: Connection,
  projectId: string,
  signal: AbortSignal,
): Promise<Map<string, string>> {
  const hashes = new Map<string, string>();
  const files = pages(connection, 'files_list', { project_id: projectId }, signal);
  for await (const { path, sha256 } of files) hashes.set(path, sha256);
  return hashes;
}

/** Half of what the tool takes: long paths of three bytes a letter still fit its body limit. */
const DELETE_AT_ONCE = 250;

/** Deletes files of the project by path; resolves to how many existed. */
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
    removed += reply.removed;
  }
  return removed;
}
