import { Clock, closed, defineTool, closedAs } from '@service-mcp/core';
import { redactedField } from '@service-mcp/plugin-secrets/contract';
import { WorkspaceId } from '@service-mcp/plugin-workspaces/contract';
import { Type } from 'typebox';
import { Duplicates } from '../answers.js';
import { MemoryEvent } from '../events.js';
import { newEvent, onDuplicate } from '../inputs.js';
import { eventLine, missingLine, redactedLine, storedText } from '../result-text.js';
import { checkSizes, utc } from '../schemas.js';
import { References } from '../services/code-refs.js';
import { MemoryWriter } from '../services/memory-writer.js';
import { Screening } from '../services/screening.js';

export const createEvent = defineTool({
  name: 'memory_create_event',
  title: 'Store a memory event',
  description:
    'Stores what happened or was learned: a note, decision, bug, lesson or conversation. Searchable within seconds. The reply names duplicates.',
  input: Type.Object(
    {
      workspace_id: WorkspaceId,
      ...newEvent,
      on_duplicate: onDuplicate('an event'),
    },
    closed,
  ),
  output: Type.Object(
    { ...MemoryEvent.properties, duplicates: Duplicates, ...redactedField },
    closedAs('NewMemoryEvent'),
  ),
  effect: 'create',
  level: 'light',
  access: { scope: 'memory:write', in: 'workspace' },
  http: { method: 'POST', path: '/v1/memory/events' },
  text: ({ redacted, ...event }) =>
    storedText('Stored', eventLine(event), event) + missingLine(event) + redactedLine(redacted),
  uses: { writer: MemoryWriter, references: References, screening: Screening, clock: Clock },
  async handler(
    { workspace_id: _workspace, on_duplicate, ...input },
    { writer, references, screening, clock },
    { caller },
  ) {
    checkSizes(input);
    const { values: screened, redacted } = screening.screen(input);
    const { project_id, session_id, occurred_at, code_refs, ...rest } = screened;
    const values = {
      ...rest,
      project_id: project_id ?? null,
      session_id: session_id ?? null,
      occurred_at: occurred_at === undefined ? clock.now().toISOString() : utc(occurred_at),
      code_refs: await references.check(project_id, code_refs),
      created_by: caller.userId,
    };
    return { ...(await writer.storeEvent(values, on_duplicate)), ...redacted };
  },
});
