import { startService, type Service } from '../start-service.js';

/** A service with two workspaces, and in the first a project of a few indexed files. */
export interface FilledService extends Service {
  readonly workspaceId: string;
  readonly otherId: string;
  readonly projectId: string;
}

const LONG = Array.from({ length: 60 }, (_, i) => `The lantern of section ${i} burns whole nights.`).join(
  '\n',
);

export const FILES = [
  {
    path: 'src/token.ts',
    content: 'export function refreshToken(id: string): string {\n  return `${id}!`;\n}\n',
  },
  {
    path: 'src/store.py',
    content: 'class Store:\n    def load(self, key):\n        return self.rows[key]\n',
  },
  { path: 'docs/lantern.md', content: `# Lanterns\n\n${LONG}\n` },
  { path: 'docs/smile.md', content: '# 😀 Smiles\n\n😀😀 then refreshToken is called.\n' },
] as const;

export async function startFilledService(): Promise<FilledService> {
  const service = await startService({ search: { training: false } });
  const make = (tool: string, args: object) => service.use<{ id: string }>(tool, args);
  const { id: workspaceId } = await make('workspaces_create', { name: 'first' });
  const { id: otherId } = await make('workspaces_create', { name: 'second' });
  const { id: projectId } = await make('projects_create', { workspace_id: workspaceId, name: 'lamps' });
  await service.use('files_ingest', { project_id: projectId, files: FILES });
  await service.indexed(projectId);
  return { ...service, workspaceId, otherId, projectId };
}
