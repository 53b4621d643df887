import { Type } from 'typebox';
import {
  ANONYMOUS,
  Authenticator,
  closed,
  definePlugin,
  defineTool,
  provide,
  token,
  type Headers,
} from '@service-mcp/core';
import { callerWith, testHost, type TestDatabase, type TestHost } from '@service-mcp/core/testing';
import auth from '@service-mcp/plugin-auth';
import workspaces from '@service-mcp/plugin-workspaces';
import type { Bench, Cell } from './bench.js';
import { freshDatabases } from './measure/databases.js';
import { median } from './measure/stats.js';

const ROUNDS = 40;
const CALLS_A_ROUND = 250;
const TARGET = 1.3;

const shape = {
  title: 'Nothing',
  description: 'Does nothing.',
  output: Type.Object({}, closed),
  effect: 'read',
  uses: {},
  handler: () => Promise.resolve({}),
} as const;
const nothing = defineTool({
  ...shape,
  name: 'bench_nothing',
  input: Type.Object({}, closed),
  access: { scope: 'bench:read', in: 'deployment' },
});
const inWorkspace = defineTool({
  ...shape,
  name: 'bench_in_workspace',
  input: Type.Object({ workspace_id: Type.String({ description: 'Workspace' }) }, closed),
  access: { scope: 'bench:read', in: 'workspace' },
});
const Gate = token<Authenticator>('bench.Gate');

/** The microseconds of each part, in turn, so that a slow moment of the machine is all of them's. */
async function measure(host: TestHost, gate: Authenticator): Promise<readonly Cell[][]> {
  const call = (tool: string, args: object = {}, init: object = {}) =>
    host.catalog.call(tool, { ...args }, host.call(init));
  const result = await host.use('auth_create_account', { email: 'bench@example.com', name: 'bench' });
  const { id } = result['account'] as { id: string };
  const as = { surface: 'rest', caller: callerWith({ userId: id }) } as const;
  const { secret_key: key } = await host.use<{ secret_key: string }>(
    'auth_create_api_key',
    { name: 'bench' },
    as,
  );
  const { id: workspace_id } = await host.use<{ id: string }>('workspaces_create', { name: 'bench' }, as);
  const headers: Headers = { 'x-service-api-key': key };
  const asKey = async (tool: string, args: object = {}) => {
    const caller = await gate.authenticate({ headers, method: 'POST', surface: 'rest', peer: '127.0.0.1' });
    return call(tool, args, { caller, surface: 'rest', peer: '127.0.0.1' });
  };
  const parts = {
    select: () => host.database.sql('users').where({ id }).first(),
    open: () => call('bench_nothing'),
    guarded: () => asKey('bench_nothing'),
    member: () => asKey('bench_in_workspace', { workspace_id }),
  };
  const micros: Record<keyof typeof parts, number[]> = { select: [], open: [], guarded: [], member: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const name of Object.keys(parts) as (keyof typeof parts)[]) {
      const startedAt = performance.now();
      for (let at = 0; at < CALLS_A_ROUND; at += 1) await parts[name]();
      if (round >= ROUNDS / 4) micros[name].push(((performance.now() - startedAt) * 1000) / CALLS_A_ROUND);
    }
  }
  const [select, open, guarded, member] = [micros.select, micros.open, micros.guarded, micros.member].map(
    median,
  ) as [number, number, number, number];
  return [
    ['one indexed SELECT', select, ''],
    ['a trivial call, nothing checked', open, ''],
    ['the same with a key, a scope and a rate limit', guarded, ''],
    ['added', guarded - open, (guarded - open) / select],
    [
      'added, where the call is on a workspace (its membership is a second SELECT)',
      member - open,
      (member - open) / select,
    ],
  ];
}

const LOGINS = 30;

/** Milliseconds of a failed login: with a wrong password, and with an unknown address. */
async function logins(host: TestHost): Promise<readonly Cell[][]> {
  const fail = async (email: string): Promise<number> => {
    const startedAt = performance.now();
    await host
      .use('auth_login', { email, password: 'wrong password' }, { surface: 'rest', caller: ANONYMOUS })
      .catch(() => undefined);
    return performance.now() - startedAt;
  };
  await host.use(
    'auth_register',
    { email: 'known@example.com', password: 'right password' },
    { surface: 'rest' },
  );
  const known: number[] = [];
  const unknown: number[] = [];
  for (let at = 0; at < LOGINS; at += 1) {
    known.push(await fail('known@example.com'));
    unknown.push(await fail(`nobody${at}@example.com`));
  }
  return [
    ['a wrong password', median(known), ''],
    ['an unknown address', median(unknown), median(unknown) / median(known)],
  ];
}

async function run(
  database: TestDatabase,
): Promise<{ readonly cost: readonly Cell[][]; readonly failed: readonly Cell[][] }> {
  let gate: Authenticator | undefined;
  const capture = provide(Gate, {
    uses: { authenticator: Authenticator },
    create: ({ authenticator }) => (gate = authenticator),
  });
  const bench = definePlugin({
    id: 'bench',
    description: 'For the benchmark.',
    api: '^1',
    services: [capture],
    toolsets: [{ id: 'bench', description: 'For the benchmark.', tools: [nothing, inWorkspace] }],
  });
  const many = { login_tries: 100_000, login_tries_per_email: 100_000, login_tries_per_peer: 1_000_000 };
  const config = { limits: { read_per_minute: 10_000_000 }, auth: many };
  const host = await testHost({ plugins: [auth, workspaces, bench], database, config });
  try {
    if (!gate) throw new Error('no authenticator');
    return { cost: await measure(host, gate), failed: await logins(host) };
  } finally {
    await host.stop();
  }
}

export const authentication: Bench = {
  name: 'auth',
  title: 'What a credential costs',
  method:
    `In one process, ${ROUNDS} rounds in turn of ${CALLS_A_ROUND} calls of each kind, one after the other; medians of ` +
    'the rounds after the first quarter. The SELECT goes through the same query builder and driver: one row of a table by its primary key.',
  async run(report) {
    const tables = [];
    const reading = [];
    for await (const database of freshDatabases()) {
      report(`${database.engine} …`);
      const { cost, failed } = await run(database);
      const ratio = Number(cost[3]?.[2]);
      const verdict = ratio <= TARGET ? 'meets' : 'misses';
      tables.push({ caption: `On ${database.engine}`, columns: ['', 'µs', 'SELECTs'], rows: cost });
      tables.push({
        caption: `A login that fails, on ${database.engine}`,
        columns: ['by', 'ms', 'ratio'],
        rows: failed,
      });
      reading.push(
        `${database.engine}: authentication, admission and the rate limit add ${ratio.toFixed(2)} SELECTs to a call, which ${verdict} the target of ${TARGET}; they write once for a twentieth of a limit.`,
      );
    }
    return { tables, reading };
  },
};
