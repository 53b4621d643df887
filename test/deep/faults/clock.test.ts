import assert from 'node:assert/strict';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { eachDatabase } from '@service-mcp/core/testing';
import { ask, post } from '../../security/raw-http.js';
import { bearer, withKey } from '../../security/start-hosted.js';
import { startService } from '../../service-process.js';
import { HOSTED_DEPLOYMENT } from '../../start-service.js';
import { backgroundWork } from '../../worker-process.js';

const HOUR_MS = 60 * 60_000;
const SHIFTS_IN_HOURS = [240, -240, 240, 0];
/** More than a service indexes by itself: its child process does. */
const FILES = 40;
const WRITES_PER_MINUTE = 60;
const ANN = { email: 'ann@example.com', password: 'correct horse battery' };
const SHIFTED_CLOCK = new URL('./shifted-clock.js', import.meta.url).href;

interface Answer {
  readonly data: { readonly access_token: string; readonly secret_key: string };
  readonly metadata: { readonly timestamp: string };
}

describe(`fault: the clock is set by ${SHIFTS_IN_HOURS.join(', ')} hours`, () => {
  eachDatabase((fresh) => {
    it('logins, keys, tokens, rates, queues and leases go on', async () => {
      const { dataDir, env } = await fresh();
      const file = join(dataDir, 'clock-shift');
      const shiftTo = async (hours: number) => {
        await writeFile(`${file}.new`, String(hours * HOUR_MS));
        await rename(`${file}.new`, file);
      };
      await shiftTo(0);
      const service = await startService(
        dataDir,
        {
          ...env,
          NODE_OPTIONS: `--import=${SHIFTED_CLOCK}`,
          CLOCK_SHIFT_FILE: file,
          SERVICE_LIMITS_WRITE_PER_MINUTE: String(WRITES_PER_MINUTE),
        },
        HOSTED_DEPLOYMENT,
      );
      const send = async (path: string, body: object, headers = {}) => {
        const answer = await post(service.url, path, body, headers);
        assert.ok(answer.status < 300, answer.text);
        return answer.json<Answer>();
      };
      try {
        const registered = await send('/v1/auth/register', { ...ANN, name: 'Ann' });
        const wanted = { name: 'of Ann', scopes: ['*'] };
        const made = await send('/v1/auth/api-keys', wanted, bearer(registered.data.access_token));
        const headers = withKey(made.data.secret_key);
        const call = <T>(tool: string, args: object, more: object = {}) =>
          service.call<T>(tool, args, { headers: { ...headers, ...more } });
        const { id: workspace_id } = await call<{ id: string }>('workspaces_create', { name: 'w' });
        const { id: project_id } = await call<{ id: string }>('projects_create', { workspace_id, name: 'p' });
        let former = registered.data.access_token;
        let slowest = 0;
        for (const [round, hours] of SHIFTS_IN_HOURS.entries()) {
          await shiftTo(hours);
          for (let shown = NaN; !(Math.abs(shown - hours) < 1);) {
            await delay(10);
            const { metadata } = (await ask(service.url, '/v1/workspaces')).json<Answer>();
            shown = (Date.parse(metadata.timestamp) - Date.now()) / HOUR_MS;
          }

          const name = `round-${round}`;
          const create = () =>
            call<{ id: string }>('projects_create', { workspace_id, name }, { 'idempotency-key': name });
          assert.equal((await create()).id, (await create()).id);

          const files = Array.from({ length: FILES }, (_, n) => ({
            path: `${n}.md`,
            content: `The walrus${round} sleeps on floe ${n}.`,
          }));
          const writtenAt = Date.now();
          await call('files_ingest', { project_id, files });
          const find = () =>
            call<{ total: number }>('search_keyword', { workspace_id, query: `walrus${round}`, limit: 100 });
          while ((await find()).total < FILES) await delay(50);
          slowest = Math.max(slowest, Date.now() - writtenAt);

          const isOld = hours > (SHIFTS_IN_HOURS[round - 1] ?? 0);
          const { status } = await post(service.url, '/v1/workspaces', { name: 'further' }, bearer(former));
          assert.equal(status, isOld ? 401 : 201, 'a token expires, and is valid before its time');
          former = (await send('/v1/auth/login', ANN)).data.access_token;
          const renamed = await post(service.url, '/v1/workspaces', { name: 'further' }, bearer(former));
          assert.equal(renamed.status, 201);

          // Its child process dies and its minute is used up, both of which the next round must not remember.
          const { pid } = await backgroundWork(service);
          if (pid !== undefined) process.kill(pid, 'SIGKILL');
          await assert.rejects(async () => {
            for (let write = 0; write <= 2 * WRITES_PER_MINUTE; write++)
              await call('workspaces_update', { workspace_id, name: `name ${write}` });
          }, /RATE_LIMITED/);
        }
        console.log(
          `      ${SHIFTS_IN_HOURS.length * FILES} files acknowledged, lost 0; found within ${slowest} ms`,
        );
      } finally {
        await service.end('SIGKILL');
      }
    });
  });
});
