import assert from 'node:assert/strict';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { definePlugin, provide, type Origins } from '@service-mcp/core';
import { testHost, type TestDatabase, type TestHost } from '@service-mcp/core/testing';
import auth from '@service-mcp/plugin-auth';
import { SafeFetch, createSafeFetch } from '@service-mcp/plugin-auth/internals';
import help from '@service-mcp/plugin-help';
import workspaces from '@service-mcp/plugin-workspaces';
import jsonRpc from '@service-mcp/transport-jsonrpc';
import mcp from '@service-mcp/transport-mcp';
import rest from '@service-mcp/transport-rest';
import { Browser } from './browser.js';
import { CERTIFICATE, PRIVATE_KEY, fetchBehind, startProxy } from './proxy.js';

export const TOPOLOGIES = ['one origin', 'three hosts behind a proxy'] as const;
export type Topology = (typeof TOPOLOGIES)[number];

/** Where the application of a test waits for the browser to come back. Nothing listens there: the browser stops before it. */
export const REDIRECT = 'http://127.0.0.1:7777/callback';
export const PASSWORD = 'correct horse battery';
const SETUP_TOKEN = 'a set-up token of the tests';

export interface Person {
  readonly email: string;
  readonly password: string;
}

/** A running service, and the world as seen by a client of it. */
export interface Place {
  readonly at: Origins;
  readonly host: TestHost;
  /** Reaches every host of the service, and no other. */
  readonly fetch: typeof fetch;
  /** Where the reverse proxy listens, if there is one. */
  readonly proxyPort: number | undefined;
  /** The address of a client-id document with {@link REDIRECT} in it. */
  readonly clientDocument: string;
  person(name?: string): Promise<Person>;
  browser(): Browser;
  stop(): Promise<void>;
}

const HOSTS: Origins = {
  base: 'https://api.memory.test',
  mcp: 'https://mcp.memory.test',
  web: 'https://app.memory.test',
};

/** Starts the service over a database, as one origin by itself or as three hosts behind a reverse proxy. */
export async function startPlace(
  database: TestDatabase,
  topology: Topology,
  { outgoing = true } = {},
): Promise<Place> {
  const isSplit = topology !== 'one origin';
  const document = await startDocument();
  const host = await testHost({
    plugins: [help, withOwnWeb(outgoing), workspaces],
    transports: [mcp, jsonRpc, rest],
    database,
    config: {
      toolsets: { default: ['complete'] },
      limits: { read_per_minute: 0, write_per_minute: 0, open_per_minute: 0 },
      auth: { registration: 'open', setup_token: SETUP_TOKEN, oauth_key_check_seconds: 0 },
      server: isSplit
        ? { base_url: HOSTS.base, mcp_url: HOSTS.mcp, web_url: HOSTS.web, trusted_proxies: ['loopback'] }
        : {},
    },
  });
  const { url = '', address } = host;
  const names = Object.values(HOSTS).map((origin) => new URL(origin).host);
  const proxy = isSplit ? await startProxy(names, () => address?.port ?? 0) : undefined;
  const at = isSplit ? HOSTS : { base: url, mcp: url, web: url };
  const reach = proxy ? fetchBehind(proxy.port) : fetch;
  let people = 0;
  return {
    at,
    host,
    fetch: reach,
    proxyPort: proxy?.port,
    clientDocument: document.url,
    async person(name = `person-${++people}`) {
      const person = { email: `${name}@example.com`, password: PASSWORD };
      const isFirst = (await host.database.sql('users').first('id')) === undefined;
      const setup = isFirst ? { setup_token: SETUP_TOKEN } : {};
      const response = await reach(`${at.base}/v1/auth/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...person, ...setup }),
      });
      assert.equal(response.status, 201, await response.text());
      return person;
    },
    browser: () => new Browser(reach, REDIRECT),
    async stop() {
      await host.stop();
      await proxy?.close();
      document.close();
    },
  };
}

/** The place for a client whose person typed `localhost`, where the service names 127.0.0.1. */
export function calledLocalhost(place: Place): Place {
  return { ...place, at: { ...place.at, mcp: place.at.mcp.replace('//127.0.0.1:', '//localhost:') } };
}

/** The web server of somebody who publishes a client. */
async function startDocument() {
  const server = createServer({ key: PRIVATE_KEY, cert: CERTIFICATE }, (_req, res) => {
    const { port } = server.address() as AddressInfo;
    res.setHeader('content-type', 'application/json');
    res.end(
      JSON.stringify({
        client_id: documentUrl(port),
        client_name: 'Documented client',
        redirect_uris: ['http://127.0.0.1/callback'],
        token_endpoint_auth_method: 'none',
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: documentUrl(port), close };
}

const documentUrl = (port: number) => `https://client.memory.test:${port}/client.json`;

/** The auth plugin where the outside web is on this machine, to which its guard would let no fetch go, or is away. */
function withOwnWeb(outgoing: boolean) {
  const guarded = createSafeFetch({
    ca: CERTIFICATE,
    resolve: async () => (outgoing ? [{ address: '127.0.0.1', family: 4 }] : []),
    permits: () => true,
  });
  const web = Object.assign((url: string) => guarded(url), guarded, { reaches: async () => outgoing });
  return definePlugin({
    ...auth,
    services: [
      ...auth.services.filter(({ target }) => target !== SafeFetch),
      provide(SafeFetch, { uses: {}, create: () => web, close: () => web.close() }),
    ],
  });
}
