import { Type, type Static } from 'typebox';
import { Id, Page, ROLES, Timestamp, closed, nullable } from '@service-mcp/core';

export const ProjectId = Id('Project', 'projects_list');

export const Name = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '\\S',
  description: 'Name, 1 to 200 characters',
});
export const Description = Type.String({ maxLength: 10_000, description: 'What it is for', default: '' });
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
export const IndexingStatus = Type.Enum(['pending', 'indexed', 'failed']);
export const State = Type.Enum(['not_indexed', 'empty', 'indexing', 'ready', 'degraded']);

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
    indexing_status: State,
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
    indexing_status: IndexingStatus,
    error: nullable(Type.String()),
    indexed_at: nullable(Timestamp),
  },
  closed,
);

export const Deleted = Type.Object({ id: Type.String(), deleted: Type.Literal(true) }, closed);

export const WorkspacePage = Page(Workspace);
export type Workspace = Static<typeof Workspace>;
export const MemberPage = Page(Member);
export type Member = Static<typeof Member>;
export const ProjectPage = Page(Project);
export type Project = Static<typeof Project>;
export const FilePage = Page(File);
export type File = Static<typeof File>;
