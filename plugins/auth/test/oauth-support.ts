import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import {
  Clock,
  Database,
  Directory,
  definePlugin,
  provide,
  token,
  type Plugin,
  type Transport,
  type Resolved,
} from '@service-mcp/core';
import { testHost, type TestDatabase, type TestHost } from '@service-mcp/core/testing';
import auth from '@service-mcp/plugin-auth';
import workspaces from '@service-mcp/plugin-workspaces';
import { Accounts, OAuthTokens, Sessions, SigningKeys } from '@service-mcp/plugin-auth/internals';
import { Browser, locationOf, send, type Answer } from './oauth-browser.js';

export const PASSWORD = 'correct horse battery';
export const SETUP_TOKEN = 'a set-up token of the tests';

const ports = {
  database: Database,
  clock: Clock,
  directory: Directory,
  accounts: Accounts,
  tokens: OAuthTokens,
  keys: SigningKeys,
  sessions: Sessions,
};
type Ports = Resolved<typeof ports>;
const Reached = token<Ports>('test.OAuthPorts');

export interface OAuthHost extends TestHost, Ports {
  readonly port: number;
}

/** A host that serves the authorization server on a free port, with its internals. */
export async function oauthHost(options: {
  database: TestDatabase;
  server?: object;
  settings?: object;
  plugin?: Plugin;
  transports?: readonly Transport[];
  workers?: boolean;
}): Promise<OAuthHost> {
  let reached: Ports | undefined;
  const reach = definePlugin({
    id: 'reach',
    description: 'Hands a test what it looks at.',
    api: '^1',
    services: [provide(Reached, { uses: ports, create: (found) => (reached = found) })],
  });
  const host = await testHost({
    plugins: [options.plugin ?? auth, workspaces, reach],
    transports: options.transports ?? [],
    database: options.database,
    listen: true,
    workers: options.workers ?? false,
    config: {
      auth: {
        setup_token: SETUP_TOKEN,
        parallel_hashes: 4,
        login_tries_per_peer: 100_000,
        oauth_key_check_seconds: 0,
        ...options.settings,
      },
      server: options.server ?? {},
    },
  });
  assert.ok(reached && host.address);
  return { ...host, ...reached, port: host.address.port };
}

export interface Addresses {
  readonly base: string;
  readonly mcp: string;
  readonly web: string;
}

export const REDIRECT = 'http://127.0.0.1:7777/callback';
export const form = { 'content-type': 'application/x-www-form-urlencoded' };
export const json = { 'content-type': 'application/json' };

export function pkce() {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/** An OAuth client: the steps of the client libraries. */
export class Client {
  readonly host: OAuthHost;
  readonly at: Addresses;
  id = '';

  constructor(host: OAuthHost, at?: Addresses) {
    this.host = host;
    const own = host.url ?? '';
    this.at = at ?? { base: own, mcp: own, web: own };
  }

  async register(metadata: object = {}): Promise<this> {
    const body = JSON.stringify({ client_name: 'Test <client>', redirect_uris: [REDIRECT], ...metadata });
    const answer = await send(this.host.port, `${this.at.base}/api/v1/oauth/register`, {
      method: 'POST',
      body,
      headers: json,
    });
    assert.equal(answer.status, 201, answer.text);
    this.id = answer.json<{ client_id: string }>().client_id;
    return this;
  }

  authorizeUrl(challenge: string, more: Record<string, string | undefined> = {}): string {
    const url = new URL(`${this.at.web}/oauth/authorize`);
    const parameters: Record<string, string | undefined> = {
      response_type: 'code',
      client_id: this.id,
      redirect_uri: REDIRECT,
      code_challenge: challenge,
      code_challenge_method: 'S256',
      state: 'st4te',
      ...more,
    };
    for (const [name, value] of Object.entries(parameters))
      if (value !== undefined) url.searchParams.set(name, value);
    return url.href;
  }

  /** Starts an authorization and returns the address of its page. */
  async begin(
    browser: Browser,
    challenge: string,
    more: Record<string, string | undefined> = {},
  ): Promise<string> {
    const answer = await browser.get(this.authorizeUrl(challenge, more));
    assert.equal(answer.status, 303, answer.text);
    return locationOf(answer);
  }

  /** Consents on the page of an interaction, and returns the final redirect. */
  async consent(browser: Browser, page: string, decision = 'allow'): Promise<URL> {
    const shown = await browser.get(page);
    assert.equal(shown.status, 200, shown.text);
    const account = /name="account" value="([^"]+)"/.exec(shown.text)?.[1];
    assert.ok(account, shown.text);
    const posted = await browser.post(page, { account, decision });
    assert.equal(posted.status, 303, posted.text);
    const resumed = await browser.get(locationOf(posted));
    assert.equal(resumed.status, 303, resumed.text);
    return new URL(locationOf(resumed));
  }

  /** A code for the person signed in in the browser. */
  async code(browser: Browser, more: Record<string, string | undefined> = {}) {
    const { verifier, challenge } = pkce();
    const back = await this.consent(browser, await this.begin(browser, challenge, more));
    const code = back.searchParams.get('code');
    assert.ok(code, back.href);
    return { code, verifier, back };
  }

  token(fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Answer> {
    const body = new URLSearchParams({ client_id: this.id, ...fields }).toString();
    return send(this.host.port, `${this.at.base}/api/v1/oauth/token`, {
      method: 'POST',
      body,
      headers: { ...form, ...headers },
    });
  }

  redeem(
    { code, verifier }: { code: string; verifier: string },
    more: Record<string, string> = {},
  ): Promise<Answer> {
    return this.token({
      grant_type: 'authorization_code',
      code,
      code_verifier: verifier,
      redirect_uri: REDIRECT,
      ...more,
    });
  }

  refresh(refreshToken: string, more: Record<string, string> = {}): Promise<Answer> {
    return this.token({ grant_type: 'refresh_token', refresh_token: refreshToken, ...more });
  }

  async tokens(browser: Browser, more: Record<string, string | undefined> = {}): Promise<Tokens> {
    const answer = await this.redeem(await this.code(browser, more));
    assert.equal(answer.status, 200, answer.text);
    return answer.json<Tokens>();
  }
}

export interface Tokens {
  access_token: string;
  refresh_token: string;
  token_type: string;
  expires_in: number;
  scope: string;
  id_token?: string;
}

/** Registers an account; the first one with the set-up token. */
export async function registerAccount(
  host: OAuthHost,
  request: Parameters<Accounts['register']>[0],
): ReturnType<Accounts['register']> {
  const isFirst = (await host.database.sql('users').first('id')) === undefined;
  return host.accounts.register({ ...(isFirst && { setupToken: SETUP_TOKEN }), ...request });
}

/** A browser signed in with a new account. */
export async function signedIn(host: OAuthHost, email: string, web = host.url ?? ''): Promise<Browser> {
  await registerAccount(host, {
    email,
    password: PASSWORD,
    name: email.split('@')[0] ?? '',
    peer: '127.0.0.1',
  });
  const browser = new Browser(host.port);
  const answer = await browser.post(`${web}/oauth/login`, { email, password: PASSWORD, return_to: '' });
  assert.equal(answer.status, 303, answer.text);
  return browser;
}
