import type { BrowserContext } from 'playwright-core';
import { freshDatabase, type TestDatabase } from '@service-mcp/core/testing';
import { startService, type ServiceProcess } from '../../service-process.js';
import { dashboardPage, type DashboardPage } from './dashboard-page.js';
import { borrowBrowser, type BorrowedBrowser } from './browser.js';

/** The service of a single owner with one workspace; made before the tests of the suite. */
export interface DashboardSuite {
  readonly service: ServiceProcess;
  readonly database: TestDatabase;
  readonly workspaceId: string;
  /** A tab at a path of the dashboard such as `search?q=a`, in a browser context of its own that `end` closes. */
  open(path: string): Promise<DashboardPage & { readonly context: BrowserContext }>;
  /** Makes a project, stores files in it and waits until all are indexed or have failed; resolves with its id. */
  addProject(name: string, files: Readonly<Record<string, string>>): Promise<string>;
}

/**
 * Call it in a `describe`; `env` configures the service, which indexes in its own process: a second one for a few files
 * would cost more than all that they ask of it. Contexts are closed after each test, the service after the last.
 */
export function dashboardSuite(env: Readonly<Record<string, string>> = {}): DashboardSuite {
  let borrowed: BorrowedBrowser;
  let database: TestDatabase;
  let service: ServiceProcess;
  let workspaceId = '';
  const contexts: BrowserContext[] = [];
  before(async () => {
    borrowed = await borrowBrowser();
    database = await freshDatabase('sqlite');
    service = await startService(database.dataDir, { SERVICE_WORKERS: 'inside', ...env });
    ({ id: workspaceId } = await service.call<{ id: string }>('workspaces_create', { name: 'Garden' }));
  });
  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close();
  });
  after(async () => {
    await borrowed?.giveBack();
    await service?.end();
    await database?.drop();
  });
  return {
    get service() {
      return service;
    },
    get database() {
      return database;
    },
    get workspaceId() {
      return workspaceId;
    },
    async open(path) {
      const context = await borrowed.browser.newContext();
      contexts.push(context);
      const opened = await dashboardPage(context);
      await opened.page.goto(`${service.url}/app/${path}`);
      return { ...opened, context };
    },
    async addProject(name, files) {
      const { id: project_id } = await service.call<{ id: string }>('projects_create', {
        workspace_id: workspaceId,
        name,
      });
      const list = Object.entries(files).map(([path, content]) => ({ path, content }));
      await service.call('files_ingest', { project_id, files: list });
      for (;;) {
        const { state } = await service.call<{ state: string }>('projects_index_status', { project_id });
        if (state !== 'indexing') return project_id;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    },
  };
}
