import { closed, defineTool } from '@service-mcp/core';
import { Type } from 'typebox';
import { nodeChanges } from '../inputs.js';
import { StoredKnowledgeNode, KnowledgeNodes } from '../nodes.js';
import { missingLine, nodeLine, redactedLine } from '../result-text.js';
import { IfUpdatedAt, NodeId, checkSizes, checkValidity, utc } from '../schemas.js';
import { checkUnchanged } from '../services/check-unchanged.js';
import { References } from '../services/code-refs.js';
import { Screening } from '../services/screening.js';

export const updateNode = defineTool({
  name: 'memory_update_node',
  title: 'Change a knowledge node',
  description:
    'Corrects fields of a knowledge node; the others stay, and the version before is kept. For knowledge that no longer holds, call memory_supersede_node instead.',
  input: Type.Object({ node_id: NodeId, ...nodeChanges, if_updated_at: IfUpdatedAt }, closed),
  output: StoredKnowledgeNode,
  effect: 'update',
  destructive: false,
  access: { scope: 'memory:write', in: { resource: 'node', id: 'node_id' } },
  http: { method: 'PATCH', path: '/v1/memory/nodes/:node_id' },
  text: ({ redacted, ...node }) => `Changed ${nodeLine(node)}${missingLine(node)}${redactedLine(redacted)}`,
  uses: { nodes: KnowledgeNodes, references: References, screening: Screening },
  async handler({ node_id, if_updated_at, ...changes }, { nodes, references, screening }) {
    checkSizes(changes);
    const { values, redacted } = screening.screen(changes);
    const { valid_from, valid_to, code_refs, ...input } = values;
    const { project_id } = await nodes.get(node_id);
    const checked = code_refs && (await references.check(project_id ?? undefined, code_refs));
    return nodes.change(async (own, sql) => {
      await checkUnchanged(sql, 'node', node_id, if_updated_at);
      const changed = {
        ...input,
        ...(valid_from !== undefined && { valid_from: utc(valid_from) }),
        ...(valid_to !== undefined && { valid_to: valid_to === '' ? null : utc(valid_to) }),
        ...(checked && { code_refs: checked }),
      };
      const node = await own.update(node_id, changed, 'memory.node.updated');
      // A node that was superseded before it began ends before it begins.
      if (valid_from !== undefined || valid_to !== undefined) checkValidity(node);
      return { ...node, ...redacted };
    });
  },
});
