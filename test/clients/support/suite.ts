import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client, ClientDriver, Ending } from './client.js';
import type { Place, Way } from './client-deployment.js';

const FAILURE = 'CONFLICT: The lamp is out. Light it, then call work_fail again.';

/** Everything that a client must do with a server: list, call, handle each kind of error, see progress, cancel. */
export function describeClient(driver: ClientDriver, way: Way, place: () => Place): void {
  describe(`${driver.name} and the ${way}`, () => {
    const key = `${driver.name} ${way}`;
    let client: Client;
    before(async () => {
      client = await driver.open(place().server(way));
    });
    after(() => client?.close());

    it('lists the tools of the service', async () => {
      const tools = await client.tools();
      assert.deepEqual(
        tools.map(({ name }) => name),
        await place().listed(),
      );
      for (const { name, description, inputSchema } of tools) {
        assert.ok(description, name);
        assert.equal(inputSchema.type, 'object', name);
      }
    });

    it('calls a tool', async () => {
      assert.deepEqual(await client.call('work_waited', { key: 'nobody' }), {
        kind: 'result',
        data: { state: 'unknown' },
      });
    });

    it('recognises the failure of a tool, with its remedy', async () => {
      assert.deepEqual(await client.call('work_fail', {}), { kind: 'failure', text: FAILURE });
    });

    it('learns which argument is wrong', async () => {
      const ending = await client.call('work_steps', { key, steps: 0 });
      assert.deepEqual(ending, { kind: 'failure', text: 'INVALID_ARGUMENT: steps: must be >= 1' });
    });

    it('learns that a tool does not exist', async () => {
      const ending = await client.call('work_nothing', {});
      assert.ok(ending.kind === 'refusal', JSON.stringify(ending));
      assert.match(ending.text, /no tool "work_nothing"|'work_nothing' not found/);
    });

    if (driver.showsProgress)
      it('sees each step while the call runs', async () => {
        const seen: object[] = [];
        const steps: Promise<Readonly<Record<string, unknown>>>[] = [];
        const onProgress = (report: object) => {
          seen.push(report);
          steps.push(place().call('work_next', { key }));
        };
        const ending = await client.call('work_steps', { key, steps: 3 }, { onProgress });
        assert.deepEqual(ending, { kind: 'result', data: { taken: 3 } });
        assert.deepEqual(
          seen,
          [1, 2, 3].map((step) => ({ progress: step, total: 3, message: `step ${step}` })),
        );
        for (const { heard } of await Promise.all(steps)) assert.equal(heard, true);
      });
    else
      it('gets the result of a call that reports progress', async () => {
        const called = client.call('work_steps', { key, steps: 3 });
        // It may request progress and show none.
        const next = async () => void (await Promise.all([place().call('work_next', { key }), delay(25)]));
        let ending: Ending | void;
        do ending = await Promise.race([called, next()]);
        while (!ending);
        assert.deepEqual(ending, { kind: 'result', data: { taken: 3 } });
      });

    if (driver.cancels.includes(way === 'stdio' ? 'stdio' : 'http'))
      it('ends the work of a call that it cancels', async () => {
        const controller = new AbortController();
        const given = client.call('work_wait', { key }, { signal: controller.signal });
        const rejected = assert.rejects(given);
        await place().begun(key);
        controller.abort();
        await rejected;
        assert.equal(await place().ended(key), 'cancelled');
      });

    it('reports no warning or error', () => {
      assert.deepEqual(client.complaints(), []);
    });
  });
}
