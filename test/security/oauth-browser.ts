import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { FORM_BODY, ask, post, type Answer } from './raw-http.js';
import { PASSWORD } from './start-team.js';

export const REDIRECT = 'http://127.0.0.1:7777/callback';

export interface Granted {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly scope: string;
  readonly id_token?: string;
}

/** A browser without script: cookies by name, no redirect followed by itself. */
export class Browser {
  readonly url: string;
  readonly #cookies = new Map<string, string>();

  constructor(url: string) {
    this.url = url;
  }

  get cookie(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.#send(path, 'GET', headers);
  }

  /** Posts a form from a page of the service itself; `headers` may say otherwise. */
  post(path: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Answer> {
    const own = { ...FORM_BODY, origin: this.url, 'sec-fetch-site': 'same-origin' };
    return this.#send(path, 'POST', { ...own, ...headers }, new URLSearchParams(fields).toString());
  }

  signIn(email: string, password = PASSWORD): Promise<Answer> {
    return this.post('/oauth/login', { email, password, return_to: '' });
  }

  async #send(path: string, method: string, headers: Record<string, string>, body?: string): Promise<Answer> {
    const { cookie } = this;
    const answer = await ask(this.url, path, {
      method,
      headers: { accept: 'text/html', ...headers, ...(cookie && { cookie }) },
      ...(body !== undefined && { body }),
    });
    for (const line of answer.headers['set-cookie'] ?? []) {
      const [pair = ''] = line.split(';');
      const [name = '', value = ''] = pair.split(/=(.*)/s);
      if (value === '' || /max-age=0|1970/i.test(line)) this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    return answer;
  }
}

/** The path and query of a redirect within this service. */
export function next({ headers, text }: Answer): string {
  assert.ok(headers.location, text);
  const url = new URL(headers.location, 'http://here.invalid');
  return url.pathname + url.search;
}

/** An application that connects by OAuth. */
export class Application {
  readonly url: string;
  id = '';

  constructor(url: string) {
    this.url = url;
  }

  async register(metadata: object = {}): Promise<this> {
    const wanted = { client_name: 'Security test', redirect_uris: [REDIRECT], ...metadata };
    const answer = await post(this.url, '/api/v1/oauth/register', wanted);
    assert.equal(answer.status, 201, answer.text);
    this.id = answer.json<{ client_id: string }>().client_id;
    return this;
  }

  /** The path of the authorization request. */
  authorize(challenge: string, more: Record<string, string> = {}): string {
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: this.id,
      redirect_uri: REDIRECT,
      code_challenge: challenge,
      code_challenge_method: 'S256',
      state: 'state',
      ...more,
    });
    return `/oauth/authorize?${query.toString()}`;
  }

  /** Consents as the account that is signed in. */
  async code(
    browser: Browser,
    more: Record<string, string> = {},
  ): Promise<{ code: string; verifier: string }> {
    const { verifier, challenge } = pkce();
    const page = next(await browser.get(this.authorize(challenge, more)));
    const shown = await browser.get(page);
    const account = /name="account" value="([^"]+)"/.exec(shown.text)?.[1];
    assert.ok(account, shown.text);
    const allowed = await browser.post(page, { account, decision: 'allow' });
    const resumed = await browser.get(next(allowed));
    const code = new URL(resumed.headers.location ?? '').searchParams.get('code');
    assert.ok(code, resumed.text);
    return { code, verifier };
  }

  token(fields: Record<string, string>): Promise<Answer> {
    const body = new URLSearchParams({ client_id: this.id, ...fields }).toString();
    return ask(this.url, '/api/v1/oauth/token', { method: 'POST', headers: FORM_BODY, body });
  }

  redeem({ code, verifier }: { code: string; verifier: string }): Promise<Answer> {
    const fields = { code, code_verifier: verifier, redirect_uri: REDIRECT };
    return this.token({ grant_type: 'authorization_code', ...fields });
  }

  async tokens(browser: Browser, more: Record<string, string> = {}): Promise<Granted> {
    const answer = await this.redeem(await this.code(browser, more));
    assert.equal(answer.status, 200, answer.text);
    return answer.json<Granted>();
  }
}

export function pkce(): { readonly verifier: string; readonly challenge: string } {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}
