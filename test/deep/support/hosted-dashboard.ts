import type { BrowserContext } from 'playwright-core';
import { freshDatabase, type TestDatabase } from '@service-mcp/core/testing';
import { prepareServing, type ServeProcess } from '../../oauth/support/serve-process.js';
import { PASSWORD } from '../../oauth/support/oauth-deployment.js';
import { dashboardPage, type DashboardPage } from './dashboard-page.js';
import { borrowBrowser, type BorrowedBrowser } from './browser.js';

/** An account of the deployment. */
export interface Person {
  readonly email: string;
  /** Calls a tool as this person. Rejects with the message of the service. */
  call<T>(tool: string, args: object): Promise<T>;
}

interface Login {
  readonly data: { readonly user: { readonly email: string }; readonly access_token: string };
}

/** A service with accounts; made before the tests of the suite. */
export interface HostedDashboard {
  readonly url: string;
  /** Makes the account `name@example.com`. */
  register(name: string): Promise<Person>;
  /** The account that the first start made, after a password was set for it. */
  administrator(): Promise<Person>;
  /** A tab of this person at a path of the dashboard, signed in, in a browser context that `end` closes. */
  open(person: Person, path: string): Promise<DashboardPage & { readonly context: BrowserContext }>;
}

/** Call it in a `describe`. Contexts are closed after each test, the service after the last. */
export function hostedDashboard(engine: 'sqlite' | 'postgresql' = 'sqlite'): HostedDashboard {
  let borrowed: BorrowedBrowser;
  let database: TestDatabase;
  let service: ServeProcess;
  const contexts: BrowserContext[] = [];
  before(async () => {
    borrowed = await borrowBrowser();
    database = await freshDatabase(engine);
    service = await (await prepareServing(database, { workers: { run: 'inside' } })).start();
  });
  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close();
  });
  after(async () => {
    await borrowed?.giveBack();
    await service?.stop();
    await database?.drop();
  });
  const post = async <T>(path: string, body: object, headers: Readonly<Record<string, string>> = {}) => {
    const response = await fetch(`${service.told.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as T & { readonly error?: { readonly message: string } | null };
    if (answer.error) throw new Error(`${path}: ${answer.error.message}`);
    return answer;
  };
  const personOf = ({ data: { user, access_token } }: Login): Person => {
    const headers = { authorization: `Bearer ${access_token}`, 'x-service-toolset': 'complete' };
    return {
      email: user.email,
      async call<T>(tool: string, args: object) {
        const answer = await post<{ structuredContent: T }>(`/api/v1/tools/${tool}`, args, headers);
        return answer.structuredContent;
      },
    };
  };
  return {
    get url() {
      return service.told.url;
    },
    async register(name) {
      const email = `${name.toLowerCase()}@example.com`;
      return personOf(await post<Login>('/v1/auth/register', { email, password: PASSWORD, name }));
    },
    async administrator() {
      const { email = '', password_link: link = '' } = service.told.first_run ?? {};
      const reset_token = new URL(link).searchParams.get('token');
      await post('/v1/auth/password', { new_password: PASSWORD, reset_token });
      return personOf(await post<Login>('/v1/auth/login', { email, password: PASSWORD }));
    },
    async open({ email }, path) {
      const context = await borrowed.browser.newContext();
      contexts.push(context);
      const opened = await dashboardPage(context);
      const { page } = opened;
      const query = new URLSearchParams({ return_to: `/app/${path}` }).toString();
      await page.goto(`${service.told.url}/oauth/login?${query}`);
      await page.getByLabel('E-mail address').fill(email);
      await page.getByLabel('Password').fill(PASSWORD);
      await page.keyboard.press('Enter');
      await page.waitForURL((url) => url.pathname.startsWith('/app/'));
      return { ...opened, context };
    },
  };
}
