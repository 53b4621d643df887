import { Type, type Static } from 'typebox';
import { Id, Page, ROLES, Timestamp, closed, nullable } from '@service-mcp/core';

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
export const RepositoryUrl = Type.String({ maxLength: 2000, description: 'Address of its repository' });
export const FilePath = Type.String({
  minLength: 1,
  maxLength: 1024,
  description: 'Path inside the project, as files_list gives it',
});
export const UserId = Id('User', 'members_list');
export const Email = Type.String({
  maxLength: 254,
  pattern: '^[^\\s@]+@[^\\s@]+$',
  description: 'E-mail address of an account',
});
export const MemberRole = Type.Enum([...ROLES], {
  description: 'viewer reads, member writes, admin manages members and projects, owner may do everything',
});
const INDEXING_STATUSES = ['pending', 'indexed', 'failed'] as const;
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
  closed,
);

export const Member = Type.Object(
  {
    id: Type.String(),
    workspace_id: Type.String(),
    user_id: Type.String(),
    email: Type.String({ description: 'Empty where the account is unknown' }),
    name: Type.String(),
    role: Type.Enum([...ROLES]),
    created_at: Timestamp,
  },
  closed,
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
  closed,
);

export const File = Type.Object(
  {
    path: Type.String(),
    language: nullable(Type.String()),
    bytes: Type.Integer(),
    sha256: Type.String(),
    lines: Type.Integer(),
    indexing_status: Type.Enum([...INDEXING_STATUSES]),
    error: nullable(Type.String()),
    indexed_at: nullable(Timestamp),
  },
  closed,
);

export const FileFilter = Type.Object({
  path_prefix: Type.Optional(Type.String({ maxLength: 1024, description: 'Only paths that begin so' })),
  language: Type.Optional(Type.String({ maxLength: 40, description: 'Only this language' })),
  indexing_status: Type.Optional(
    Type.Enum([...INDEXING_STATUSES], { description: 'Only files in this state' }),
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
  closed,
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
  closed,
);
export type IncomingFile = Static<typeof IncomingFile>;

export const IngestReport = Type.Object(
  {
    received: Type.Integer(),
    changed: Type.Integer(),
    unchanged: Type.Integer(),
    removed: Type.Integer(),
    rejected: Type.Array(Type.Object({ path: Type.String(), reason: Type.String() }, closed)),
  },
  closed,
);
export type IngestReport = Static<typeof IngestReport>;

const counts = { pending: Type.Integer(), indexed: Type.Integer(), failed: Type.Integer() };
/** State of indexing. `generation` counts the builds of an index from an empty one. */
export const IndexStatus = Type.Object(
  { state: IndexState, ...counts, indexed_at: nullable(Timestamp), generation: Type.Integer() },
  closed,
);
export type IndexStatus = Static<typeof IndexStatus>;

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
    languages: Type.Array(Type.Object({ language: Type.String(), files: Count, bytes: Count }, closed)),
    recent_events: Type.Array(Anything),
    recent_decisions: Type.Array(Anything),
  },
  closed,
);
export type Overview = Static<typeof Overview>;

export const Deleted = Type.Object({ id: Type.String(), deleted: Type.Literal(true) }, closed);

export const WorkspacePage = Page(Workspace);
export type Workspace = Static<typeof Workspace>;
export const MemberPage = Page(Member);
export type Member = Static<typeof Member>;
export const ProjectPage = Page(Project);
export type Project = Static<typeof Project>;
export const FilePage = Page(File);
export type File = Static<typeof File>;
