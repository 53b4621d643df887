import assert from 'node:assert/strict';
import { freshDatabase, type TestDatabase } from '@service-mcp/core/testing';
import { PASSWORD, SETUP_TOKEN, startTeam, type Team } from './start-team.js';

/** Someone who made an account over HTTP. */
export interface Account {
  readonly id: string;
  readonly email: string;
  readonly access_token: string;
  readonly refresh_token: string;
  /** An API key with every scope. */
  readonly key: string;
  readonly keyId: string;
}

export interface Hosted extends Team {
  /** Where it listens, whatever address the deployment says that clients use. */
  readonly local: string;
  /** Makes an account with PASSWORD, and a key of it. */
  account(name: string): Promise<Account>;
}

/** The hosted deployment over a database of its own, gone when it stops. No search provider is trained. */
export async function startHosted(
  sections: object = {},
  engine: TestDatabase['engine'] = 'sqlite',
): Promise<Hosted> {
  const database = await freshDatabase(engine);
  const team = await startTeam(database, { search: { training: false }, ...sections });
  const local = `http://127.0.0.1:${team.host.address?.port}`;
  return {
    ...team,
    local,
    async account(name) {
      const email = `${name}@example.com`;
      const isFirst = (await team.host.database.sql('users').first('id')) === undefined;
      const person = { email, password: PASSWORD, name, ...(isFirst && { setup_token: SETUP_TOKEN }) };
      const made = await post(`${local}/v1/auth/register`, person);
      const { user, access_token, refresh_token } = made as {
        user: { id: string };
        access_token: string;
        refresh_token: string;
      };
      const wanted = { name: `${name}'s`, scopes: ['*'] };
      const key = (await post(`${local}/v1/auth/api-keys`, wanted, bearer(access_token))) as {
        id: string;
        secret_key: string;
      };
      return { id: user.id, email, access_token, refresh_token, key: key.secret_key, keyId: key.id };
    },
    async stop() {
      await team.stop();
      await database.drop();
    },
  };
}

export const bearer = (credential: string) => ({ authorization: `Bearer ${credential}` });
export const withKey = (key: string) => ({ 'x-service-api-key': key });

async function post(url: string, body: object, headers: Record<string, string> = {}): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const { data, error } = (await response.json()) as { data: unknown; error: unknown };
  assert.equal(response.status, 201, JSON.stringify(error));
  return data;
}
