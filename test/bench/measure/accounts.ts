import { callTool } from './rest-client.js';

/** Sections of a hosted deployment for a benchmark: its first account can be made, and rates do not end it. */
export const HOSTED = {
  auth: { setup_token: 'a set-up token of the benchmarks' },
  limits: { read_per_minute: 0, write_per_minute: 0, open_per_minute: 0 },
} as const;

/** A tenant of a hosted deployment, with a workspace and a project of its own. */
export interface Tenant {
  readonly credential: Readonly<Record<string, string>>;
  readonly workspace_id: string;
  readonly project_id: string;
}

/** `isFirst`: nobody has an account yet. */
export async function createTenant(port: number, name: string, isFirst: boolean): Promise<Tenant> {
  const response = await fetch(`http://127.0.0.1:${port}/v1/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      email: `${name}@example.com`,
      password: `${name} of the benchmarks`,
      ...(isFirst && HOSTED.auth),
    }),
  });
  const { data, error } = (await response.json()) as {
    data?: { access_token: string };
    error?: { message: string };
  };
  if (!data) throw new Error(`the account ${name} was not made: ${error?.message ?? response.status}`);
  const credential = { authorization: `Bearer ${data.access_token}` };
  const { id: workspace_id } = await callTool<{ id: string }>(
    port,
    'workspaces_create',
    { name },
    credential,
  );
  const { id: project_id } = await callTool<{ id: string }>(
    port,
    'projects_create',
    { workspace_id, name },
    credential,
  );
  return { credential, workspace_id, project_id };
}
