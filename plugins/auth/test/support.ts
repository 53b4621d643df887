import {
  ANONYMOUS,
  LOCAL_OWNER,
  ServiceError,
  type CallContext,
  type Caller,
  type Headers,
  type Plugin,
  type RateState,
  Authenticator,
  type Surface,
} from '@service-mcp/core';
import { probe, testHost, type TestDatabase, type TestHost } from '@service-mcp/core/testing';
import auth from '@service-mcp/plugin-auth';
import { Sessions, type ProvenAccount } from '@service-mcp/plugin-auth/internals';
import workspaces from '@service-mcp/plugin-workspaces';

export const PASSWORD = 'correct horse battery';
/** What the first account of each host here needs; `register` sends it. */
export const SETUP_TOKEN = 'a set-up token of the tests';

export interface Login {
  user: { id: string; email: string; name: string; created_at: string };
  access_token: string;
  refresh_token: string;
  token_type: string;
  expires_in: number;
}

export interface NewKey {
  id: string;
  secret_key: string;
  prefix: string;
  masked_key: string;
  scopes: string[];
  workspace_id: string | null;
  expires_at: string | null;
  last_used_at: string | null;
  revoked_at: string | null;
}

interface BrowserSessions {
  /** Returns the value of the cookie. */
  beginBrowser(userId: string): Promise<string>;
}

/** A host with accounts and workspaces, and calls in the name of people. */
export interface AuthHost extends TestHost {
  readonly authenticator: Authenticator;
  readonly sessions: BrowserSessions;
  /** Authenticates headers like a request. */
  authenticate(
    headers: Headers,
    request?: { method?: string; surface?: Surface },
  ): Promise<Caller | undefined>;
  /** Calls a tool with the headers of a request, over REST. */
  as<T = Record<string, unknown>>(
    headers: Headers,
    tool: string,
    args?: object,
    init?: Partial<CallContext>,
  ): Promise<T>;
  /** Calls a tool without a credential. */
  open<T = Record<string, unknown>>(tool: string, args?: object, init?: Partial<CallContext>): Promise<T>;
  register(email: string, more?: object): Promise<Login>;
  makeKey(login: { access_token: string }, more?: object): Promise<NewKey>;
}

export async function authHost(
  database: TestDatabase | undefined,
  settings: object = {},
  options: {
    env?: Record<string, string>;
    server?: object;
    limits?: object;
    plugins?: Plugin[];
    workers?: boolean;
  } = {},
): Promise<AuthHost> {
  const reach = probe({ authenticator: Authenticator, sessions: Sessions });
  const host = await testHost({
    plugins: [auth, workspaces, reach.plugin, ...(options.plugins ?? [])],
    ...(database && { database }),
    config: {
      auth: { setup_token: SETUP_TOKEN, ...settings },
      limits: { open_per_minute: 0, ...options.limits },
      ...(options.server && { server: options.server }),
    },
    env: options.env ?? {},
    ...(options.workers !== undefined && { workers: options.workers }),
  });
  const { authenticator, sessions } = reach.services();
  const authenticate: AuthHost['authenticate'] = (headers, { method = 'GET', surface = 'rest' } = {}) =>
    authenticator.authenticate({ headers, method, surface, peer: '192.0.2.1' });
  const as: AuthHost['as'] = async (headers, tool, args, init) => {
    const caller = (await authenticate(headers, { method: 'POST' })) ?? ANONYMOUS;
    return host.use(tool, args, { caller, surface: 'rest', peer: '192.0.2.1', ...init });
  };
  const open: AuthHost['open'] = (tool, args, init) => as({}, tool, args, init);
  return {
    ...host,
    authenticator,
    sessions: {
      async beginBrowser(userId) {
        const account = (await host.database.sql('users').where({ id: userId }).first()) as ProvenAccount;
        return (await sessions.beginBrowser(account, 'Test')).cookie;
      },
    },
    authenticate,
    as,
    open,
    async register(email, more) {
      const isFirst = (await host.database.sql('users').first('id')) === undefined;
      const setup = isFirst ? { setup_token: SETUP_TOKEN } : {};
      return open<Login>('auth_register', { email, password: PASSWORD, ...setup, ...more });
    },
    makeKey: (login, more) => as<NewKey>(bearer(login), 'auth_create_api_key', { name: 'test', ...more }),
  };
}

export function bearer(credential: { access_token: string } | string): Headers {
  const text = typeof credential === 'string' ? credential : credential.access_token;
  return { authorization: `Bearer ${text}` };
}

export const withKey = ({ secret_key }: NewKey): Headers => ({ 'x-service-api-key': secret_key });

/** Runs work `n` times at once and separates results from errors. */
export async function atOnce<T>(n: number, work: (i: number) => Promise<T>) {
  const settled = await Promise.allSettled(Array.from({ length: n }, (_, i) => work(i)));
  return {
    won: settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])),
    lost: settled.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : [])),
  };
}

export const codeOf = (error: unknown) => (error instanceof ServiceError ? error.code : String(error));

/** Collects the remarks of a call. */
export function remarks(): { rates: RateState[]; init: Partial<CallContext> } {
  const rates: RateState[] = [];
  return { rates, init: { remark: ({ rate }) => rate && void rates.push(rate) } };
}

export const operator: Partial<CallContext> = { caller: LOCAL_OWNER, surface: 'cli' };
