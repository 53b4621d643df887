import { randomBytes } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Failure, systemCode } from '../failure.js';

/** Which project a folder belongs to: all that is kept locally. */
export interface Identity {
  /** The address of the service, where it was given and is not the default one. */
  readonly url?: string;
  readonly workspace_id: string;
  readonly project_id: string;
}

export const IDENTITY_FILE = '.service-mcp.json';

/** The identity kept in `folder`; undefined where there is none. Throws a Failure for a damaged file. */
export async function readIdentity(folder: string): Promise<Identity | undefined> {
  const path = join(folder, IDENTITY_FILE);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (thrown) {
    if (systemCode(thrown) === 'ENOENT') return undefined;
    throw new Failure(`${path} cannot be read (${systemCode(thrown) ?? 'unknown error'}).`, {
      next: 'Mend its permissions, or delete it.',
      cause: thrown,
    });
  }
  const identity = parse(text);
  if (identity) return identity;
  throw new Failure(`${path} is damaged: it must hold workspace_id and project_id.`, {
    next: 'Delete it and run ingest again (with --project ID to keep the project), or mend it.',
  });
}

/** The nearest identity, in `folder` or a folder above it. */
export async function findIdentity(folder: string): Promise<Identity | undefined> {
  for (let at = folder; ; at = dirname(at)) {
    const identity = await readIdentity(at);
    if (identity || dirname(at) === at) return identity;
  }
}

/** Writes the identity in one step: a crash leaves the old file or the new one, never half of one. */
export async function writeIdentity(folder: string, identity: Identity): Promise<void> {
  const path = join(folder, IDENTITY_FILE);
  const draft = `${path}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    await writeFile(draft, `${JSON.stringify(identity, null, 2)}\n`, { flush: true });
    await rename(draft, path);
  } catch (thrown) {
    await rm(draft, { force: true });
    throw thrown;
  }
}

function parse(text: string): Identity | undefined {
  try {
    const value = JSON.parse(text) as Partial<Record<keyof Identity, unknown>> | null;
    const { url, workspace_id, project_id } = value ?? {};
    if (typeof workspace_id !== 'string' || typeof project_id !== 'string') return undefined;
    if (url !== undefined && typeof url !== 'string') return undefined;
    return { ...(url !== undefined && { url }), workspace_id, project_id };
  } catch {
    return undefined;
  }
}
