import {
  RegistryView,
  definePrompt,
  holdsScope,
  invalidArgument,
  type AdmittedCall,
} from '@service-mcp/core';
import { placeOf, projectOf, stepsFor, userMessage } from '@service-mcp/plugin-search/contract';
import { ProjectDirectory } from '@service-mcp/plugin-workspaces/contract';
import { MemoryEvents } from '../events.js';
import { eventLine } from '../result-text.js';
import { Sessions } from '../services/sessions.js';

const MAX_ID_LENGTH = 200;
const MAX_CANDIDATES = 100;
const MAX_EVENTS = 20;

const STEPS: readonly string[] = [
  'Call memory_list_events with the session_id for what was stored in it.',
  'Read with memory_get_event what is unclear.',
  'Call memory_decisions for the decisions that were made meanwhile.',
  'Record a decision of this session that is missing there with memory_create_node, node_type "decision".',
  'Call memory_create_event with event_type "session_snapshot" and the session_id, if there is one. Title: the task and how far it is. Content: the goal; what is done, and how it was checked; the state of files, branches and anything that runs; decisions, by id; what was tried and did not work; open questions; the next steps in order, the first so that it can be started at once. Set code_refs to the files.',
  'Leave out keys, tokens and passwords: say where they are kept.',
  'Then give me the id, and the message that the next session starts with.',
];

export const handOverSession = definePrompt({
  name: 'hand_over_session',
  title: 'Hand over a session',
  description: 'Stores the state of a session, so that the next one goes on without asking.',
  arguments: [
    { name: 'session_id', description: 'The session; default: this conversation', required: false },
    { name: 'project_id', description: 'Project id (from projects_list)', required: false },
  ],
  access: { scope: 'memory:write', in: 'visible' },
  uses: { projects: ProjectDirectory, events: MemoryEvents, sessions: Sessions, registry: RegistryView },
  async render(args, { projects, events, registry }, call) {
    const { session_id = '' } = args;
    if (session_id.length > MAX_ID_LENGTH || session_id.includes('\0') || !session_id.isWellFormed())
      throw invalidArgument('/session_id', `must be a session id of at most ${MAX_ID_LENGTH} characters`);
    const project = await projectOf(args, projects, call);
    const page = { page: 1, per_page: MAX_EVENTS };
    const where = { session_id, project_id: project?.id };
    const isShown = session_id !== '' && mayRead(call);
    const [newest] = isShown ? (await events.list({ ...page, per_page: 1 }, where)).items : [];
    // Workspaces of one person may have sessions of one name.
    const workspace_id = newest?.workspace_id;
    const found = newest ? await events.list(page, { ...where, workspace_id }) : { items: [], total: 0 };
    const more = found.total > MAX_EVENTS ? [`- and ${found.total - MAX_EVENTS} before them`] : [];
    const lines = [...found.items.map((event) => `- ${eventLine(event)}`), ...more];
    return userMessage(
      'Hand this session over: store its state, so that the next one can go on.',
      session_id === '' ? '' : `Its session_id is ${JSON.stringify(session_id)}.`,
      placeOf(project),
      lines.length === 0
        ? ''
        : `Its events in the workspace with workspace_id ${workspace_id}, the newest first:\n${lines.join('\n')}`,
      stepsFor(STEPS, registry, call),
    );
  },
  async complete(_session, value, { sessions }, call, { project_id = '' }) {
    if (!mayRead(call)) return [];
    const { workspaceIds } = call.admission;
    const where = { workspaceIds, projectId: project_id === '' ? undefined : project_id };
    return sessions.startingWith(value, where, MAX_CANDIDATES);
  },
});

/** The prompt is for who may write; what is stored is for who may read. */
const mayRead = ({ caller }: AdmittedCall) => holdsScope(caller, 'memory:read');
