import { Type, type Static } from 'typebox';
import { redactedField } from '@service-mcp/plugin-secrets/contract';
import {
  Id,
  IndexingStatusFilter,
  Page,
  ROLES,
  Timestamp,
  closed,
  nullable,
  closedAs,
} from '@service-mcp/core';

export const ProjectId = Id('Project', 'projects_list');

export const Name = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '\\S',
  description: 'Name, 1 to 200 characters',
});
const description = { maxLength: 10_000, description: 'What it is for' };
export const Description = Type.String({ ...description, default: '' });
export const NewDescription = Type.Optional(Type.String(description));
export const RepositoryUrl = Type.String({
  maxLength: 2000,
  description: 'Address of its repository; empty: none',
});
export const FilePath = Type.String({
  minLength: 1,
  maxLength: 1024,
  description: 'Path in the project',
});
/** The key of a member; a pending membership has no user yet, and its own id instead. */
export const MemberId = Id('User id of a member, or membership', 'members_list');
export const PendingId = Id('Pending membership', 'members_list_invitations');
export const Email = Type.String({
  maxLength: 254,
  pattern: '^[^\\s@]+@[^\\s@]+$',
  description: 'E-mail address',
});
export const MemberRole = Type.Enum([...ROLES], {
  description: 'viewer reads, member writes, admin manages members and projects, owner may do everything',
});
const IndexState = Type.Enum(['not_indexed', 'empty', 'indexing', 'ready', 'degraded']);
/** `not_indexed`: no file was ever ingested. `empty`: every ingested file was deleted. */
export type IndexState = Static<typeof IndexState>;

export const Workspace = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    description: Type.String(),
    created_at: Timestamp,
    updated_at: Timestamp,
    role: Type.Enum([...ROLES]),
  },
  closedAs('Workspace'),
);

export const Member = Type.Object(
  {
    id: Type.String(),
    workspace_id: Type.String(),
    user_id: nullable(Type.String({ description: 'Null while pending' })),
    email: Type.String({ description: 'Empty where the account is unknown' }),
    name: Type.String({ description: 'Empty while pending' }),
    role: Type.Enum([...ROLES]),
    status: Type.Enum(['pending', 'accepted']),
    created_at: Timestamp,
  },
  closedAs('Member'),
);

export const Invited = Type.Object(
  {
    id: Type.String(),
    workspace: Type.Object({ id: Type.String(), name: Type.String() }, closed),
    role: Type.Enum([...ROLES]),
    invited_by: Type.String({
      description: 'E-mail address; empty for the operator, and where the account is unknown',
    }),
    created_at: Timestamp,
  },
  closedAs('MembershipInvitation'),
);

export const Project = Type.Object(
  {
    id: Type.String(),
    workspace_id: Type.String(),
    name: Type.String(),
    description: Type.String(),
    repository_url: nullable(Type.String()),
    created_at: Timestamp,
    updated_at: Timestamp,
    file_count: Type.Integer(),
    indexed_at: nullable(Timestamp),
    indexing_status: IndexState,
  },
  closedAs('Project'),
);

export const File = Type.Object(
  {
    path: Type.String(),
    language: nullable(Type.String()),
    bytes: Type.Integer(),
    sha256: Type.String(),
    lines: Type.Integer(),
    indexing_status: Type.Enum(['pending', 'indexed', 'failed']),
    error: nullable(Type.String()),
    indexed_at: nullable(Timestamp),
  },
  closedAs('ProjectFile'),
);

export const FileFilter = Type.Object({
  path_prefix: Type.Optional(
    Type.String({ maxLength: 1024, description: 'Only paths that start with this' }),
  ),
  path_contains: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'Only paths with this part, in any letter case',
    }),
  ),
  language: Type.Optional(Type.String({ maxLength: 40, description: 'Only this language' })),
  indexing_status: IndexingStatusFilter,
  by_folder: Type.Optional(
    Type.Boolean({
      description:
        'Only files right in path_prefix, a folder such as src/, and its folders with their counts',
    }),
  ),
});
export type FileFilter = Static<typeof FileFilter>;

export const FileContent = Type.Object(
  {
    path: Type.String(),
    language: nullable(Type.String()),
    content: Type.String(),
    start_line: Type.Integer(),
    end_line: Type.Integer(),
    total_lines: Type.Integer(),
  },
  closedAs('FileContent'),
);
export type FileContent = Static<typeof FileContent>;

