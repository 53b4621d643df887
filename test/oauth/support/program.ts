import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import type { Browser } from './browser.js';
import { allow } from './browser-consent.js';
import { mcpMessage } from './mcp-exchange.js';
import { REDIRECT, type Person } from './oauth-deployment.js';

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly id_token?: string;
}

/** A request as it is sent: the same bytes, through whichever process. */
export type Send = (through: typeof fetch) => Promise<Response>;

/** An OAuth client without a library, whose every request can be sent through one process or the other. */
export class Program {
  readonly #origin: string;
  #id = '';

  constructor(origin: string) {
    this.#origin = origin;
  }

  async register(through: typeof fetch): Promise<this> {
    const response = await through(`${this.#origin}/api/v1/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ client_name: 'A program', redirect_uris: [REDIRECT] }),
    });
    assert.equal(response.status, 201);
    this.#id = ((await response.json()) as { client_id: string }).client_id;
    return this;
  }

  /** A code that a person allowed in a browser, as the request that redeems it. */
  async code(browser: Browser, person: Person, scope = 'mcp:read mcp:write'): Promise<Send> {
    const verifier = randomBytes(32).toString('base64url');
    const url = new URL(`${this.#origin}/oauth/authorize`);
    url.search = new URLSearchParams({
      response_type: 'code',
      client_id: this.#id,
      redirect_uri: REDIRECT,
      scope,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    }).toString();
    const back = await allow(browser, url, person);
    return this.#post('token', {
      grant_type: 'authorization_code',
      code: back.searchParams.get('code') ?? '',
      code_verifier: verifier,
      redirect_uri: REDIRECT,
    });
  }

  refresh({ refresh_token }: Tokens): Send {
    return this.#post('token', { grant_type: 'refresh_token', refresh_token });
  }

  revoke({ refresh_token }: Tokens): Send {
    return this.#post('revoke', { token: refresh_token });
  }

  /** Lists the tools of the MCP endpoint. */
  use({ access_token }: Tokens): Send {
    return (through) =>
      through(`${this.#origin}/mcp`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${access_token}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: mcpMessage('tools/list'),
      });
  }

  #post(endpoint: string, fields: Record<string, string>): Send {
    const body = new URLSearchParams({ client_id: this.#id, ...fields }).toString();
    return (through) =>
      through(`${this.#origin}/api/v1/oauth/${endpoint}`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body,
      });
  }
}
