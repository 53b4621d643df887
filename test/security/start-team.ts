import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { ANONYMOUS, Authenticator, ROLES, type Caller, type Role } from '@service-mcp/core';
import { loadDeployment, start, type Host } from '@service-mcp/core/host';
import { copySchema, callerWith, probe, use, type TestDatabase } from '@service-mcp/core/testing';
import { HOSTED_DEPLOYMENT } from '../start-service.js';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Someone with an account, and a key that may do all that the account may. */
export interface Person {
  readonly id: string;
  readonly email: string;
  readonly key: string;
}

/** A workspace with one person for each role; they have no other workspace. */
export interface Tenant {
  readonly name: string;
  readonly workspaceId: string;
  readonly people: Readonly<Record<Role, Person>>;
  /** A viewer who makes no calls: the subject of tools about people. */
  readonly bystander: Person;
}

export interface Team {
  readonly host: Host;
  readonly url: string;
  person(name: string): Promise<Person>;
  /** A workspace of the tenant's owner, with the others in their roles. */
  workspace(tenant: Omit<Tenant, 'name' | 'workspaceId'>, name: string): Promise<string>;
  tenant(name: string): Promise<Tenant>;
  /** A further key of a person. */
  key(person: Person, wanted?: object): Promise<{ id: string; secret_key: string }>;
  /** The caller that a request with this key has; anonymous without one. */
  authenticate(key: string | undefined): Promise<Caller>;
  /** Calls a tool in this process as a person. */
  as<T = Record<string, unknown>>(person: Person, tool: string, args?: object): Promise<T>;
  stop(): Promise<void>;
}

export const PASSWORD = 'correct horse battery';
/** What the first account that registers needs. */
export const SETUP_TOKEN = 'a set-up token of the tests';

/** Starts the hosted deployment over a database, on a free port; `sections` are laid over its file. */
export async function startTeam(database: TestDatabase, sections: object = {}): Promise<Team> {
  const packages = JSON.parse(await readFile(HOSTED_DEPLOYMENT, 'utf8')) as object;
  const file = join(database.dataDir, `deployment-${crypto.randomUUID()}.json`);
  const { auth = {}, ...others } = sections as { auth?: object };
  const settings = { auth: { setup_token: SETUP_TOKEN, ...auth }, ...others };
  const limits = { read_per_minute: 0, write_per_minute: 0, open_per_minute: 0 };
  await writeFile(file, JSON.stringify({ ...packages, log: { level: 'silent' }, limits, ...settings }));
  const loaded = await loadDeployment({
    file,
    env: database.env,
    overrides: { port: 0, dataDir: database.dataDir },
    resolveFrom: fileURLToPath(import.meta.url),
  });
  const { plugin, services } = probe({ authenticator: Authenticator });
  await copySchema([...loaded.plugins, plugin], { dataDir: loaded.dataDir, database });
  const host = await start({ ...loaded, plugins: [...loaded.plugins, plugin] });
  const as: Team['as'] = ({ id }, tool, args) =>
    use(host, tool, args, { as: callerWith({ userId: id }), surface: 'rest' });
  const key: Team['key'] = (person, wanted = {}) =>
    as(person, 'auth_create_api_key', { name: 'further', scopes: ['*'], ...wanted });

  const person = async (name: string): Promise<Person> => {
    const email = `${name}@example.com`;
    const { account } = await use<{ account: { id: string } }>(host, 'auth_create_account', {
      email,
      name,
    });
    const { id } = account;
    const { secret_key } = await key({ id, email, key: '' });
    return { id, email, key: secret_key };
  };
  const workspace: Team['workspace'] = async ({ people, bystander }, name) => {
    const { id } = await as<{ id: string }>(people.owner, 'workspaces_create', { name });
    const join = async (person: Person, role: Role) => {
      const asked = { workspace_id: id, email: person.email, role };
      const { id: membership_id } = await as(people.owner, 'members_add', asked);
      await as(person, 'members_accept', { membership_id });
    };
    for (const role of ROLES) if (role !== 'owner') await join(people[role], role);
    await join(bystander, 'viewer');
    return id;
  };
  return {
    host,
    url: host.url ?? '',
    person,
    workspace,
    key,
    as,
    async authenticate(key) {
      const headers = key === undefined ? {} : { 'x-service-api-key': key };
      const request = { headers, method: 'POST', surface: 'rest', peer: '127.0.0.1' } as const;
      return (await services().authenticator.authenticate(request)) ?? ANONYMOUS;
    },
    async tenant(name) {
      const made = await Promise.all(
        ROLES.map(async (role) => [role, await person(`${name}-${role}`)] as const),
      );
      const people = Object.fromEntries(made) as Record<Role, Person>; // one for each role
      const bystander = await person(`${name}-bystander`);
      return { name, people, bystander, workspaceId: await workspace({ people, bystander }, name) };
    },
    stop: () => host.stop(),
  };
}
