/** A key and where it was found, for messages. */
export interface Credential {
  readonly key: string;
  readonly source: string;
}

/** The API key to send; undefined where there is none: a single-owner service needs none. */
export function findCredential(env: NodeJS.ProcessEnv): Credential | undefined {
  const key = env['SERVICE_API_KEY']?.trim();
  return key ? { key, source: 'SERVICE_API_KEY' } : undefined;
}
