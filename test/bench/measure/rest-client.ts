/** Calls a tool over its compatibility route; throws the error that the service returns. */
export async function callTool<T>(port: number, tool: string, args: object): Promise<T> {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/tools/${tool}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-service-toolset': 'complete' },
    body: JSON.stringify(args),
  });
  const body = (await response.json()) as { structuredContent: T; error?: { code: string; message: string } };
  if (body.error) throw new Error(`${tool}: ${body.error.code}: ${body.error.message}`);
  return body.structuredContent;
}

export interface IndexStatus {
  readonly state: string;
  readonly pending: number;
  readonly indexed: number;
  readonly failed: number;
}

/** Waits until nothing of the project is pending; throws after `limitMs`. */
export async function untilIndexed(port: number, projectId: string, limitMs: number): Promise<IndexStatus> {
  const until = Date.now() + limitMs;
  for (;;) {
    const status = await callTool<IndexStatus>(port, 'projects_index_status', { project_id: projectId });
    if (status.pending === 0 && status.indexed + status.failed > 0) return status;
    if (Date.now() > until) throw new Error(`indexing did not end: ${JSON.stringify(status)}`);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}
