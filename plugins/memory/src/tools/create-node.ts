import { Clock, closed, defineTool, closedAs } from '@service-mcp/core';
import { redactedField } from '@service-mcp/plugin-secrets/contract';
import { WorkspaceId } from '@service-mcp/plugin-workspaces/contract';
import { Type } from 'typebox';
import { Contradictions, Duplicates } from '../answers.js';
import { newNode, onDuplicate } from '../inputs.js';
import { KnowledgeNode } from '../nodes.js';
import { contradictedLine, missingLine, nodeLine, redactedLine, storedText } from '../result-text.js';
import { checkSizes, checkValidity, utc } from '../schemas.js';
import { References } from '../services/code-refs.js';
import { MemoryWriter } from '../services/memory-writer.js';
import { Screening } from '../services/screening.js';

export const createNode = defineTool({
  name: 'memory_create_node',
  title: 'Create a knowledge node',
  description:
    'Records lasting knowledge: a fact, decision, preference, constraint, lesson, goal or risk, with the time in which it is true. The reply names duplicates and contradictions.',
  input: Type.Object({ workspace_id: WorkspaceId, ...newNode, on_duplicate: onDuplicate('a node') }, closed),
  output: Type.Object(
    {
      ...KnowledgeNode.properties,
      duplicates: Duplicates,
      contradictions: Contradictions,
      ...redactedField,
    },
    closedAs('NewKnowledgeNode'),
  ),
  effect: 'create',
  level: 'standard',
  access: { scope: 'memory:write', in: 'workspace' },
  http: { method: 'POST', path: '/v1/memory/nodes' },
  text: ({ redacted, ...node }) =>
    storedText('Created', nodeLine(node), node) +
    contradictedLine(node) +
    missingLine(node) +
    redactedLine(redacted),
  uses: { writer: MemoryWriter, references: References, screening: Screening, clock: Clock },
  async handler(
    { workspace_id: _workspace, on_duplicate, relations, ...input },
    { writer, references, screening, clock },
    { caller },
  ) {
    checkSizes(input);
    const { values: screened, redacted } = screening.screen(input);
    const { project_id, valid_from, valid_to, code_refs, ...rest } = screened;
    const values = {
      ...rest,
      project_id: project_id ?? null,
      valid_from: valid_from === undefined ? clock.now().toISOString() : utc(valid_from),
      valid_to: valid_to === undefined ? null : utc(valid_to),
      supersedes: null,
      superseded_by: null,
      code_refs: await references.check(project_id, code_refs),
      created_by: caller.userId,
    };
    checkValidity(values);
    return { ...(await writer.storeNode(values, on_duplicate, relations)), ...redacted };
  },
});
