import { isRecord, readJsonText, systemCode } from '@service-mcp/core/wire';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isThisMachine, keyAddress } from '../connection/address.js';
import { Failure, fileFailure } from '../failure.js';
import { printable } from '../terminal/format.js';
import { replaceJsonFile } from '../replace-file.js';

/** The project that a folder belongs to: all that is kept locally. */
export interface ProjectLink {
  /** The address of the service, where it was given and is not the default one. */
  readonly url?: string;
  readonly workspace_id: string;
  readonly project_id: string;
}

export const LINK_FILE = '.service-mcp.json';

/** The link kept in `folder`; undefined where there is none. Throws a Failure for a damaged file. */
export async function readLink(folder: string): Promise<ProjectLink | undefined> {
  const path = join(folder, LINK_FILE);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (thrown) {
    if (systemCode(thrown) === 'ENOENT') return undefined;
    throw fileFailure(path, 'read', 'Fix its permissions, or delete it.', thrown);
  }
  const value = readJsonText(text);
  const { url, workspace_id, project_id } = isRecord(value) ? value : {};
  if (
    typeof workspace_id === 'string' &&
    typeof project_id === 'string' &&
    (url === undefined || typeof url === 'string')
  )
    return { ...(url !== undefined && { url }), workspace_id, project_id };
  throw new Failure(`${path} is damaged: it must hold workspace_id and project_id.`, {
    next: 'Delete it and run ingest again (with --project ID to keep the project), or fix it.',
  });
}

/** The nearest link, in `folder` or a folder above it. One above that cannot be read is left out, and `warn` is told. */
export async function findLink(
  folder: string,
  warn: (line: string) => void,
): Promise<ProjectLink | undefined> {
  const leaveOut = (thrown: unknown) => {
    if (!(thrown instanceof Failure)) throw thrown;
    warn(thrown.line);
  };
  for (let at = folder; ; at = dirname(at)) {
    const link = await (at === folder ? readLink(at) : readLink(at).catch(leaveOut));
    if (link || dirname(at) === at) return link ?? undefined;
  }
}

/**
 * The link where it holds for a service (undefined: a deployment in this process), else undefined: the ids of one say
 * nothing at another. A link without an address holds on this machine. `say` is told of a link that is left out.
 */
export function linkFor(
  link: ProjectLink | undefined,
  url: string | undefined,
  say: (line: string) => void,
): ProjectLink | undefined {
  if (!link) return undefined;
  const holds =
    link.url === undefined
      ? url === undefined || isThisMachine(url)
      : url !== undefined && keyAddress(link.url) === keyAddress(url);
  if (holds) return link;
  const named = printable(link.url ?? 'this machine'); // a stranger may have written the file
  say(
    `${LINK_FILE} of this folder names a project at ${named}; it is not used ${url === undefined ? 'in this process' : `at ${url}`}.`,
  );
  return undefined;
}

export function writeLink(folder: string, link: ProjectLink): Promise<void> {
  return replaceJsonFile(join(folder, LINK_FILE), link);
}