export const MAX_BATCH_BYTES = 16 * 1024 * 1024;
export const IncomingFile = Type.Object(
  {
    // Far above the storage limit: a path or text that is too long is rejected by name, and the rest goes on.
    path: Type.String({ maxLength: 65_536, description: 'Relative path, separated by /' }),
    content: Type.String({ maxLength: MAX_BATCH_BYTES, description: 'The whole text' }),
    language: Type.Optional(
      Type.String({
        maxLength: 40,
        pattern: '^[\\w+#.-]+$',
        description: 'Language, where the path does not tell',
      }),
    ),
    modified_at: Type.Optional(
      Type.String({ format: 'date-time', description: 'When the file last changed' }),
    ),
    commit_sha: Type.Optional(
      Type.String({ pattern: '^[0-9a-f]{7,64}$', description: 'Commit it was read at' }),
    ),
  },
  closedAs('IncomingFile'),
);
export type IncomingFile = Static<typeof IncomingFile>;

export const IngestReport = Type.Object(
  {
    received: Type.Integer(),
    changed: Type.Integer(),
    unchanged: Type.Integer(),
    removed: Type.Integer(),
    rejected: Type.Array(Type.Object({ path: Type.String(), reason: Type.String() }, closed)),
    redacted: Type.Optional(
      Type.Array(Type.Object({ path: Type.String(), rule: Type.String(), line: Type.Integer() }, closed), {
        description: 'Secrets that were redacted before the text was stored, by rule, with the first line',
      }),
    ),
  },
  closedAs('IngestReport'),
);
export type IngestReport = Static<typeof IngestReport>;

const counts = { pending: Type.Integer(), indexed: Type.Integer(), failed: Type.Integer() };
/** State of indexing. `generation` counts the builds of an index from an empty one. */
export const IndexStatus = Type.Object(
  { state: IndexState, ...counts, indexed_at: nullable(Timestamp), generation: Type.Integer() },
  closedAs('IndexStatus'),
);
export type IndexStatus = Static<typeof IndexStatus>;
/** A file is indexed when it is searchable and, where there is a code graph, in the graph too: each takes its own time. */
export const ProjectIndexStatus = Type.Object(
  {
    ...IndexStatus.properties,
    waiting_for: Type.Optional(
      Type.Object(
        {},
        {
          additionalProperties: Type.Integer(),
          description: 'Pending files by what they wait for: search, graph',
        },
      ),
    ),
  },
  closedAs('ProjectIndexStatus'),
);

const Count = Type.Integer();
const Anything = Type.Object({}, { additionalProperties: true });
export const Overview = Type.Object(
  {
    workspace: Workspace,
    counts: Type.Object(
      { projects: Count, files: Count, chunks: Count, events: Count, nodes: Count, members: Count },
      { additionalProperties: Count, description: 'And what other plugins keep, by name' },
    ),
    indexing: Type.Object(counts, closed),
    quotas: Type.Optional(
      Type.Array(Type.Object({ resource: Type.String(), limit: Count, used: Count }, closed), {
        description: 'If the operator has set quotas: the usage of each',
      }),
    ),
    languages: Type.Array(Type.Object({ language: Type.String(), files: Count, bytes: Count }, closed)),
    recent_events: Type.Array(Anything),
    recent_decisions: Type.Array(Anything),
  },
  closedAs('WorkspaceOverview'),
);
export type Overview = Static<typeof Overview>;

/** Of a tool that stores names and descriptions. */
export const StoredWorkspace = Type.Object(
  { ...Workspace.properties, ...redactedField },
  closedAs('StoredWorkspace'),
);
export const StoredProject = Type.Object(
  { ...Project.properties, ...redactedField },
  closedAs('StoredProject'),
);

export const Deleted = Type.Object({ id: Type.String(), deleted: Type.Literal(true) }, closedAs('Deleted'));

export const WorkspacePage = Page(Workspace);
export type Workspace = Static<typeof Workspace>;
export const MemberPage = Page(Member);
export type Member = Static<typeof Member>;
export const InvitedPage = Page(Invited);
export const ProjectPage = Page(Project);
export type Project = Static<typeof Project>;
const Folder = Type.Object(
  { path: Type.String(), files: Type.Integer(), pending: Type.Integer(), failed: Type.Integer() },
  closedAs('Folder'),
);
export type Folder = Static<typeof Folder>;
export const FilePage = Type.Object(
  {
    ...Page(File).properties,
    folders: Type.Optional(
      Type.Array(Folder, { description: 'With by_folder: at most 1,000 by path, counting all below them' }),
    ),
  },
  closedAs('FilePage'),
);
export type FilePage = Static<typeof FilePage>;
export type File = Static<typeof File>;
