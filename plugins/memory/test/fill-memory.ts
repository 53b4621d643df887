import type { TestHost } from '@service-mcp/core/testing';

export interface Stored {
  readonly id: string;
}

/** Memory of every kind: with versions, successors, edges, merges, tags, references and odd texts. */
export async function fillMemory(
  host: TestHost,
  workspace_id: string,
): Promise<{ nodes: string[]; project: string }> {
  const project = await host.use<Stored>('projects_create', { workspace_id, name: 'Lantern' });
  const add = (tool: string, args: object) => host.use<Stored>(tool, { workspace_id, ...args });
  const nodes: string[] = [];
  for (let n = 0; n < 6; n++) {
    await add('memory_create_event', {
      event_type: 'note',
      title: `Event ${n} \u2028 "quoted" 😀`,
      content: `What happened in ${n}:\n\ttabs, \\ and é\u0001.`,
      session_id: 's-1',
      tags: [`t${n}`, 'all'],
      metadata: { n, deep: { list: [1, null, 'x'] } },
      provenance: { repo: 'r', commit_sha: 'abc' },
      code_refs: [{ path: 'src/a.ts', symbol: 'A' }],
      occurred_at: `2025-01-0${n + 1}T00:00:00Z`,
      importance: 'high',
      project_id: project.id,
    });
    const node = await add('memory_create_node', {
      node_type: 'decision',
      title: `Decision ${n}`,
      content: `Use way ${n} for the ${'lamp '.repeat(n + 1)}.`,
      tags: ['way'],
      confidence: 0.25,
      valid_from: '2025-02-01T00:00:00Z',
      ...(nodes[0] && { relations: [{ relation_type: 'depends_on', target_id: nodes[0], weight: 0.5 }] }),
    });
    nodes.push(node.id);
  }
  const [first = '', second = '', third = ''] = nodes;
  await host.use('memory_update_node', { node_id: second, content: 'Changed once.' });
  await host.use('memory_update_node', { node_id: second, content: 'Changed twice.' });
  await host.use('memory_set_node_status', { node_id: third, status: 'disputed', reason: 'Doubt.' });
  await host.use('memory_supersede_node', { node_id: first, superseded_by: second, reason: 'Better.' });
  return { nodes, project: project.id };
}
